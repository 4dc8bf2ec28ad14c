import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How far the payments of a node have been compared with the ledger. Written by SQL functions only. */
@Entity('reconciliation')
@Check('reconciliation_went_back', 'went_back_to < payment_index')
export class ReconciliationEntity {
  @PrimaryColumn('text', { name: 'node_id', primaryKeyConstraintName: 'reconciliation_pk' })
  readonly nodeId!: string;

  /** The payments of the node up to this index have been compared. */
  @Column('bigint', { name: 'payment_index', default: 0 })
  readonly paymentIndex!: bigint;

  /** The node's index, found below `paymentIndex`: the node was restored, or its records were deleted. */
  @Column('bigint', { name: 'went_back_to', nullable: true })
  readonly wentBackTo!: bigint | null;

  /** The database was restored, and this back end lists no payments to compare it with. */
  @Column('boolean', { name: 'cannot_compare', default: false })
  readonly cannotCompare!: boolean;

  /** The last comparison up to the node's latest payment. */
  @Column('timestamptz', { name: 'compared_at', nullable: true })
  readonly comparedAt!: Date | null;
}

/** `unexplained`: it may be a payment of Sluice that a restored database has lost. `accepted`: it was, and an operator has seen it. */
export type NodePaymentVerdict = 'own' | 'unexplained' | 'accepted';

/** A payment of a node that the ledger does not know. Written by SQL functions, and by the statements of `ReconciliationStore`. */
@Entity('node_payment')
@Check('node_payment_state_known', `state IN ('in_flight', 'settled', 'failed')`)
@Check('node_payment_verdict_known', `verdict IN ('own', 'unexplained', 'accepted')`)
@Index('node_payment_in_flight', ['nodeId'], { where: `state = 'in_flight'` })
@Index('node_payment_unexplained', ['nodeId'], { where: `verdict = 'unexplained'` })
export class NodePaymentEntity {
  @PrimaryColumn('text', { name: 'node_id', primaryKeyConstraintName: 'node_payment_pk' })
  readonly nodeId!: string;

  @PrimaryColumn('text', { name: 'payment_hash', primaryKeyConstraintName: 'node_payment_pk' })
  readonly paymentHash!: string;

  @Column('bigint', { name: 'payment_index' })
  readonly paymentIndex!: bigint;

  @Column('text')
  readonly state!: 'in_flight' | 'settled' | 'failed';

  @Column('bigint', { name: 'amount_msat' })
  readonly amountMsat!: bigint;

  @Column('bigint', { name: 'fee_msat' })
  readonly feeMsat!: bigint;

  @Column('timestamptz', { name: 'created_at' })
  readonly createdAt!: Date;

  @Column('text')
  readonly verdict!: NodePaymentVerdict;

  @Column('timestamptz', { name: 'found_at', default: () => 'now()' })
  readonly foundAt!: Date;
}

/** Which copy of the database this is: one row, which SQL functions write. */
@Entity('database_mark')
@Check('database_mark_one', 'id = 1')
export class DatabaseMarkEntity {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'database_mark_pk' })
  readonly id!: number;

  /** The number of the transaction that wrote the row. */
  @Column('bigint')
  readonly xid!: bigint;

  @Column('bigint', { name: 'system_identifier' })
  readonly systemIdentifier!: bigint;

  @Column('integer')
  readonly timeline!: number;
}
