import { centsOfMsat, msatOfCents } from './quote.js';

const PRICE = 6_125_000n;

describe('at a price', () => {
  it.each([
    [0n, 0n],
    [1_000_000n, 61n],
    [-1_000_000n, -61n],
    [8_163n, 0n],
    [8_164n, 1n],
  ])('%s msat are worth %s cents, rounded to the nearest', (msat, cents) => {
    expect(centsOfMsat(msat, PRICE)).toBe(cents);
  });

  it.each([
    [0n, 0n],
    [1n, 16_326n],
    [-1n, -16_326n],
    [PRICE, 100_000_000_000n],
  ])('%s cents buy %s whole msat', (cents, msat) => {
    expect(msatOfCents(cents, PRICE)).toBe(msat);
  });
});
