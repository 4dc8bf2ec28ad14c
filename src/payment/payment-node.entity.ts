import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far a node has counted its payments. Written by the reconciler's statements only. */
@Entity('payment_node')
export class PaymentNodeEntity {
  @PrimaryColumn('text', { name: 'node_id', primaryKeyConstraintName: 'payment_node_pk' })
  readonly nodeId!: string;

  @Column('bigint', { name: 'payment_index' })
  readonly paymentIndex!: bigint;

  @Column('timestamptz', { name: 'unbroken_since', default: () => 'now()' })
  readonly unbrokenSince!: Date;
}
