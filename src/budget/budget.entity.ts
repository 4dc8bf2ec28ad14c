import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** What a principal may spend in rolling windows, in millisatoshis; null: no limit in that window. Written by SQL functions only. */
@Entity('budget')
@Check('budget_positive', 'daily_msat > 0 AND weekly_msat > 0 AND monthly_msat > 0 AND annual_msat > 0')
export class BudgetEntity {
  /** Of the key that it limits; or of an app and a person: see `AppLimits`. */
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
