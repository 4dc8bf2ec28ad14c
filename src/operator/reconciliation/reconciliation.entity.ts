import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the payments of a node have been compared with the ledger. Written by SQL functions only. */
@Entity('reconciliation')
@Check('reconciliation_went_back', 'went_back_to < payment_index')
export class ReconciliationEntity {
  @PrimaryColumn('text', { name: 'node_id', primaryKeyConstraintName: 'reconciliation_pk' })
  readonly nodeId!: string;

  @Column('bigint', { name: 'payment_index', default: 0 })
  readonly paymentIndex!: bigint;

  @Column('bigint', { name: 'went_back_to', nullable: true })
  readonly wentBackTo!: bigint | null;

  /** The database was restored, and this back end lists no payments to compare it with. */
  @Column('boolean', { name: 'cannot_compare', default: false })
  readonly cannotCompare!: boolean;

  @Column('timestamptz', { name: 'compared_at', nullable: true })
  readonly comparedAt!: Date | null;
}

/** One row says which copy of the database this is; SQL functions write it. */
@Entity('database_mark')
@Check('database_mark_one', 'id = 1')
export class DatabaseMarkEntity {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'database_mark_pk' })
  readonly id!: number;

  @Column('bigint')
  readonly xid!: bigint;

  @Column('bigint', { name: 'system_identifier' })
  readonly systemIdentifier!: bigint;

  @Column('integer')
  readonly timeline!: number;
}
