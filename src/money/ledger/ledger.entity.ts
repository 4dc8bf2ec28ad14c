import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

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
} as const;

// The read side: ledger_open and ledger_apply are the only writers. The entities name the constraints, so that TypeORM leaves alone what
// the migration created; the migration has the reasons.

/** An account. Available is `posted - held`. */
@Entity('ledger_account')
@Check('ledger_account_currency', 'currency IN (1, 2)')
@Check('ledger_account_label', '(id < 0) = (label IS NOT NULL)')
@Check('ledger_account_range', 'posted BETWEEN -2100000000000000000 AND 2100000000000000000 AND held BETWEEN 0 AND 2100000000000000000')
@Check('ledger_account_not_overdrawn', 'allow_negative OR posted >= held')
@Check('ledger_account_hot', 'NOT hot OR (allow_negative AND held = 0)')
export class LedgerAccountEntity {
  /** Below zero: a `SystemAccount`. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'ledger_account_pk' })
  readonly id!: bigint;

  /** 1 = BTC in msat, 2 = USD in cents. */
  @Column('smallint')
  readonly currency!: number;

  @Column('bigint', { default: 0 })
  readonly posted!: bigint;

  /** The part of `posted` that open holds have set aside. */
  @Column('bigint', { default: 0 })
  readonly held!: bigint;

  @Column('boolean', { name: 'allow_negative', default: false })
  readonly allowNegative!: boolean;

  @Column('boolean', { default: false })
  readonly hot!: boolean;

  @Column('text', { nullable: true })
  readonly label!: string | null;
}

@Entity('ledger_journal')
@Unique('ledger_journal_idem', ['idem'])
@Check('ledger_journal_op', "op IN ('post', 'hold', 'capture', 'void')")
export class LedgerJournalEntity {
  /** Ascending within an account. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'ledger_journal_pk' })
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

@Entity('ledger_entry')
@Check('ledger_entry_amount', 'amount <> 0')
@Index('ledger_entry_account', ['accountId', 'journalId'])
export class LedgerEntryEntity {
  @PrimaryColumn('bigint', { name: 'journal_id', primaryKeyConstraintName: 'ledger_entry_pk' })
  readonly journalId!: bigint;

  @PrimaryColumn('bigint', { name: 'account_id', primaryKeyConstraintName: 'ledger_entry_pk' })
  readonly accountId!: bigint;

  @Column('smallint')
  readonly currency!: number;

  /** Signed, in the account's unit. */
  @Column('bigint')
  readonly amount!: bigint;

  /** `posted` after this journal; null in hot accounts. */
  @Column('bigint', { name: 'balance_after', nullable: true })
  readonly balanceAfter!: bigint | null;
}

@Entity('ledger_hold')
@Check('ledger_hold_amount', 'amount > 0')
@Check('ledger_hold_state', "state IN ('open', 'captured', 'voided')")
@Check('ledger_hold_closed', "(closed_at IS NULL) = (state = 'open')")
@Index('ledger_hold_open', ['accountId'], { where: "state = 'open'" })
export class LedgerHoldEntity {
  /** The idempotency key of the operation that made it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'ledger_hold_pk' })
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
@Check('ledger_audit_mark_one', 'id = 1')
export class LedgerAuditMarkEntity {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'ledger_audit_mark_pk' })
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

@Entity('ledger_audit_total')
export class LedgerAuditTotalEntity {
  @PrimaryColumn('bigint', { name: 'account_id', primaryKeyConstraintName: 'ledger_audit_total_pk' })
  readonly accountId!: bigint;

  @Column('bigint')
  readonly posted!: bigint;
}
