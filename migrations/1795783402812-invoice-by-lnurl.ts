import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an LNURL callback created an invoice. Null: an earlier release did, which does not say. */
export class InvoiceByLnurl1795783402812 implements MigrationInterface {
  readonly name = 'InvoiceByLnurl1795783402812';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invoice ADD COLUMN by_lnurl boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE invoice DROP COLUMN by_lnurl');
  }
}
