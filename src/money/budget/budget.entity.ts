import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** A lower bound of what the owner of a limit has spent in its time; without a row it is not known. `spending.sql` writes it. */
@Entity('spending_bound')
export class SpendingBoundEntity {
  /** The id of an account, or of a budget. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'spending_bound_pk' })
  readonly owner!: string;

  /** An account's flow, or a budget's window. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'spending_bound_pk' })
  readonly part!: string;

  /** A budget has spent this in all; the wallet in bitcoin of an account has sent it. */
  @Column('numeric')
  readonly msat!: string;

  /** The wallet in dollars of an account has sent it. */
  @Column('numeric')
  readonly cents!: string;

  /** When the payments may be read again. */
  @Column('timestamptz', { name: 'read_after' })
  readonly readAfter!: Date;
}

/** Limits in rolling windows; null: no limit in that window. SQL functions write them. */
@Entity('budget')
@Check('budget_positive', 'daily_msat > 0 AND weekly_msat > 0 AND monthly_msat > 0 AND annual_msat > 0')
export class BudgetEntity {
  /** The id of the key that it limits, or of an app and a person (`AppService`). */
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
