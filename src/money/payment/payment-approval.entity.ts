import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Principal } from '../../edge/auth/index.js';

/** `approved`: a job begins the payment. `ended`: the history says how. */
export type ApprovalState = 'waiting' | 'approved' | 'ended';

/** A payment that a key or an app has asked its owner for. Its id is that of the payment. Written by SQL functions only. */
@Entity('payment_approval')
export class PaymentApprovalEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('uuid', { name: 'wallet_id' })
  readonly walletId!: string;

  /** The key, or the app. */
  @Column('text')
  readonly asker!: string;

  @Column('text', { name: 'principal_kind' })
  readonly principalKind!: Principal['kind'];

  @Column('text', { name: 'principal_id' })
  readonly principalId!: string;

  @Column('text', { name: 'client_id', nullable: true })
  readonly clientId!: string | null;

  @Column('text', { array: true })
  readonly scopes!: readonly string[];

  /** An `AskedOrder`. */
  @Column('jsonb', { name: 'payment_order' })
  readonly paymentOrder!: object;

  @Column('text', { name: 'payment_hash', nullable: true })
  readonly paymentHash!: string | null;

  @Column('bigint', { name: 'amount_msat' })
  readonly amountMsat!: bigint;

  /** With the fee: the approval is of no more. */
  @Column('bigint', { name: 'most_msat' })
  readonly mostMsat!: bigint;

  @Column('text', { nullable: true })
  readonly payee!: string | null;

  @Column('text', { default: 'waiting' })
  readonly state!: ApprovalState;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  readonly expiresAt!: Date;

  @Column('timestamptz', { name: 'approved_at', nullable: true })
  readonly approvedAt!: Date | null;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  readonly endedAt!: Date | null;
}
