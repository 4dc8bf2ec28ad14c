import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

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
