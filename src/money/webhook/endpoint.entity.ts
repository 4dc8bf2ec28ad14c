import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity, WalletEntity } from '../wallet/index.js';

/** A URL to which events of an account are posted, or how a single invoice has ended. */
@Entity('webhook_endpoint')
@Check('webhook_endpoint_previous', '(previous_secret IS NULL) = (previous_until IS NULL)')
@Check('webhook_endpoint_waiting', 'waiting >= 0')
@Check('webhook_endpoint_owner', '(account_id IS NULL) = (secret IS NULL) AND (account_id IS NULL) = (wallet_id IS NOT NULL)')
@Index('webhook_endpoint_of_account', ['accountId', 'createdAt'])
@Index('webhook_endpoint_of_wallet', ['walletId'], { where: 'wallet_id IS NOT NULL' })
export class WebhookEndpointEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_endpoint_pk' })
  readonly id!: string;

  @ForeignKey(() => AccountEntity, { name: 'webhook_endpoint_account_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'account_id', nullable: true })
  readonly accountId!: string | null;

  @Column('text')
  readonly url!: string;

  /** Encrypted; null: nothing is signed. */
  @Column('bytea', { nullable: true })
  readonly secret!: Buffer | null;

  /** Encrypted. */
  @Column('bytea', { name: 'previous_secret', nullable: true })
  readonly previousSecret!: Buffer | null;

  /** Until then deliveries carry a signature of both secrets. */
  @Column('timestamptz', { name: 'previous_until', nullable: true })
  readonly previousUntil!: Date | null;

  @Column('bigint', { default: 0 })
  readonly sequence!: bigint;

  @Column('integer', { default: 0 })
  readonly waiting!: number;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  /** The webhook of a single invoice has, in place of an account, the wallet that the invoice pays into. */
  @ForeignKey(() => WalletEntity, { name: 'webhook_endpoint_wallet_fk', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'wallet_id', nullable: true })
  readonly walletId!: string | null;
}
