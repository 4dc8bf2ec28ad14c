import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tip that a user received. Every table of an extension is in the schema of its name. */
@Entity({ name: 'tip', schema: 'tipping' })
@Index('tip_of_account', ['accountId'])
export class TipEntity {
  /** The transaction of the tip. */
  @PrimaryColumn('uuid', { name: 'transaction_id', primaryKeyConstraintName: 'tip_pk' })
  readonly transactionId!: string;

  @Column('uuid', { name: 'account_id' })
  readonly accountId!: string;

  @Column('bigint', { name: 'amount_msat' })
  readonly amountMsat!: bigint;
}
