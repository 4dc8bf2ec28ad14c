import { Column, Entity, PrimaryColumn } from 'typeorm';

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

// The read side: ledger_open and ledger_apply are the only writers.

@Entity('ledger_journal')
export class LedgerJournalEntity {
  /** Ascending within an account. */
  @PrimaryColumn('bigint')
  readonly id!: bigint;

  @Column('uuid')
  readonly idem!: string;

  @Column('text')
  readonly op!: 'post' | 'hold' | 'capture' | 'void';

  @Column('smallint')
  readonly kind!: number;

  @Column('uuid', { name: 'hold_id', nullable: true })
  readonly holdId!: string | null;

  @Column('bytea')
  readonly content!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt!: Date;
}

@Entity('ledger_hold')
export class LedgerHoldEntity {
  /** The idempotency key of the operation that made it. */
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('bigint', { name: 'account_id' })
  readonly accountId!: bigint;

  /** Positive, in the account's unit. */
  @Column('bigint')
  readonly amount!: bigint;

  @Column('text')
  readonly state!: 'open' | 'captured' | 'voided';

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'closed_at', nullable: true })
  readonly closedAt!: Date | null;
}

/** How far the audit of new journals has come: one row, which SQL functions write. */
@Entity('ledger_audit_mark')
export class LedgerAuditMarkEntity {
  @PrimaryColumn('smallint', { default: 1 })
  readonly id!: number;

  @Column('bigint', { name: 'journal_id', default: 0 })
  readonly journalId!: bigint;

  /** No running transaction has an id up to here. */
  @Column('bigint', { name: 'ended_journal_id', default: 0 })
  readonly endedJournalId!: bigint;

  /** The same of these ids, once every transaction below `nextXid` has ended. */
  @Column('bigint', { name: 'next_journal_id', default: 0 })
  readonly nextJournalId!: bigint;

  @Column('bigint', { name: 'next_xid', default: 0 })
  readonly nextXid!: bigint;

  @Column('timestamptz', { name: 'next_at', default: () => 'now()' })
  readonly nextAt!: Date;

  /** Every journal that was committed before this time has been audited. */
  @Column('timestamptz', { name: 'audited_until', nullable: true })
  readonly auditedUntil!: Date | null;

  /** The last audit of the whole history that found nothing. */
  @Column('timestamptz', { name: 'whole_at', nullable: true })
  readonly wholeAt!: Date | null;

  /** Blocks of 10,000 journals in `digest`. */
  @Column('bigint', { default: 0 })
  readonly blocks!: bigint;

  /** SHA-256 over the first `blocks` blocks of the history; empty for none. */
  @Column('bytea', { default: () => "'\\x'" })
  readonly digest!: Buffer;
}
