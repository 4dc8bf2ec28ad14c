import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PayoutSpeed } from './payout.settings.js';

/** `broadcast`: its transaction is in the mempools. `confirmed`: it is in a block; a reorganisation takes it back to `batched`. */
export type PayoutState = 'queued' | 'batched' | 'broadcast' | 'confirmed' | 'cancelled';

/** How a payment to a bitcoin address goes, which the row of `payment` with the same id states. Written by SQL functions only. */
@Entity('payout')
export class PayoutEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('text')
  readonly speed!: PayoutSpeed;

  /** The most that its part of the miner's fee may be. */
  @Column('bigint', { name: 'miner_limit_sats' })
  readonly minerLimitSats!: bigint;

  @Column('bigint', { name: 'service_sats' })
  readonly serviceSats!: bigint;

  /** The size of its part of a transaction, as quoted. */
  @Column('integer')
  readonly vbytes!: number;

  /** It is charged all of its hold, because it leaves nothing in the wallet. */
  @Column('boolean', { name: 'is_all' })
  readonly isAll!: boolean;

  @Column('text', { default: 'queued' })
  readonly state!: PayoutState;

  /** In how many batches it was. */
  @Column('integer', { default: 0 })
  readonly tries!: number;

  @Column('uuid', { name: 'batch_id', nullable: true })
  readonly batchId!: string | null;

  @Column('integer', { nullable: true })
  readonly vout!: number | null;

  /** Its part of the batch's fee, against the others'. */
  @Column('bigint', { nullable: true })
  readonly weight!: bigint | null;

  /** Its part of the miner's fee in the block that confirmed it first. */
  @Column('bigint', { name: 'miner_sats', nullable: true })
  readonly minerSats!: bigint | null;

  @Column('timestamptz', { name: 'queued_at', default: () => 'clock_timestamp()' })
  readonly queuedAt!: Date;

  /** When its owner learned that it waits for longer than its speed says. */
  @Column('timestamptz', { name: 'late_at', nullable: true })
  readonly lateAt!: Date | null;
}

/** How a payment is queued, as its quote says. */
export type PayoutOrder = Pick<PayoutEntity, 'speed' | 'minerLimitSats' | 'serviceSats' | 'vbytes' | 'isAll'>;

/**
 * A transaction that pays many; its versions differ by their fee. `open`: it may be dissolved, and nothing of it was sent. `signed`: a version
 * is stored, and sent next. `final`: too deep in the chain for a reorganisation. `replaced`: another transaction has spent its inputs.
 */
@Entity('payout_batch')
export class PayoutBatchEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('text')
  readonly speed!: PayoutSpeed;

  @Column('text', { default: 'open' })
  readonly state!: 'open' | 'signed' | 'broadcast' | 'confirmed' | 'final' | 'replaced';

  /** Of the version that is sent, without signatures. */
  @Column('text', { nullable: true })
  readonly psbt!: string | null;

  /** The version that is sent, or that is in a block. */
  @Column('text', { nullable: true })
  readonly txid!: string | null;

  /** Until when the wallet keeps the inputs for it. */
  @Column('timestamptz', { name: 'lease_until', nullable: true })
  readonly leaseUntil!: Date | null;

  @Column('integer', { nullable: true })
  readonly height!: number | null;

  @Column('text', { name: 'block_hash', nullable: true })
  readonly blockHash!: string | null;

  @Column('timestamptz', { name: 'made_at', default: () => 'clock_timestamp()' })
  readonly madeAt!: Date;
}
