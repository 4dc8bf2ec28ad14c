import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A URL to which events of an account are posted, or how a single invoice has ended. */
@Entity('webhook_endpoint')
export class WebhookEndpointEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

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
  @Column('uuid', { name: 'wallet_id', nullable: true })
  readonly walletId!: string | null;

  /** The key that added it, which sees and deletes no other; null: its owner or an app did. */
  @Column('uuid', { name: 'api_key_id', nullable: true })
  readonly apiKeyId!: string | null;

  /** It has answered with 410 since it was added or enabled; null: it gets deliveries. */
  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  readonly disabledAt!: Date | null;

  /** Of the latest attempt, as in its delivery. */
  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  readonly lastAttemptAt!: Date | null;

  @Column('integer', { name: 'last_status', nullable: true })
  readonly lastStatus!: number | null;

  @Column('text', { name: 'last_error', nullable: true })
  readonly lastError!: string | null;

  /** The first failed attempt since one has succeeded; null: the latest did. */
  @Column('timestamptz', { name: 'failing_since', nullable: true })
  readonly failingSince!: Date | null;
}

@Entity('webhook_delivery')
export class WebhookDeliveryEntity {
  /** The `webhook-id` of every attempt. */
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'endpoint_id' })
  readonly endpointId!: string;

  /** 1, 2, 3 … within the endpoint, in the order of the events. */
  @Column('bigint')
  readonly sequence!: bigint;

  @Column('text', { name: 'event_type' })
  readonly eventType!: string;

  @Column('text')
  readonly body!: string; // the bytes that are signed and sent

  @Column('text', { default: 'waiting' })
  readonly state!: 'waiting' | 'delivered' | 'failed';

  @Column('integer', { default: 0 })
  readonly attempts!: number;

  /** When the next attempt is due, for the owner: its job decides. */
  @Column('timestamptz', { name: 'next_at', nullable: true })
  readonly nextAttemptAt!: Date | null;

  @Column('integer', { name: 'last_status', nullable: true })
  readonly lastStatus!: number | null;

  /** A word for the latest failure without a response of the endpoint: `timeout`. */
  @Column('text', { name: 'last_error', nullable: true })
  readonly lastError!: string | null;

  @Column('timestamptz', { name: 'last_attempt_at', nullable: true })
  readonly lastAttemptAt!: Date | null;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  readonly endedAt!: Date | null;
}
