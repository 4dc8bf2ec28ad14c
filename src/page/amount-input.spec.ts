import fc from 'fast-check';
import { readAmount } from './amount-input.js';
import { dollars, moneyText, satsText } from './money.js';

it.each([
  ['1000', 1000n],
  ['1,000', 1000n],
  ['1 000', 1000n],
  ['1\u202f000', 1000n],
  [' 21 ', 21n],
  ['007', 7n],
  ['0', 0n],
  ['1,234,567', 1234567n],
])('parses %j as sats', (text, value) => {
  expect(readAmount(text, 'sats')).toEqual({ kind: 'amount', value });
});

it.each([
  ['12.34', 1234n],
  ['12', 1200n],
  ['12.3', 1230n],
  ['1,000.05', 100005n],
  ['1 000', 100000n],
  ['0.05', 5n],
])('parses $%s as cents', (text, value) => {
  expect(readAmount(text, 'USD')).toEqual({ kind: 'amount', value });
});

it.each(['', '   ', '\u00a0'])('%j is empty', (text) => {
  expect(readAmount(text, 'sats')).toEqual({ kind: 'empty' });
});

it.each([
  ['sats', '1.000', 'That can be read in two ways. Type 1000 for 1,000 sats, or 1 for 1 sat.'],
  ['sats', '1.500', 'That can be read in two ways. Type 1500 for 1,500 sats.'],
  ['sats', '1.000.000', 'That can be read in two ways. Type 1000000 for 1,000,000 sats.'],
  ['sats', '12.34', 'Sats are whole numbers. Leave out the point and what follows.'],
  ['sats', '1,0000', 'Type a number of sats, like 1,000.'],
  ['sats', '1,000 000', 'Type a number of sats, like 1,000.'],
  ['sats', '-5', 'Type a number of sats, like 1,000.'],
  ['sats', '1e3', 'Type a number of sats, like 1,000.'],
  ['sats', '٣', 'Type a number of sats, like 1,000.'],
  ['sats', '9'.repeat(5_000), 'That is more than there is. Check the number of digits.'],
  ['USD', '1.000', 'That can be read in two ways. Type 1000 for $1,000.00, or 1 for $1.00.'],
  ['USD', '12,34', 'Put a point before the cents: 12.34.'],
  ['USD', '12.345.6', 'Type an amount of dollars, like 12.34.'],
  ['USD', '$5', 'Type an amount of dollars, like 12.34.'],
] as const)('%s %j is refused, with the correction', (unit, text, reason) => {
  expect(readAmount(text, unit)).toEqual({ kind: 'refused', reason });
});

it('parses every amount that pages print', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 13n }), (value) => {
      expect(readAmount(satsText(value).replace(/ sats?$/, ''), 'sats')).toEqual({ kind: 'amount', value });
      expect(readAmount(moneyText(dollars(value)).slice(1), 'USD')).toEqual({ kind: 'amount', value });
    }),
  );
});

it('never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('sats', 'USD'), (text, unit) => {
      expect(['amount', 'empty', 'refused']).toContain(readAmount(text, unit).kind);
    }),
  );
});
