import { getEventListeners } from 'node:events';
import { unlessAborted } from './unless-aborted.js';

describe('unlessAborted', () => {
  const never = new Promise<never>(() => undefined);

  it('settles as the work settles', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1);
    await expect(unlessAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects when the signal aborts, also when it was aborted before', async () => {
    const stop = new AbortController();
    const waiting = [unlessAborted(never, stop.signal), unlessAborted(never, stop.signal)];
    stop.abort();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(await unlessAborted(never, stop.signal)).toBeUndefined();
    expect(await unlessAborted(never, AbortSignal.abort())).toBeUndefined();
  });

  it('adds one listener to a signal for any number of callers', () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 20; n++) void unlessAborted(never, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });
});
