import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('idempotency')
@Check('idempotency_state_known', `state IN ('running', 'done', 'withheld')`)
@Check('idempotency_answered', `(state = 'done') = (answer IS NOT NULL)`)
@Index('idempotency_claimed_until', ['claimedUntil'])
export class IdempotencyEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'idempotency_pk' })
  readonly scope!: Buffer;

  @Column('bytea')
  readonly fingerprint!: Buffer;

  @Column('text', { default: 'running' })
  readonly state!: 'running' | 'done' | 'withheld';

  @Column('json', { nullable: true })
  readonly answer!: unknown;

  @Column('uuid', { nullable: true })
  readonly claim!: string | null;

  /** Names in the response of the fields that have had their effect. */
  @Column('text', { array: true, default: '{}' })
  readonly effects!: readonly string[];

  @Column('timestamptz', { name: 'claimed_until' })
  readonly claimedUntil!: Date;

  @Column('timestamptz', { name: 'created_at', default: () => 'now()' })
  readonly createdAt!: Date;
}
