import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same for the invoices of an account. */
export class InvoiceOfAccount1795679600001 implements MigrationInterface {
  readonly name = 'InvoiceOfAccount1795679600001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX invoice_of_account');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX invoice_of_account ON invoice (account_id, created_at DESC, payment_hash DESC)');
  }
}
