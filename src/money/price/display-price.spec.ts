import { displayAmountOf } from './display-price.js';
import type { PriceQuote } from './price-source.js';

const quote: PriceQuote = {
  centsPerBtc: 5_000_000n,
  rates: { EUR: 0.5, JPY: 150, ZZZ: 2 },
  at: new Date(),
  spreadPpm: 0,
  expiresAt: new Date(),
};

it.each([
  ['BTC', 4_000_000n, 'EUR', { currency: 'EUR', text: '1.00' }],
  ['BTC', 4_000_000n, 'JPY', { currency: 'JPY', text: '300' }],
  ['BTC', 4_000_000n, 'USD', { currency: 'USD', text: '2.00' }],
  ['BTC', -10_000_000n, 'USD', { currency: 'USD', text: '-5.00' }],
  ['USD', 250n, 'EUR', { currency: 'EUR', text: '1.25' }],
  ['USD', 250n, 'USD', { currency: 'USD', text: '2.50' }],
] as const)('%s %s in %s', (of, minor, currency, amount) => {
  expect(displayAmountOf(minor, of, currency, quote)).toEqual(amount);
});

it.each(['CHF', 'ZZZ', 'toString'])('is in dollars where %s has no price', (currency) => {
  expect(displayAmountOf(4_000_000n, 'BTC', currency, quote)).toEqual({ currency: 'USD', text: '2.00' });
});
