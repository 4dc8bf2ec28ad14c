import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An invoice of one of our wallets. */
@Entity('invoice')
@Index('invoice_external_id_unique', ['accountId', 'externalId'], { unique: true, where: 'by_owner' })
@Check('invoice_amount_positive', 'amount_msat > 0')
@Check('invoice_state_known', `state IN ('open', 'paid', 'cancelled')`)
@Check('invoice_settled_via_known', `settled_via IN ('ln', 'internal')`)
@Check('invoice_paid', `(state = 'paid') = (paid_at IS NOT NULL AND settled_via IS NOT NULL)`)
@Check('invoice_preimage_fits', `encode(sha256(decode(preimage, 'hex')), 'hex') = payment_hash`)
@Index('invoice_of_account', { synchronize: false })
@Index('invoice_of_wallet', { synchronize: false })
@Index('invoice_to_look_up', { synchronize: false })
@Index('invoice_to_forget', { synchronize: false })
export class InvoiceEntity {
  @PrimaryColumn('text', { name: 'payment_hash', primaryKeyConstraintName: 'invoice_pk' })
  paymentHash!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'wallet_id' })
  walletId!: string;

  @Column('text', { name: 'node_id' })
  nodeId!: string;

  @Column('text', { name: 'payment_request' })
  paymentRequest!: string;

  @Column('text', { name: 'payment_secret' })
  paymentSecret!: string;

  @Column('text')
  preimage!: string;

  @Column('bigint', { name: 'amount_msat' })
  amountMsat!: bigint;

  @Column('text', { nullable: true })
  memo!: string | null;

  @Column('text', { name: 'description_hash', nullable: true })
  descriptionHash!: string | null;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('boolean', { name: 'by_owner' })
  byOwner!: boolean;

  @Column('bigint', { name: 'cents_per_btc' })
  centsPerBtc!: bigint;

  @Column('text', { default: 'open' })
  state!: string;

  @Column('text', { name: 'settled_via', nullable: true })
  settledVia!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'paid_at', precision: 3, nullable: true })
  paidAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  closedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'next_look_at', precision: 3, default: () => `'-infinity'` })
  nextLookAt!: Date;
}

/** What remains of a deleted, unpaid invoice that another caller than the owner created: the recipient's wallet. */
@Entity('invoice_forgotten')
export class ForgottenInvoiceEntity {
  @PrimaryColumn('bytea', { name: 'payment_hash', primaryKeyConstraintName: 'invoice_forgotten_pk' })
  paymentHash!: Buffer;

  @Column('uuid', { name: 'wallet_id' })
  walletId!: string;

  @Column('bigint', { name: 'cents_per_btc' })
  centsPerBtc!: bigint;

  @Column({ type: 'timestamptz', name: 'paid_at', precision: 3, nullable: true })
  paidAt!: Date | null;
}

/** The position from which to read a node's settlements. */
@Entity('settlement_cursor')
export class SettlementCursorEntity {
  @PrimaryColumn('text', { name: 'node_id', primaryKeyConstraintName: 'settlement_cursor_pk' })
  nodeId!: string;

  @Column('bigint', { name: 'settle_index', default: 0 })
  settleIndex!: bigint;

  @Column('text', { name: 'settle_hash', nullable: true })
  settleHash!: string | null;

  @Column('integer', { default: 0 })
  epoch!: number;
}

/** A settlement that the operator has to review. */
@Entity('settlement_review')
@Check('settlement_review_outcome_known', `outcome IN ('refused', 'unclaimed')`)
export class SettlementReviewEntity {
  @PrimaryColumn('text', { name: 'node_id', primaryKeyConstraintName: 'settlement_review_pk' })
  nodeId!: string;

  @PrimaryColumn('text', { name: 'payment_hash', primaryKeyConstraintName: 'settlement_review_pk' })
  paymentHash!: string;

  @Column('bigint', { name: 'settle_index' })
  settleIndex!: bigint;

  @Column('numeric', { name: 'amount_msat', nullable: true })
  amountMsat!: string | null;

  @Column('text')
  outcome!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'booked_at', precision: 3, nullable: true })
  bookedAt!: Date | null;
}
