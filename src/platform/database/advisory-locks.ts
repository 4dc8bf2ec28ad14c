/**
 * Keys of the advisory locks that statements of the program take. `lock_key` in migrations/functions/lock_key.sql has the same list for SQL
 * functions, and describes the order in which they are taken. A key is the same in every release.
 */
export const AdvisoryLock = {
  /** Serialises the start of processes that share a database. It is taken before there is any function. */
  migration: 7_305_821,
  /** Two processes that find no signing key must not create two. */
  signingKeys: 7_305_822,
  /** One audit at a time across all processes, because an audit reads the whole history. */
  ledgerAudit: 7_305_823,
  /** Positions of events ascend in the order of commits: only the trigger of `event` takes it. */
  events: 7_305_824,
  /** The first of two keys: each process shares 0, so that others can count it. */
  processes: 7_305_826,
  /** A freeze waits for the payments that are being begun: after its commit none begins that has not read it. SQL functions take it. */
  paymentFreeze: 7_305_827,
  /** Payments by which customers get dollars begin one batch after the other, so that the dealer's limit is exact. SQL functions take it. */
  dealer: 7_305_828,
  /** One process prepares the demo. */
  demo: 8_205_317,
} as const;
