import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An owner of deliveries that wait. The row ends with the last of them. Written by SQL functions only. */
@Entity('webhook_queue')
@Index('webhook_queue_first', ['isAnonymous', 'firstAt'], { where: 'first_at IS NOT NULL' })
@Index('webhook_queue_later', ['isAnonymous', 'laterAt'], { where: 'later_at IS NOT NULL' })
export class WebhookQueueEntity {
  /** The account, or the caller who wanted webhooks of invoices. */
  @PrimaryColumn('uuid', { name: 'owner_id', primaryKeyConstraintName: 'webhook_queue_pk' })
  readonly ownerId!: string;

  /** A caller without a credential. */
  @Column('boolean', { name: 'is_anonymous' })
  readonly isAnonymous!: boolean;

  /** Its place in the line of first attempts: the earliest has its turn. Null: it is not in that line. */
  @Column('timestamptz', { name: 'first_at', nullable: true })
  readonly firstAt!: Date | null;

  /** The same of later attempts. */
  @Column('timestamptz', { name: 'later_at', nullable: true })
  readonly laterAt!: Date | null;
}
