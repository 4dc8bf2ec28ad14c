import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The prices of the past, and the rates of the other currencies now, from which the history freezes its display amounts. */
export class PriceHistory1795577242959 implements MigrationInterface {
  readonly name = 'PriceHistory1795577242959';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE price_point (
        -- The beginning of ten minutes.
        at            timestamptz(3) NOT NULL,
        cents_per_btc bigint         NOT NULL,
        CONSTRAINT price_point_pk PRIMARY KEY (at),
        CONSTRAINT price_point_positive CHECK (cents_per_btc > 0)
      );
      CREATE TABLE price_rate (
        id         smallint       NOT NULL DEFAULT 1,
        -- By currency: billionths of its unit for one US dollar, as text.
        rates      jsonb          NOT NULL,
        quoted_at  timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT price_rate_pk PRIMARY KEY (id),
        CONSTRAINT price_rate_single CHECK (id = 1)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE price_rate, price_point');
  }
}
