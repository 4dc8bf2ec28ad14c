import { isLoopback } from '../../platform/kernel/loopback.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { IsOptional, MaxLength } from 'class-validator';
import { int, oneOf, Setting } from '../../platform/config/index.js';

/** One of the sources of `PRICE_SOURCE=http`: a JSON document, and where the price is in it. */
export interface HttpPriceSource {
  /** For the log and the metrics: the name, or the host of the address. */
  readonly name: string;
  readonly url: string;
  /** JSON pointer (RFC 6901) to US dollars for one bitcoin, or to an object of such prices by currency. */
  readonly price: string;
  /** JSON pointer to the time of the price; undefined: the document has none. */
  readonly time: string | undefined;
}

const COINGECKO_CURRENCIES =
  'usd,aed,ars,aud,bdt,bhd,bmd,brl,cad,chf,clp,cny,czk,dkk,eur,gbp,gel,hkd,huf,idr,ils,inr,jpy,krw,kwd,lkr,mmk,mxn,myr,ngn,nok,nzd,php,pkr,pln,sar,sek,sgd,thb,try,twd,uah,vnd,zar';

export const PRICE_SOURCE_NAMES: Readonly<Record<string, string>> = {
  bitstamp: 'https://www.bitstamp.net/api/v2/ticker/btcusd/#/last;/timestamp',
  coinbase: 'https://api.coinbase.com/v2/exchange-rates?currency=BTC#/data/rates',
  coingecko: `https://api.coingecko.com/api/v3/simple/price?ids=bitcoin&vs_currencies=${COINGECKO_CURRENCIES}&include_last_updated_at=true#/bitcoin;/bitcoin/last_updated_at`,
  kraken: 'https://api.kraken.com/0/public/Ticker?pair=XBTUSD#/result/XXBTZUSD/c/0',
};

const MAX_SOURCES = 10;
const POINTERS = /^((?:\/[^;]*)?)(?:;(\/[^;]*))?$/;

/** @returns undefined for a text that is neither a name nor an address with a JSON pointer */
function sourceOf(text: string): HttpPriceSource | undefined {
  const isName = Object.hasOwn(PRICE_SOURCE_NAMES, text);
  const address = (isName && PRICE_SOURCE_NAMES[text]) || text;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const [, price, time] = POINTERS.exec(decoded(url.hash.slice(1))) ?? [];
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  if (!isSafe || url.username || url.password || price === undefined) return undefined;
  url.hash = '';
  return { name: isName ? text : url.host, url: url.href, price, time };
}

const decoded = (fragment: string): string => orNone(() => decodeURIComponent(fragment)) ?? fragment;

const sourcesOf = (text: string): (HttpPriceSource | undefined)[] => text.split(',').map((each) => sourceOf(each.trim()));

export class PriceSettings {
  static readonly title = 'Prices';

  @Setting(
    'where the price of a bitcoin comes from: `fixed` (`FIXED_PRICE_CENTS_PER_BTC`; a demo’s default), `http` (the median of `PRICE_SOURCES`) or `none` (the default in production: dollars are not shown). A source of your own replaces it (`createApp({ price })`)',
    { production: 'none' },
  )
  @oneOf('fixed', 'http', 'none')
  PRICE_SOURCE: 'fixed' | 'http' | 'none' = 'fixed';

  @Setting(
    'the sources of `PRICE_SOURCE=http`, at most 10, with commas between them: `bitstamp`, `coinbase`, `coingecko`, `kraken`, or addresses such as `https://prices.example/ticker#/last;/timestamp`, see [Prices](../operating-money.md#prices)',
  )
  @IsOptional()
  @MaxLength(8_192, { message: '$property must have at most 8192 characters' })
  PRICE_SOURCES?: string;

  @Setting('US cents a bitcoin, for amounts shown as "about", with `PRICE_SOURCE=fixed`')
  @int(1, 100_000_000)
  FIXED_PRICE_CENTS_PER_BTC = 6_125_000;

  /** For what is shown; `exchangeUntil` is earlier. */
  maxAgeMs = 120_000;

  /** A source that is further away from the median is not used. */
  maxDeviationPercent = 3;

  get sources(): readonly HttpPriceSource[] {
    return this.PRICE_SOURCE === 'http' ? sourcesOf(this.PRICE_SOURCES ?? '').filter((each) => each !== undefined) : [];
  }

  /** More than half of them must agree: two groups that contradict each other are no price. */
  get minSources(): number {
    return Math.floor(this.sources.length / 2) + 1;
  }

  /** Everything that is wrong with the sources, without their addresses, which may contain a key. */
  problems(): readonly string[] {
    if (this.PRICE_SOURCE !== 'http') return [];
    if (!this.PRICE_SOURCES) return ['PRICE_SOURCES must be set with PRICE_SOURCE=http'];
    const sources = sourcesOf(this.PRICE_SOURCES);
    const problems: string[] = [];
    const wrong = sources.findIndex((each) => each === undefined);
    const names = Object.keys(PRICE_SOURCE_NAMES).join(', ');
    if (wrong >= 0) problems.push(`PRICE_SOURCES: number ${wrong + 1} must be one of ${names}, or https://host/path#/json/pointer`);
    if (sources.length > MAX_SOURCES) problems.push(`PRICE_SOURCES must have at most ${MAX_SOURCES} sources`);
    if (new Set(sources.map((each) => each?.url)).size < sources.length) problems.push('PRICE_SOURCES must not name a source twice');
    return problems;
  }
}
