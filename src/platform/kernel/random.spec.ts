import { randomBytes } from './random.js';

describe('randomBytes', () => {
  it('returns different bytes each time, across many pages and for any length', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 5_000; i++) seen.add(randomBytes(12 + (i % 40)).toString('hex'));
    expect(seen.size).toBe(5_000);
    expect([0, 1, 32, 4_096].map((length) => randomBytes(length).length)).toEqual([0, 1, 32, 4_096]);
  });

  it('never returns wiped bytes: no run of zeros', () => {
    for (let i = 0; i < 5_000; i++) expect(randomBytes(32).includes(Buffer.alloc(8))).toBe(false);
  });

  it('returns a copy that callers can change', () => {
    const first = randomBytes(32);
    const copy = Buffer.from(first);
    randomBytes(32).fill(1);
    expect(first.equals(copy)).toBe(true);
  });

  it('sets every bit about half of the time', () => {
    const ones = Array.from({ length: 200 }, () => [...randomBytes(100)])
      .flat()
      .reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
    // 160,000 bits: six standard deviations are 1,200.
    expect(Math.abs(ones - 80_000)).toBeLessThan(1_200);
  });

  it('refuses more than a page', () => expect(() => randomBytes(4_097)).toThrow(RangeError));
});
