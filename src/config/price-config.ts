import { isLoopback } from '../kernel/loopback.js';
import type { Environment } from './environment.js';

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

export interface HttpPriceConfig {
  readonly sources: readonly HttpPriceSource[];
  /** Fewer sources that agree are no price. */
  readonly minSources: number;
  /** An older answer is not used. */
  readonly maxAgeMs: number;
  /** A source that is further away from the median is not used. */
  readonly maxDeviationPercent: number;
}

export interface PriceConfig {
  /** The fixed price; null: there is none. */
  readonly fixedCentsPerBtc: number | null;
  readonly http: HttpPriceConfig | undefined;
}

const COINGECKO_CURRENCIES =
  'usd,aed,ars,aud,bdt,bhd,bmd,brl,cad,chf,clp,cny,czk,dkk,eur,gbp,gel,hkd,huf,idr,ils,inr,jpy,krw,kwd,lkr,mmk,mxn,myr,ngn,nok,nzd,php,pkr,pln,sar,sek,sgd,thb,try,twd,uah,vnd,zar';

/** The names that stand for addresses. */
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

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

const sourcesOf = ({ PRICE_SOURCES = '' }: Environment): (HttpPriceSource | undefined)[] =>
  PRICE_SOURCES.split(',').map((each) => sourceOf(each.trim()));

export function priceOf(env: Environment): PriceConfig {
  const source = env.PRICE_SOURCE ?? (env.SLUICE_MODE === 'demo' ? 'fixed' : 'none');
  return {
    fixedCentsPerBtc: source === 'fixed' ? env.FIXED_PRICE_CENTS_PER_BTC : null,
    http: source === 'http' ? httpOf(env) : undefined,
  };
}

function httpOf(env: Environment): HttpPriceConfig {
  const sources = sourcesOf(env).filter((each) => each !== undefined);
  return {
    sources,
    // More than half of them: two groups that contradict each other are no price.
    minSources: env.PRICE_SOURCES_MIN ?? Math.floor(sources.length / 2) + 1,
    maxAgeMs: env.PRICE_MAX_AGE_SECONDS * 1000,
    maxDeviationPercent: env.PRICE_MAX_DEVIATION_PERCENT,
  };
}

/** Everything that is wrong with the sources, without their addresses, which may contain a key. */
export function problemsOfPrice(env: Environment): string[] {
  if (env.PRICE_SOURCE !== 'http') return [];
  if (!env.PRICE_SOURCES) return ['PRICE_SOURCES must be set with PRICE_SOURCE=http'];
  const sources = sourcesOf(env);
  const problems: string[] = [];
  const wrong = sources.findIndex((each) => each === undefined);
  if (wrong >= 0)
    problems.push(
      `PRICE_SOURCES: number ${wrong + 1} must be one of ${Object.keys(PRICE_SOURCE_NAMES).join(', ')}, or https://host/path#/json/pointer`,
    );
  if (sources.length > MAX_SOURCES) problems.push(`PRICE_SOURCES must have at most ${MAX_SOURCES} sources`);
  if (new Set(sources.map((each) => each?.url)).size < sources.length) problems.push('PRICE_SOURCES must not name a source twice');
  if ((env.PRICE_SOURCES_MIN ?? 1) > sources.length) problems.push('PRICE_SOURCES_MIN must not exceed the number of PRICE_SOURCES');
  return problems;
}
