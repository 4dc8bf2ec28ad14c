import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far the payments of a node have been compared with the ledger. Written by SQL functions only. */
@Entity('reconciliation')
export class ReconciliationEntity {
  @PrimaryColumn('text', { name: 'node_id' })
  readonly nodeId!: string;

  @Column('bigint', { name: 'payment_index', default: 0 })
  readonly paymentIndex!: bigint;

  @Column('bigint', { name: 'went_back_to', nullable: true })
  readonly wentBackTo!: bigint | null;

  /** The database was restored, and this back end lists no payments to compare it with. */
  @Column('boolean', { name: 'cannot_compare', default: false })
  readonly cannotCompare!: boolean;

  /** Transactions of payouts that the wallet has sent and this restored database does not know, until an operator accepts them. */
  @Column('text', { name: 'lost_payouts', array: true, default: () => "'{}'" })
  readonly lostPayouts!: readonly string[];

  @Column('timestamptz', { name: 'compared_at', nullable: true })
  readonly comparedAt!: Date | null;
}
