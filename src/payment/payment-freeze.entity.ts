import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** Why sends are stopped: an operator has decided so, the audit of the ledger has failed, or the node and the ledger disagree. */
export type FreezeCause = 'operator' | 'audit' | 'reconciliation';

/** Sends that are stopped. Written by SQL functions only. */
@Entity('payment_freeze')
@Check('payment_freeze_cause_known', `cause IN ('operator', 'audit', 'reconciliation')`)
export class PaymentFreezeEntity {
  /** The id of an account; `all`: the sends of all accounts. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'payment_freeze_pk' })
  readonly subject!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'payment_freeze_pk' })
  readonly cause!: FreezeCause;

  @Column('text')
  readonly because!: string;

  @Column('timestamptz', { default: () => 'now()' })
  readonly since!: Date;
}
