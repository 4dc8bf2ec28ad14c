/** Millisatoshi: what the ledger counts bitcoin in. A bigint, because 21 million bitcoin are more than 2^53 of them. */
export type Msat = bigint;

export const MSAT_PER_SAT = 1_000n;
export const SATS_PER_BTC = 100_000_000n;
export const MSAT_PER_BTC = SATS_PER_BTC * MSAT_PER_SAT;

/** @param sats whole satoshis */
export const msatOfSats = (sats: number | bigint): Msat => BigInt(sats) * MSAT_PER_SAT;

/** Whole satoshis in `msat`, rounded towards minus infinity: what a balance may promise. Safe: 2.1e15 sats at most. */
export const satsOfMsat = (msat: Msat): number => Number((msat - (((msat % MSAT_PER_SAT) + MSAT_PER_SAT) % MSAT_PER_SAT)) / MSAT_PER_SAT);

/** Whole satoshis that cover `msat`, rounded up: what a cost is announced as. */
export const satsCeil = (msat: Msat): number => 0 - satsOfMsat(-msat);
