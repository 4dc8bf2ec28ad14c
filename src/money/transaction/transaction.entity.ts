import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Currency } from '../wallet/index.js';

/** One row of a wallet's history; self-contained. Written by SQL functions only. Amounts in minor units: msat or cents. */
@Entity('transaction')
export class TransactionEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('uuid', { name: 'wallet_id' })
  readonly walletId!: string;

  @Column('text')
  readonly currency!: Currency;

  @Column('text')
  readonly direction!: 'SEND' | 'RECEIVE';

  @Column('text')
  readonly status!: 'PENDING' | 'SUCCESS' | 'FAILURE';

  /** Signed; of a send it includes the fee. */
  @Column('bigint')
  readonly amount!: bigint;

  @Column('bigint', { default: 0 })
  readonly fee!: bigint;

  @Column('text', { nullable: true })
  readonly memo!: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  readonly externalId!: string | null;

  @Column('boolean', { name: 'external_id_by_owner' })
  readonly externalIdByOwner!: boolean;

  @Column('text')
  readonly initiation!: 'ln' | 'intraledger' | 'onchain';

  @Column('text')
  readonly settlement!: 'ln' | 'intraledger' | 'onchain';

  @Column('text', { name: 'payment_hash', nullable: true })
  readonly paymentHash!: string | null;

  @Column('text', { name: 'payment_request', nullable: true })
  readonly paymentRequest!: string | null;

  @Column('text', { nullable: true })
  readonly preimage!: string | null;

  @Column('uuid', { name: 'counterparty_wallet_id', nullable: true })
  readonly counterpartyWalletId!: string | null;

  @Column('text', { name: 'counterparty_username', nullable: true })
  readonly counterpartyUsername!: string | null;

  @Column('text', { nullable: true })
  readonly failure!: string | null;

  @Column('bigint', { name: 'cents_per_btc', nullable: true })
  readonly centsPerBtc!: bigint | null;

  /** Null: the display amounts are in US dollars, or in bitcoin without `centsPerBtc`. */
  @Column('text', { name: 'display_currency', nullable: true })
  readonly displayCurrency!: string | null;

  /** The worth of one US dollar, in billionths of the display currency's unit. */
  @Column('bigint', { name: 'display_rate', nullable: true })
  readonly displayRate!: bigint | null;

  /** The order of an account's rows: it grows, also where the clock has gone back. `madeAt` has the time. */
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  readonly createdAt!: Date;

  /** The time by the clock, where `createdAt` is more than a minute ahead of it. */
  @Column({ type: 'timestamptz', name: 'clock_at', precision: 3, nullable: true })
  readonly clockAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'settled_at', precision: 3, nullable: true })
  readonly settledAt!: Date | null;

  /** The bitcoin address that was paid, if one was; the output that pays it has the id and the index once there is one. */
  @Column('text', { nullable: true })
  readonly address!: string | null;

  @Column('text', { nullable: true })
  readonly txid!: string | null;

  @Column('integer', { nullable: true })
  readonly vout!: number | null;

  /** Of a pending payment: it waits for the owner until then, and nothing of it is held. */
  @Column('timestamptz', { name: 'approval_until', nullable: true })
  readonly approvalUntil!: Date | null;
}
