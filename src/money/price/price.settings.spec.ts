import { readSettings } from '../../platform/config/index.js';
import { PriceSettings } from './price.settings.js';

const read = (env: Record<string, string>) => {
  const { settings, problems } = readSettings([PriceSettings], [], env);
  return { settings: settings.get(PriceSettings) as PriceSettings, problems };
};

describe('the settings of prices', () => {
  it('have a fixed price in a demo, and none in production', () => {
    expect(read({}).settings.PRICE_SOURCE).toBe('fixed');
    expect(read({ PRICE_SOURCE: 'none' }).settings.PRICE_SOURCE).toBe('none');
    expect(read({ SLUICE_MODE: 'production' }).settings.PRICE_SOURCE).toBe('none');
    expect(read({ SLUICE_MODE: 'production', PRICE_SOURCE: 'fixed' }).settings.PRICE_SOURCE).toBe('fixed');
  });

  it('take the sources by name or by address, more than half of which must agree', () => {
    const http = (PRICE_SOURCES: string): PriceSettings => read({ PRICE_SOURCE: 'http', PRICE_SOURCES }).settings;
    const three = http('kraken, https://prices.example/v1?key=1#/a%20b/0;/at,http://127.0.0.1:8080/p');
    expect(three.sources).toEqual([
      { name: 'kraken', url: 'https://api.kraken.com/0/public/Ticker?pair=XBTUSD', price: '/result/XXBTZUSD/c/0', time: undefined },
      { name: 'prices.example', url: 'https://prices.example/v1?key=1', price: '/a b/0', time: '/at' },
      { name: '127.0.0.1:8080', url: 'http://127.0.0.1:8080/p', price: '', time: undefined },
    ]);
    expect(three.minSources).toBe(2);
    expect(http('kraken,bitstamp,coinbase,coingecko').minSources).toBe(3);
    expect(read({ PRICE_SOURCES: 'no source' }).settings.sources).toEqual([]);
  });

  it.each([
    ['', /PRICE_SOURCES must be set/],
    ['mtgox', /PRICE_SOURCES: number 1 must be one of/],
    ['toString', /PRICE_SOURCES: number 1 must be one of/],
    ['kraken,', /PRICE_SOURCES: number 2 must be one of/],
    ['http://prices.example/p', /number 1 must be one of/],
    ['ftp://prices.example/p', /number 1 must be one of/],
    ['https://user:secret@prices.example/p', /^(?!.*secret).*number 1 must be one of/],
    ['https://prices.example/p#price', /number 1 must be one of/],
    ['kraken,kraken', /must not name a source twice/],
    [Array.from({ length: 11 }, (_each, index) => `https://prices.example/${index}`).join(','), /at most 10 sources/],
  ])('refuses PRICE_SOURCES=%s', (PRICE_SOURCES, problem) => {
    expect(read({ PRICE_SOURCE: 'http', PRICE_SOURCES }).problems).toEqual([expect.stringMatching(problem)]);
  });
});
