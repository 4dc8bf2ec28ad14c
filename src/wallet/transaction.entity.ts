import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One row of a wallet's history; self-contained. Written by SQL functions only. */
@Entity('transaction')
@Check('transaction_direction_known', `direction IN ('SEND', 'RECEIVE')`)
@Check('transaction_status_known', `status IN ('PENDING', 'SUCCESS', 'FAILURE')`)
@Check('transaction_initiation_known', `initiation IN ('ln', 'intraledger')`)
@Check('transaction_settlement_known', `settlement IN ('ln', 'intraledger')`)
@Check('transaction_sign', `CASE direction WHEN 'SEND' THEN amount < 0 ELSE amount > 0 END`)
@Check('transaction_fee_sign', 'fee >= 0')
@Check('transaction_settled', `(status = 'PENDING') = (settled_at IS NULL)`)
@Index('transaction_of_account', { synchronize: false })
@Index('transaction_of_wallet', { synchronize: false })
@Index('transaction_of_hash', ['paymentHash', 'walletId'])
export class TransactionEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'transaction_pk' })
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'wallet_id' })
  walletId!: string;

  @Column('text')
  currency!: string;

  @Column('text')
  direction!: string;

  @Column('text')
  status!: string;

  @Column('bigint')
  amount!: bigint;

  @Column('bigint', { default: 0 })
  fee!: bigint;

  @Column('text', { nullable: true })
  memo!: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;

  @Column('boolean', { name: 'external_id_by_owner' })
  externalIdByOwner!: boolean;

  @Column('text')
  initiation!: string;

  @Column('text')
  settlement!: string;

  @Column('text', { name: 'payment_hash', nullable: true })
  paymentHash!: string | null;

  @Column('text', { name: 'payment_request', nullable: true })
  paymentRequest!: string | null;

  @Column('text', { nullable: true })
  preimage!: string | null;

  @Column('uuid', { name: 'counterparty_wallet_id', nullable: true })
  counterpartyWalletId!: string | null;

  @Column('text', { name: 'counterparty_username', nullable: true })
  counterpartyUsername!: string | null;

  @Column('text', { nullable: true })
  failure!: string | null;

  @Column('bigint', { name: 'cents_per_btc' })
  centsPerBtc!: bigint;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'settled_at', precision: 3, nullable: true })
  settledAt!: Date | null;
}
