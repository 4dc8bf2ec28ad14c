import { checkQuote } from './price-source.js';

const sound = { centsPerBtc: 5_000_000n, at: new Date(), spreadPpm: 0, expiresAt: new Date(), rates: { EUR: 0.92 } };

describe('a quote of a price source', () => {
  it('may have rates or none', () => {
    expect(() => checkQuote(sound)).not.toThrow();
    expect(() => checkQuote({ ...sound, rates: undefined })).not.toThrow();
  });

  it.each<[what: string, wrong: object]>([
    ['a number instead of a bigint', { centsPerBtc: 5_000_000 }],
    ['dates as text', { at: '2026-01-01T00:00:00Z', expiresAt: '2126-01-01T00:00:00Z' }],
    ['a date that is none', { expiresAt: new Date('soon') }],
    ['no spread', { spreadPpm: undefined }],
    ['rates as a list of pairs', { rates: [['EUR', 0.92]] }],
    ['a rate as text', { rates: { EUR: '0.92' } }],
    ['a rate of zero', { rates: { EUR: 0 } }],
    ['a rate that is no number', { rates: { EUR: NaN } }],
    ['a rate of a currency in lower case', { rates: { eur: 0.92 } }],
  ])('is not trusted with %s, as parsed JSON may have', (_what, wrong) => {
    expect(() => checkQuote({ ...sound, ...wrong })).toThrow('the source returned');
  });
});
