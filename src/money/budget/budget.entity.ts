import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Limits in rolling windows; null: no limit in that window. SQL functions write them. */
@Entity('budget')
export class BudgetEntity {
  /** The id of the key that it limits, or of an app and a person (`AppService`). */
  @PrimaryColumn('text')
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
