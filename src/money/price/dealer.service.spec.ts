import { centsCosting, centsWorth, dealerRateOf, msatOfBill, NO_RATE, wholeMsatOf } from './dealer.service.js';
import type { PriceQuote } from './price-source.js';

const BTC = 100_000_000_000n;
const quote = (centsPerBtc: bigint, spreadPpm = 0): PriceQuote => ({
  centsPerBtc,
  spreadPpm,
  at: new Date(0),
  expiresAt: new Date(1),
});
const PRICES = [1n, 7n, 99n, 6_125_000n, 9_999_999n, 100_000_000n, 12_345_678_901n];
const AMOUNTS = [1n, 2n, 3n, 10n, 99n, 100n, 12_345n, 1_000_000n];

describe('the rates of the dealer', () => {
  it('are the price without a spread, and a bid and an ask around it with one', () => {
    expect(dealerRateOf(quote(5_000_000n), 0)).toEqual({ bid: 5_000_000n, ask: 5_000_000n });
    expect(dealerRateOf(quote(5_000_000n), 10_000)).toEqual({ bid: 4_950_000n, ask: 5_050_000n });
    expect(dealerRateOf(quote(5_000_000n, 10_000), 10_000)).toEqual({ bid: 4_900_000n, ask: 5_100_000n });
  });

  it('are rounded for the dealer', () => {
    expect(dealerRateOf(quote(101n), 10_000)).toEqual({ bid: 99n, ask: 103n });
  });

  it('are none without a price, and for one of which the spread leaves nothing', () => {
    expect(dealerRateOf(undefined, 0)).toBe(NO_RATE);
    expect(dealerRateOf(quote(1n), 10_000)).toBe(NO_RATE);
  });

  it.each([0, 2_000, 500_000])('never give back more than was paid, at any price, with a spread of %d millionths', (spreadPpm) => {
    for (const price of PRICES) {
      const { bid, ask } = dealerRateOf(quote(price), spreadPpm);
      if (bid === null || ask === null) continue;
      for (const amount of AMOUNTS) {
        expect(centsWorth(wholeMsatOf(amount, ask), bid)).toBeLessThanOrEqual(amount);
        expect(wholeMsatOf(centsWorth(amount * 1_000n, bid), ask)).toBeLessThanOrEqual(amount * 1_000n);
        expect(centsCosting(amount, ask) * BTC).toBeGreaterThanOrEqual(amount * ask);
        // The constraint `invoice_dealer_covered`; and no satoshi more than is needed.
        const sold = msatOfBill(amount, bid);
        expect(sold * bid).toBeGreaterThanOrEqual(amount * BTC);
        expect((sold - 1_000n) * bid).toBeLessThan(amount * BTC);
        expect(sold % 1_000n).toBe(0n);
      }
    }
  });
});
