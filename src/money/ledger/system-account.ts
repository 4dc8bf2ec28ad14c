/**
 * The system accounts, which are the operator's. Migrations create them (`1764000002000-ledger.sql` most of them); SQL functions use the same ids.
 */
export const SystemAccount = {
  /** BTC, msat. The outside world over Lightning. */
  lightning: -1n,
  /** BTC, msat. */
  fees: -2n,
  /** BTC, msat. The bitcoin side of every exchange. */
  dealerBtc: -3n,
  /** USD, cents. The dollar side of every exchange. */
  dealerUsd: -4n,
  /** BTC, msat. Costs that the operator bears, because it cannot charge them. */
  loss: -5n,
  /** BTC, msat. Payments that a node received for an unknown invoice. */
  unclaimed: -6n,
  /** BTC, msat. The other side of the adjustments of operators: below zero by what customers got. */
  adjustment: -7n,
} as const;
