import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

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

/** What a principal may spend in rolling windows, in millisatoshis; null: no limit in that window. Written by SQL functions only. */
@Entity('budget')
@Check('budget_positive', 'daily_msat > 0 AND weekly_msat > 0 AND monthly_msat > 0 AND annual_msat > 0')
export class BudgetEntity {
  /** Of the key that it limits; or of an app and a person: see `AppService`. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'budget_pk' })
  readonly id!: string;

  @Column('bigint', { name: 'daily_msat', nullable: true })
  readonly dailyMsat!: bigint | null;

  @Column('bigint', { name: 'weekly_msat', nullable: true })
  readonly weeklyMsat!: bigint | null;

  @Column('bigint', { name: 'monthly_msat', nullable: true })
  readonly monthlyMsat!: bigint | null;

  @Column('bigint', { name: 'annual_msat', nullable: true })
  readonly annualMsat!: bigint | null;
}
