/** Millisatoshi, the ledger's unit for bitcoin. A bigint, because 21 million bitcoin exceed 2^53 msat. */
export type Msat = bigint;

export const MSAT_PER_SAT = 1_000n;
export const SATS_PER_BTC = 100_000_000n;
export const MSAT_PER_BTC = SATS_PER_BTC * MSAT_PER_SAT;
/** Twenty-one million bitcoin, all that there can be: the largest amount and balance, as `ledger_max_amount()` in SQL. It fits a `bigint`. */
export const MAX_AMOUNT_MSAT = 21_000_000n * MSAT_PER_BTC;
/** The largest amount that the API and the pages take. */
export const MAX_SATS = 10_000_000_000_000;
/** The largest amount in US cents that the API takes: it fits in a JSON number, as `MAX_SATS` does. */
export const MAX_CENTS = 10_000_000_000_000;

/** Whether something of this amount can be paid: a whole number above zero. What no wallet can hold, the ledger refuses. */
export const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

export const msatOfSats = (sats: number | bigint): Msat => BigInt(sats) * MSAT_PER_SAT;

/** Whole satoshis in `msat`, rounded towards minus infinity, as for a displayed balance. Safe: 2.1e15 sats at most. */
export const satsOfMsat = (msat: Msat): number => Number((msat - (((msat % MSAT_PER_SAT) + MSAT_PER_SAT) % MSAT_PER_SAT)) / MSAT_PER_SAT);

/** Whole satoshis that cover `msat`, rounded up, as for a displayed cost. */
export const satsCeil = (msat: Msat): number => 0 - satsOfMsat(-msat);
