import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the audit of new journals has come: one row, which SQL functions write. */
@Entity('ledger_audit_mark')
@Check('ledger_audit_mark_one', 'id = 1')
export class LedgerAuditMarkEntity {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'ledger_audit_mark_pk' })
  readonly id!: number;

  /** Every journal up to here has been audited. */
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

/** What the audited entries of a hot account come to. */
@Entity('ledger_audit_total')
export class LedgerAuditTotalEntity {
  @PrimaryColumn('bigint', { name: 'account_id', primaryKeyConstraintName: 'ledger_audit_total_pk' })
  readonly accountId!: bigint;

  @Column('bigint')
  readonly posted!: bigint;
}
