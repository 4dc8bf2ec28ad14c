import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';

/** A user's account, opened by a trigger on the user's row and never by code. */
@Entity('account')
@Unique('account_user_unique', ['userId'])
@Check('account_level_known', `level IN ('ZERO', 'ONE', 'TWO', 'THREE')`)
export class AccountEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'account_pk' })
  readonly id!: string;

  @Column('uuid', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { default: 'ONE' })
  readonly level!: 'ZERO' | 'ONE' | 'TWO' | 'THREE';

  @Column('text', { name: 'display_currency', default: 'USD' })
  readonly displayCurrency!: string;

  @Column('uuid', { name: 'default_wallet_id' })
  readonly defaultWalletId!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  readonly createdAt!: Date;
}

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
  readonly currency!: 'BTC' | 'USD';

  @Column('bigint', { name: 'ledger_account_id' })
  readonly ledgerAccountId!: bigint;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  readonly createdAt!: Date;
}
