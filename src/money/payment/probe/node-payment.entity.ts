import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** `unexplained`: it may be a payment of Sluice that a restored database has lost. `accepted`: it was, and an operator has seen it. */
export type NodePaymentVerdict = 'own' | 'unexplained' | 'accepted';

/** A payment of a node that the ledger does not know. SQL functions write it (`node_payment.sql`). */
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
