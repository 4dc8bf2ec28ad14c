import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A window of the shared store, by the hash of its policy and key. The table is unlogged: a crash of the database empties it. */
@Entity('rate_limit_window')
@Check('rate_limit_window_counts', 'hits > 0')
@Index('rate_limit_window_ends', ['endsAt'])
export class RateLimitWindowEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'rate_limit_window_pk' })
  readonly key!: Buffer;

  @Column('integer')
  readonly hits!: number;

  @Column('timestamptz', { name: 'ends_at' })
  readonly endsAt!: Date;
}
