import { Column, Entity, PrimaryColumn } from 'typeorm';

/** At least what the owner of a limit has spent in the time of the limit. No row: not known yet. Written by SQL functions only (`spending.sql`). */
@Entity('spending_bound')
export class SpendingBoundEntity {
  /** The id of an account, or of a budget. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'spending_bound_pk' })
  readonly owner!: string;

  /** An account's flow, or a budget's window. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'spending_bound_pk' })
  readonly part!: string;

  /** Of a budget everything; of an account what its wallet in bitcoin has sent. */
  @Column('numeric')
  readonly msat!: string;

  /** Of an account what its wallet in dollars has sent. */
  @Column('numeric')
  readonly cents!: string;

  /** When the payments may be read again. */
  @Column('timestamptz', { name: 'read_after' })
  readonly readAfter!: Date;
}
