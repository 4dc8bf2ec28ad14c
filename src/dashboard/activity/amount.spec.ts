import fc from 'fast-check';
import { SATS_PER_BTC } from '../../platform/kernel/money.js';
import { dollars, moneyText } from '../../edge/page/index.js';
import { satsToRequest, satsToSend, type TypedAmount } from './amount.js';

const typedDollars = (cents: bigint): TypedAmount => ({ amount: moneyText(dollars(cents)).slice(1), unit: 'USD' });
const dollarsAndPrice = [fc.bigInt(1n, 10_000_000n), fc.bigInt(1_000n, SATS_PER_BTC)] as const;

it('rounds dollars that a person sends down, and those that they ask for up', () => {
  const typed = { amount: '20', unit: 'USD' } as const;
  expect([satsToSend(typed, 6_125_000n), satsToRequest(typed, 6_125_000n)]).toEqual([32_653n, 32_654n]);
});

it('sends the most satoshis that are worth no more than the typed dollars', () => {
  fc.assert(
    fc.property(...dollarsAndPrice, (cents, price) => {
      const sats = BigInt(satsToSend(typedDollars(cents), price));
      expect(sats * price <= cents * SATS_PER_BTC && (sats + 1n) * price > cents * SATS_PER_BTC).toBe(true);
    }),
  );
});

it('asks for the fewest satoshis that are worth no less than the typed dollars', () => {
  fc.assert(
    fc.property(...dollarsAndPrice, (cents, price) => {
      const sats = BigInt(satsToRequest(typedDollars(cents), price));
      expect(sats * price >= cents * SATS_PER_BTC && (sats - 1n) * price < cents * SATS_PER_BTC).toBe(true);
    }),
  );
});

it('takes sats as they are, also without a price', () => {
  for (const price of [null, 6_125_000n])
    expect([satsToSend, satsToRequest].map((read) => read({ amount: '1,001', unit: 'sats' }, price))).toEqual([1_001n, 1_001n]);
});
