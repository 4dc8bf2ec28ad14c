import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A tip that somebody received. Every table of an extension begins with the extension's name. */
@Entity('tipping_tip')
@Index('tipping_tip_of_account', ['accountId'])
export class TipEntity {
  /** The transaction that brought it: one that is told of twice is stored once. */
  @PrimaryColumn('uuid', { name: 'transaction_id', primaryKeyConstraintName: 'tipping_tip_pk' })
  transactionId!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('bigint', { name: 'amount_msat' })
  amountMsat!: bigint;
}
