/**
 * Accounts that are the house's own. The migration (`ledger_tables.v1.sql`) makes them and says what each is for; SQL functions name
 * them by the same numbers.
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
  /** BTC, msat. What the house owes for and cannot charge. */
  loss: -5n,
  /** BTC, msat. What a node was paid for an invoice that nobody knows. */
  unclaimed: -6n,
} as const;

/** `ledger_account.currency`, and the unit that its amounts are in. */
export const LedgerCurrency = {
  /** In msat. */
  BTC: 1,
  /** In cents. */
  USD: 2,
} as const;
