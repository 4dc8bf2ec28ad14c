import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PriceMayBeMissing1795467596533 implements MigrationInterface {
  readonly name = 'PriceMayBeMissing1795467596533';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null: there was no price to be trusted.
      ALTER TABLE transaction ALTER COLUMN cents_per_btc DROP NOT NULL;
      ALTER TABLE invoice ALTER COLUMN cents_per_btc DROP NOT NULL;
      ALTER TABLE invoice_forgotten ALTER COLUMN cents_per_btc DROP NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE transaction ALTER COLUMN cents_per_btc SET NOT NULL;
      ALTER TABLE invoice ALTER COLUMN cents_per_btc SET NOT NULL;
      ALTER TABLE invoice_forgotten ALTER COLUMN cents_per_btc SET NOT NULL;`);
  }
}
