import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

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

/** One accepted operation. */
@Entity('ledger_journal')
@Unique('ledger_journal_idem', ['idem'])
@Check('ledger_journal_op', "op IN ('post', 'hold', 'capture', 'void')")
export class LedgerJournalEntity {
  /** Ascending within an account. */
  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'ledger_journal_pk' })
  readonly id!: bigint;

  /** The idempotency key. */
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

/** What a journal did to one account. */
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

/** Money set aside until it is captured or voided. */
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
