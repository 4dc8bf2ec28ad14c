import { isDate } from 'node:util/types';

/** What one bitcoin is worth. */
export interface PriceQuote {
  /** US cents for one bitcoin. */
  readonly centsPerBtc: bigint;
  /**
   * How many units of another currency one US dollar is worth, by ISO 4217 code: `{ EUR: 0.92, JPY: 151.2 }`. Sluice shows prices in these
   * currencies and in US dollars; absent, in US dollars only. They are as old as the price itself.
   */
  readonly rates?: Readonly<Record<string, number>>;
  /** When the source saw this price. */
  readonly at: Date;
  /** What is added for a customer who buys bitcoin, and taken from one who sells, in millionths of the price, beside `DEALER_SPREAD_BPS`. */
  readonly spreadPpm: number;
  /** From then on the price must not be used: ask for another one. */
  readonly expiresAt: Date;
  /** From then on no money is exchanged at this price, which is still shown. Absent: 30 seconds after the source was asked, 90 after `at` at the latest. */
  readonly exchangeUntil?: Date;
}

const MAX_FETCHED_MS = 30_000;
const MAX_AGE_MS = 90_000;

/** Until when money may be exchanged at a price. */
export const exchangeUntilOf = (fetchedMs: number, atMs: number): number => Math.min(fetchedMs + MAX_FETCHED_MS, atMs + MAX_AGE_MS);

/** Port: where prices come from. Register one by `createApp({ price })`; without it `PRICE_SOURCE` decides. */
export abstract class PriceSource {
  /**
   * The present price. Sluice asks in advance, when half of the time is over for which the last quote is valid, and each second without a
   * quote; it waits two seconds at most. An error keeps the last quote until it expires.
   * @returns undefined if there is no price to be trusted, such as one that is too old: then no dollars are shown, and only bitcoin is usable
   */
  abstract findQuote(): Promise<PriceQuote | undefined>;
}

/** A rate beyond these bounds is a mistake. */
export const MIN_RATE = 1e-6;
export const MAX_RATE = 1e9;

/** A spread below zero would give money to customers who buy and sell in turn. */
const MAX_SPREAD_PPM = 500_000;

const isValidDate = (value: unknown): boolean => isDate(value) && Number.isFinite(value.getTime());

/**
 * Checks what a source of the organisation returned: parsed JSON has no type, and one wrong value would fail every payment.
 * @throws Error that names the value
 */
export function checkQuote(quote: PriceQuote): void {
  const {
    centsPerBtc,
    rates,
    at,
    expiresAt,
    exchangeUntil = expiresAt,
    spreadPpm,
  } = quote as { readonly [Name in keyof PriceQuote]: unknown };
  if (typeof centsPerBtc !== 'bigint' || centsPerBtc <= 0n)
    throw new Error(`the source returned ${String(centsPerBtc)} as centsPerBtc, which is no bigint above 0`);
  if (!isValidDate(at) || !isValidDate(expiresAt))
    throw new Error(`the source returned "${String(at)}" and "${String(expiresAt)}" as at and expiresAt, which must be instances of Date`);
  if (!isValidDate(exchangeUntil))
    throw new Error(`the source returned "${String(exchangeUntil)}" as exchangeUntil, which must be an instance of Date`);
  if (!Number.isSafeInteger(spreadPpm) || Number(spreadPpm) < 0 || Number(spreadPpm) > MAX_SPREAD_PPM)
    throw new Error(`the source returned ${String(spreadPpm)} as spreadPpm, which is no whole number from 0 to ${MAX_SPREAD_PPM}`);
  if (rates !== undefined) checkRates(rates);
}

function checkRates(rates: unknown): void {
  if (typeof rates !== 'object' || rates === null) throw new Error(`the source returned ${String(rates)} as rates, which is no object`);
  for (const [currency, rate] of Object.entries(rates)) {
    if (!/^[A-Z]{3}$/.test(currency))
      throw new Error(`the source returned rates of "${currency}", which is no code of three capital letters`);
    if (typeof rate !== 'number' || !(rate >= MIN_RATE && rate <= MAX_RATE))
      throw new Error(`the source returned ${String(rate)} as the rate of ${currency}, which is no number from ${MIN_RATE} to ${MAX_RATE}`);
  }
}
