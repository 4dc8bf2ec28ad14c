import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A bitcoin address of a wallet: kept and watched as long as the installation, also when the account is gone. */
@Entity('onchain_address')
export class OnChainAddressEntity {
  @PrimaryColumn('text')
  readonly address!: string;

  @Column('uuid', { name: 'wallet_id' })
  readonly walletId!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  readonly createdAt!: Date;
}

/** An output of a bitcoin transaction to such an address. Written by SQL functions only. */
@Entity('deposit')
export class DepositEntity {
  @PrimaryColumn('text')
  readonly txid!: string;

  @PrimaryColumn('integer')
  readonly vout!: number;

  @Column('text')
  readonly address!: string;

  /** The wallet that gets it: in bitcoin where it is worth less than a cent. */
  @Column('uuid', { name: 'wallet_id' })
  readonly walletId!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('bigint')
  readonly sats!: bigint;

  /** Of its block; null in the mempool, and where it is gone. */
  @Column('integer', { nullable: true })
  readonly height!: number | null;

  @Column('text', { name: 'block_hash', nullable: true })
  readonly blockHash!: string | null;

  @Column('timestamptz', { name: 'seen_at' })
  readonly seenAt!: Date;

  /** The scan that found it last. */
  @Column('bigint')
  readonly scan!: bigint;

  /** Since when scans do not find it any more. */
  @Column('timestamptz', { name: 'gone_at', nullable: true })
  readonly goneAt!: Date | null;

  /** `waiting`: below the fee. `unclaimed`: the wallet is gone. `failed`: another transaction has spent its coin. */
  @Column('text', { default: 'pending' })
  readonly state!: 'pending' | 'waiting' | 'credited' | 'unclaimed' | 'failed';

  /** Its row of the history; null until there is a price for a wallet in dollars, and for a wallet that is gone. */
  @Column('uuid', { name: 'history_id', nullable: true })
  readonly historyId!: string | null;

  /** What the wallet got of it, in msat or cents. */
  @Column('bigint', { nullable: true })
  readonly credited!: bigint | null;

  /** The block in which it had its confirmations. */
  @Column('text', { name: 'credited_hash', nullable: true })
  readonly creditedHash!: string | null;

  /** Since when it is credited without its confirmations, after a reorganisation. */
  @Column('timestamptz', { name: 'unproven_at', nullable: true })
  readonly unprovenAt!: Date | null;

  /** How often that was so. */
  @Column('integer', { default: 0 })
  readonly unproven!: number;

  /** The hold on the wallet meanwhile, as far as its balance went. */
  @Column('uuid', { name: 'hold_id', nullable: true })
  readonly holdId!: string | null;
}
