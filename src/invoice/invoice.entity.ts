import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** An invoice of one of our wallets. */
@Entity('invoice')
@Unique('invoice_external_id_unique', ['accountId', 'externalId'])
@Check('invoice_amount_positive', 'amount_msat > 0')
@Check('invoice_state_known', `state IN ('open', 'paid', 'cancelled')`)
@Check('invoice_settled_via_known', `settled_via IN ('ln', 'internal')`)
@Check('invoice_paid', `(state = 'paid') = (paid_at IS NOT NULL AND settled_via IS NOT NULL)`)
@Check('invoice_preimage_fits', `encode(sha256(decode(preimage, 'hex')), 'hex') = payment_hash`)
@Index('invoice_of_account', { synchronize: false })
@Index('invoice_of_wallet', { synchronize: false })
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
}

/** How far a node's settlements have been heard. */
@Entity('settlement_cursor')
export class SettlementCursorEntity {
  @PrimaryColumn('text', { name: 'node_id', primaryKeyConstraintName: 'settlement_cursor_pk' })
  nodeId!: string;

  @Column('bigint', { name: 'settle_index' })
  settleIndex!: bigint;
}
