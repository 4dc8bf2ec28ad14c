import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { within } from './within.js';

const never = new Promise<string>(() => undefined);
const isLate = (): never => {
  throw new Error('late');
};

describe('work within a time', () => {
  it('returns its result, or its error', async () => {
    expect(await within(1_000, Promise.resolve('done'), isLate)).toBe('done');
    await expect(within(1_000, Promise.reject(new Error('broken')), isLate)).rejects.toThrow('broken');
  });

  it('is replaced by another result, or by an error, when the time is over', async () => {
    expect(await within(1, never, () => 'nothing')).toBe('nothing');
    await expect(within(1, never, isLate)).rejects.toThrow('late');
  });

  it('counts what arrived while the process stood still', async () => {
    await setImmediate(); // after it, timers come before what has arrived
    const late = jest.fn(isLate);
    const result = within(10, promisify(randomBytes)(8), late);
    const since = performance.now();
    while (performance.now() - since < 100);
    expect(await result).toHaveLength(8);
    await setImmediate();
    expect(late).not.toHaveBeenCalled();
  });
});
