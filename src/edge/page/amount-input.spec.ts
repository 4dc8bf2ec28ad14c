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
  ['sats', '1.000', 'Did you mean 1,000 sats or 1 sat? Enter 1000 or 1.'],
  ['sats', '1.500', 'Did you mean 1,500 sats? Enter 1500.'],
  ['sats', '1.000.000', 'Did you mean 1,000,000 sats? Enter 1000000.'],
  ['sats', '12.34', 'Sats are whole numbers. Remove the decimals.'],
  ['sats', '0.001', 'The smallest amount is 1 sat. Sats are whole numbers.'],
  ['sats', '0,001', 'The smallest amount is 1 sat. Sats are whole numbers.'],
  ['sats', '0.5', 'The smallest amount is 1 sat. Sats are whole numbers.'],
  ['sats', '21.5', 'Sats are whole numbers. Remove the decimals.'],
  ['sats', '1,0000', 'Enter a number of sats, for example 1,000.'],
  ['sats', '1,000 000', 'Enter a number of sats, for example 1,000.'],
  ['sats', '-5', 'Enter a number of sats, for example 1,000.'],
  ['sats', '1e3', 'Enter a number of sats, for example 1,000.'],
  ['sats', '٣', 'Enter a number of sats, for example 1,000.'],
  ['sats', '9'.repeat(5_000), 'The largest amount is 10,000,000,000,000 sats.'],
  ['sats', `999${'.999'.repeat(5)}`, 'The largest amount is 10,000,000,000,000 sats.'],
  ['sats', '10,000,000,000,001', 'The largest amount is 10,000,000,000,000 sats.'],
  ['USD', '9'.repeat(16), 'The largest amount is $100,000,000,000.00.'],
  ['USD', '100,000,000,000.01', 'The largest amount is $100,000,000,000.00.'],
  ['USD', '1.000', 'Did you mean $1,000.00 or $1.00? Enter 1000 or 1.'],
  ['USD', '12,34', 'Use a decimal point: 12.34.'],
  ['USD', '0.001', 'The smallest amount is $0.01.'],
  ['USD', '0,001', 'The smallest amount is $0.01.'],
  ['USD', '0.00999', 'The smallest amount is $0.01.'],
  ['USD', '0.505', 'Dollars have two decimal places: enter 0.50.'],
  ['USD', '12.3456', 'Dollars have two decimal places: enter 12.34.'],
  ['USD', '12,3456', 'Dollars have two decimal places: enter 12.34.'],
  ['USD', '1.505', 'Dollars have two decimal places: enter 1.50, or 1505 for $1,505.00.'],
  ['USD', '1.500', 'Did you mean $1,500.00 or $1.50? Enter 1500 or 1.50.'],
  ['USD', '12,3', 'Use a decimal point: 12.3.'],
  ['USD', '12.345.6', 'Enter an amount in dollars, for example 12.34.'],
  ['USD', '$5', 'Enter an amount in dollars, for example 12.34.'],
] as const)('%s %j is refused, with the correction', (unit, text, reason) => {
  expect(readAmount(text, unit)).toEqual({ kind: 'refused', reason });
});

it.each([
  ['500', 500n],
  ['0500', 500n],
  ['501', 'Enter at most 500.'],
  ['9'.repeat(16), 'Enter at most 500.'],
])('%j of a field that takes 500 is read or refused by the rule of the field', (text, expected) => {
  const reading = readAmount(text, 'sats', { largest: 500n, rule: 'Enter at most 500.' });
  expect(reading).toEqual(typeof expected === 'bigint' ? { kind: 'amount', value: expected } : { kind: 'refused', reason: expected });
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
