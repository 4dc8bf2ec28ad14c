import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds a person's own invoices that ended unpaid, which are deleted thirty days later. */
export class InvoiceByOwnerToForget1795787417530 implements MigrationInterface {
  readonly name = 'InvoiceByOwnerToForget1795787417530';

  /** New invoices and their payments wait while it reads the invoices once; it sorts only unpaid ones. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX invoice_by_owner_to_forget ON invoice (node_id, closed_at) WHERE by_owner AND state <> 'paid' AND closed_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX invoice_by_owner_to_forget');
  }
}
