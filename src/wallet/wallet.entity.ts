import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { AccountEntity } from './account.entity.js';
import type { Currency } from './currency.js';

/** A wallet in one currency; its money is an account of the ledger. */
@Entity('wallet')
@Unique('wallet_one_per_currency', ['accountId', 'currency'])
@Unique('wallet_ledger_account_unique', ['ledgerAccountId'])
@Check('wallet_currency_known', `currency IN ('BTC', 'USD')`)
export class WalletEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'wallet_pk' })
  readonly id!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @ManyToOne(() => AccountEntity)
  @JoinColumn({ name: 'account_id', foreignKeyConstraintName: 'wallet_account_fk' })
  readonly account!: Relation<AccountEntity>;

  @Column('text')
  readonly currency!: Currency;

  @Column('bigint', { name: 'ledger_account_id' })
  readonly ledgerAccountId!: bigint;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  readonly createdAt!: Date;
}
