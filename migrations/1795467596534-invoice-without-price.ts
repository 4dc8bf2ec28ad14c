import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null: there was no price to be trusted. */
export class InvoiceWithoutPrice1795467596534 implements MigrationInterface {
  readonly name = 'InvoiceWithoutPrice1795467596534';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invoice ALTER COLUMN cents_per_btc DROP NOT NULL;
      ALTER TABLE invoice_forgotten ALTER COLUMN cents_per_btc DROP NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE invoice ALTER COLUMN cents_per_btc SET NOT NULL;
      ALTER TABLE invoice_forgotten ALTER COLUMN cents_per_btc SET NOT NULL;`);
  }
}
