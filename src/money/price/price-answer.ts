import type { HttpPriceSource } from './price.settings.js';

interface PriceAnswer {
  /** The value of one bitcoin by ISO 4217 code; always with `USD`. */
  readonly perBtc: ReadonlyMap<string, number>;
  /** Milliseconds; undefined if the source does not say. */
  readonly atMs: number | undefined;
}

const CODE = /^[A-Z]{3}$/;
const DECIMAL = /^\d{1,15}(\.\d{1,20})?$/;
/** A bitcoin costs more than a thousandth and less than a trillion of every currency. */
const MIN_PRICE = 1e-3;
const MAX_PRICE = 1e12;
/** Larger numbers of seconds are milliseconds: as seconds they are beyond the year 5138. */
const MAX_SECONDS = 1e11;

/**
 * Reads a document of a source. Nothing in it is trusted to have a type.
 * @throws Error that says what is wrong
 */
export function answerOf(text: string, { price, time }: Pick<HttpPriceSource, 'price' | 'time'>): PriceAnswer {
  const document = JSON.parse(text) as unknown;
  const perBtc = pricesOf(valueAt(document, price));
  if (!perBtc.has('USD')) throw new Error('the document has no price in US dollars there');
  return { perBtc, atMs: time === undefined ? undefined : timeOf(valueAt(document, time)) };
}

function pricesOf(value: unknown): Map<string, number> {
  const entries: [string, unknown][] = typeof value === 'object' && value !== null ? Object.entries(value) : [['USD', value]];
  const prices = new Map<string, number>();
  for (const [key, each] of entries) {
    const [code, price] = [key.toUpperCase(), numberOf(each)];
    // One that is no price is left out, so that a mistake in one currency does not take the others away.
    if (CODE.test(code) && price !== undefined && price > MIN_PRICE && price < MAX_PRICE) prices.set(code, price);
  }
  return prices;
}

/** Exchanges write decimal numbers as text, so that no reader rounds them. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : undefined;
}

function timeOf(value: unknown): number {
  const number = numberOf(value);
  const ms = number === undefined ? Date.parse(String(value)) : number < MAX_SECONDS ? number * 1_000 : number;
  if (!Number.isFinite(ms)) throw new Error('the document has no time there');
  return ms;
}

/** @param pointer RFC 6901 */
function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => {
      const holder = value as Record<string, unknown> | null | undefined;
      return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key) ? holder[key] : undefined;
    }, document);
}
