import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The price of bitcoin in one ten minutes of the past. Written by `price_record`, which also deletes old ones. */
@Entity('price_point')
export class PricePointEntity {
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  readonly at!: Date;

  @Column('bigint', { name: 'cents_per_btc' })
  readonly centsPerBtc!: bigint;
}
