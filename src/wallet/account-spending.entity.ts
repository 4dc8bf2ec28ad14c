import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccountFlow } from './account-flow.js';

/** At least what an account has sent in the last 24 hours. No row: not known yet. Written by SQL functions only (`account_limit.sql`). */
@Entity('account_spending')
export class AccountSpendingEntity {
  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName: 'account_spending_pk' })
  readonly accountId!: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'account_spending_pk' })
  readonly flow!: AccountFlow;

  /** Of the wallet in bitcoin. */
  @Column('numeric')
  readonly msat!: string;

  /** Of the wallet in dollars. */
  @Column('numeric')
  readonly cents!: string;

  /** When the history may be read again. */
  @Column('timestamptz', { name: 'read_after' })
  readonly readAfter!: Date;
}
