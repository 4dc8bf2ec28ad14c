/**
 * Result of an operation. An operation that is not `ok` stores nothing, not even its key.
 *
 * - `duplicate`: this key was accepted before with the same content; the operation has been applied once
 * - `conflict`: this key was accepted before with other content
 * - `invalid`: malformed: unbalanced, a zero amount, legs that do not suit the operation
 * - `out_of_range`: an amount or a resulting balance beyond 2.1e18 units
 * - `hold_not_open`: no such hold, or captured or voided already
 * - `hold_exceeded`: a capture debits the held account by more than the hold
 * - `insufficient`: `posted - held` would become negative
 * - `internal`: an unexpected error; the database's log has the details
 */
export type LedgerResult =
  | 'ok'
  | 'duplicate'
  | 'conflict'
  | 'invalid'
  | 'out_of_range'
  | 'unknown_account'
  | 'hold_not_open'
  | 'hold_exceeded'
  | 'insufficient'
  | 'internal';

/** A violated invariant of the ledger, and the number of violations. */
export interface AuditFinding {
  readonly what: string;
  readonly count: number;
}

/** In the account's unit: msat or cents. Available is `posted - held`. */
export interface LedgerBalance {
  readonly posted: bigint;
  readonly held: bigint;
}
