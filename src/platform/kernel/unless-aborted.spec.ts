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

  it('adds one listener to a signal for any number of callers, and leaves none', async () => {
    const { signal } = new AbortController();
    for (let round = 0; round < 2; round++) {
      const ends: ((value: number) => void)[] = [];
      const works = Array.from({ length: 20 }, (_, n) => (n ? new Promise<number>((resolve) => ends.push(resolve)) : Promise.resolve(0)));
      const results = works.map((work) => unlessAborted(work, signal));
      expect(await results[0]).toBe(0);
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      for (const end of ends) end(1);
      await Promise.all(results);
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }
  });
});
