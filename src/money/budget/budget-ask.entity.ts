import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Above these amounts a payment waits for its owner; null: it does not by that. SQL functions write them. */
@Entity('budget_ask')
export class BudgetAskEntity {
  /** As that of a budget. */
  @PrimaryColumn('text')
  readonly id!: string;

  /** Of one payment, with its fee limit. */
  @Column('bigint', { name: 'payment_msat', nullable: true })
  readonly paymentMsat!: bigint | null;

  /** Of all in 24 hours. */
  @Column('bigint', { name: 'day_msat', nullable: true })
  readonly dayMsat!: bigint | null;
}
