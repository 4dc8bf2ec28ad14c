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
});
