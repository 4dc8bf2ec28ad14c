import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AdjustmentState = 'open' | 'approved' | 'refused';

/**
 * A change of a balance that one operator proposes and another one approves. Written by SQL functions only; kept with the ledger that it explains, also when
 * its account or an operator is deleted.
 */
@Entity('adjustment')
export class AdjustmentEntity {
  /** Its row in the history has the same id. */
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'wallet_id' })
  readonly walletId!: string;

  /** Signed: what the wallet gets, or what it loses. */
  @Column('bigint', { name: 'amount_msat' })
  readonly amountMsat!: bigint;

  @Column('text')
  readonly memo!: string; // for the customer, in the history

  @Column('text')
  readonly because!: string; // for the operators

  @Column('text', { default: 'open' })
  readonly state!: AdjustmentState;

  @Column('uuid', { name: 'proposed_by' })
  readonly proposedBy!: string;

  @Column({ type: 'timestamptz', name: 'proposed_at', precision: 3, default: () => 'now()' })
  readonly proposedAt!: Date;

  /** An open one that is older than this cannot be approved. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  readonly expiresAt!: Date;

  @Column('uuid', { name: 'decided_by', nullable: true })
  readonly decidedBy!: string | null;

  @Column({ type: 'timestamptz', name: 'decided_at', precision: 3, nullable: true })
  readonly decidedAt!: Date | null;
}
