import { PRICE_SOURCE_NAMES } from './price.settings.js';
import { answerOf } from './price-answer.js';
import { agreeing, medianOf } from './http-price.js';

const AT = 1_767_323_045_000;
const at = (price: string, time?: string): { price: string; time: string | undefined } => ({ price, time });
const read = (document: unknown, price: string, time?: string): unknown => {
  const { perBtc, atMs } = answerOf(JSON.stringify(document), at(price, time));
  return [Object.fromEntries(perBtc), atMs];
};

describe('a document of a price source', () => {
  it.each<[name: string, document: object, prices: object, atMs: number | undefined]>([
    ['bitstamp', { timestamp: '1767323045', last: '61250.5', bid: '61249' }, { USD: 61_250.5 }, AT],
    [
      'coinbase',
      { data: { currency: 'BTC', rates: { USD: '61250.01', EUR: '56000', ETH: '20.1' } } },
      { USD: 61_250.01, EUR: 56_000, ETH: 20.1 },
      undefined,
    ],
    ['coingecko', { bitcoin: { usd: 61_250, eur: 56_000, last_updated_at: 1_767_323_045 } }, { USD: 61_250, EUR: 56_000 }, AT],
    ['kraken', { error: [], result: { XXBTZUSD: { a: ['1', '2'], c: ['61250.10000', '0.1'] } } }, { USD: 61_250.1 }, undefined],
  ])('of %s is read by its name', (name, document, prices, atMs) => {
    const [price = '', time] = new URL(String(PRICE_SOURCE_NAMES[name])).hash.slice(1).split(';');
    expect(read(document, price, time)).toEqual([prices, atMs]);
  });

  it('is read by a JSON pointer, with a time in seconds, milliseconds or ISO 8601', () => {
    expect(read({ 'a/b': [{ '~': 7.5 }] }, '/a~1b/0/~0')).toEqual([{ USD: 7.5 }, undefined]);
    expect(read(61_250, '')).toEqual([{ USD: 61_250 }, undefined]);
    for (const time of [AT / 1_000, AT, String(AT / 1_000), new Date(AT).toISOString()])
      expect(read({ p: 5, t: time }, '/p', '/t')).toEqual([{ USD: 5 }, AT]);
  });

  it('keeps the prices beside one that is none', () => {
    expect(read({ USD: 5, EUR: 'much', CHF: -1, JPY: null, X: 1, GBP: 0, SEK: 1e300, NOK: 2 }, '')).toEqual([
      { USD: 5, NOK: 2 },
      undefined,
    ]);
  });

  it.each<[what: string, text: string]>([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['another shape', '{"price":5}'],
    ['zero', '{"p":0}'],
    ['a negative price', '{"p":-5}'],
    ['a negative price as text', '{"p":"-5"}'],
    ['words', '{"p":"much"}'],
    ['NaN as text', '{"p":"NaN"}'],
    ['an exponent as text', '{"p":"1e5"}'],
    ['a thousands separator', '{"p":"61,250"}'],
    ['an infinite price', '{"p":1e999}'],
    ['a huge price', '{"p":1e13}'],
    ['a list', '{"p":[5]}'],
    ['a truth value', '{"p":true}'],
    ['currencies without the US dollar', '{"p":{"EUR":5}}'],
    ['a property of every object', '{"p":{"__proto__":{"USD":5}}}'],
  ])('that has %s is no answer', (_what, text) => {
    expect(() => answerOf(text, at('/p'))).toThrow();
  });

  it('without the time that is expected is no answer', () => {
    for (const t of [undefined, null, 'soon', {}, true]) expect(() => read({ p: 5, t }, '/p', '/t')).toThrow('no time');
  });
});

describe('the median', () => {
  it.each([
    [[5], 5],
    [[5, 1], 3],
    [[9, 1, 5], 5],
    [[1, 100, 2, 3], 2.5],
  ])('of %j is %d', (values, median) => {
    expect(medianOf(values)).toBe(median);
  });

  it.each([
    [[100], [0]],
    [
      [100, 102],
      [0, 1],
    ],
    [[100, 110], []],
    [
      [100, 101, 1_000],
      [0, 1],
    ],
    [[100, 100, 200, 200], []],
    [[], []],
  ])('drops what is too far away from it: of %j remain %j', (values, indexes) => {
    expect(agreeing(values, 3)).toEqual(indexes);
  });
});
