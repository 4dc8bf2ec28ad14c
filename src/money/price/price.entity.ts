import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The price of bitcoin in one ten minutes of the past. Written by `price_record`, which also deletes old ones. */
@Entity('price_point')
@Check('price_point_positive', 'cents_per_btc > 0')
export class PricePointEntity {
  @PrimaryColumn({ type: 'timestamptz', precision: 3, primaryKeyConstraintName: 'price_point_pk' })
  readonly at!: Date;

  @Column('bigint', { name: 'cents_per_btc' })
  readonly centsPerBtc!: bigint;
}

/** One row has the rates of the US dollar in other currencies now. The history freezes a rate beside each of its rows. */
@Entity('price_rate')
@Check('price_rate_single', 'id = 1')
export class PriceRateEntity {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'price_rate_pk' })
  readonly id!: number;

  /** Billionths of a unit by currency, as text, because JSON numbers are exact only up to 2^53. */
  @Column('jsonb')
  readonly rates!: Readonly<Record<string, string>>;

  @Column({ type: 'timestamptz', name: 'quoted_at', precision: 3 })
  readonly quotedAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  readonly expiresAt!: Date;
}
