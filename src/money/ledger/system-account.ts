/** The operator's accounts, in msat but for `dealerUsd` in cents. Migrations create them, and SQL functions use the same ids. */
export const SystemAccount = {
  /** The outside world over Lightning. */
  lightning: -1n,
  fees: -2n,
  dealerBtc: -3n,
  dealerUsd: -4n,
  /** Costs that the operator bears, because it cannot charge them. */
  loss: -5n,
  /** Payments that a node received for an unknown invoice. */
  unclaimed: -6n,
  /** The other side of the adjustments of operators: below zero by the amount that customers got. */
  adjustment: -7n,
  /** The coins of the on-chain wallet: below zero by what came in and has not gone out. */
  onchain: -8n,
  /** Deposits below the fee, of addresses that may receive more. */
  depositWaiting: -9n,
} as const;
