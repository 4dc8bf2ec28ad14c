import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's account, opened by a trigger on the user's row and never by code. */
@Entity('account')
export class AccountEntity {
  @PrimaryColumn('uuid')
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
export class WalletEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('text')
  readonly currency!: 'BTC' | 'USD';

  @Column('bigint', { name: 'ledger_account_id' })
  readonly ledgerAccountId!: bigint;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  readonly createdAt!: Date;
}
