import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('invoice')
export class InvoiceEntity {
  @PrimaryColumn('text', { name: 'payment_hash' })
  readonly paymentHash!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('uuid', { name: 'wallet_id' })
  readonly walletId!: string;

  /** The node that created it: only that node can cancel it. */
  @Column('text', { name: 'node_id' })
  readonly nodeId!: string;

  @Column('text', { name: 'payment_request' })
  readonly paymentRequest!: string;

  @Column('text', { name: 'payment_secret' })
  readonly paymentSecret!: string;

  @Column('text')
  readonly preimage!: string;

  @Column('bigint', { name: 'amount_msat', nullable: true })
  readonly amountMsat!: bigint | null;

  @Column('text', { nullable: true })
  readonly memo!: string | null;

  @Column('text', { name: 'description_hash', nullable: true })
  readonly descriptionHash!: string | null;

  @Column('text', { name: 'external_id' })
  readonly externalId!: string;

  /** False: another caller than the owner created it and chose `externalId`. */
  @Column('boolean', { name: 'by_owner' })
  readonly externalIdByOwner!: boolean;

  @Column('bigint', { name: 'cents_per_btc', nullable: true })
  readonly centsPerBtc!: bigint | null;

  @Column('text', { default: 'open' })
  readonly state!: 'open' | 'paid' | 'cancelled';

  @Column('text', { name: 'settled_via', nullable: true })
  readonly settledVia!: 'ln' | 'internal' | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  readonly expiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  readonly createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'paid_at', precision: 3, nullable: true })
  readonly paidAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  readonly closedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'next_look_at', precision: 3, default: () => `'-infinity'` })
  readonly nextLookAt!: Date;

  /** A wallet in dollars gets this for `amountMsat`. */
  @Column('bigint', { name: 'amount_cents', nullable: true })
  readonly amountCents!: bigint | null;

  /** The dealer exchanges what a wallet in dollars receives at this price. */
  @Column('bigint', { name: 'dealer_cents_per_btc', nullable: true })
  readonly dealerCentsPerBtc!: bigint | null;

  /** It is null once the webhook is made. */
  @Column('text', { name: 'webhook_url', nullable: true })
  readonly webhookUrl!: string | null;

  /** The webhook takes this owner's share of the attempts. */
  @Column('uuid', { name: 'webhook_owner_id', nullable: true })
  readonly webhookOwnerId!: string | null;

  @Column('boolean', { name: 'webhook_is_anonymous', nullable: true })
  readonly webhookIsAnonymous!: boolean | null;

  /** An LNURL callback created it. Null: 0.3.0 or an earlier release created it. */
  @Column('boolean', { name: 'by_lnurl', nullable: true })
  readonly byLnurl!: boolean | null;
}

@Entity('settlement_cursor')
export class SettlementCursorEntity {
  @PrimaryColumn('text', { name: 'node_id' })
  readonly nodeId!: string;

  @Column('bigint', { name: 'settle_index', default: 0 })
  readonly settleIndex!: bigint;

  @Column('text', { name: 'settle_hash', nullable: true })
  readonly settleHash!: string | null;

  @Column('integer', { default: 0 })
  readonly epoch!: number;
}

@Entity('settlement_review')
export class SettlementReviewEntity {
  @PrimaryColumn('text', { name: 'node_id' })
  readonly nodeId!: string;

  @PrimaryColumn('text', { name: 'payment_hash' })
  readonly paymentHash!: string;

  @Column('bigint', { name: 'settle_index' })
  readonly settleIndex!: bigint;

  /** Text, because a faulty node may report an amount that fits no number. */
  @Column('numeric', { name: 'amount_msat', nullable: true })
  readonly amountMsat!: string | null;

  @Column('text')
  readonly outcome!: 'refused' | 'unclaimed';

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  readonly createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'booked_at', precision: 3, nullable: true })
  readonly bookedAt!: Date | null;

  @Column('uuid', { name: 'return_wallet_id', nullable: true })
  readonly returnWalletId!: string | null;

  @Column('text', { name: 'return_attempt', nullable: true })
  readonly returnAttempt!: string | null;

  @Column('uuid', { name: 'return_payment_id', nullable: true })
  readonly returnPaymentId!: string | null;
}
