import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Null: the payer chooses the amount. */
export class InvoiceWithoutAmount1795565812065 implements MigrationInterface {
  readonly name = 'InvoiceWithoutAmount1795565812065';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoice ALTER COLUMN amount_msat DROP NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE invoice ALTER COLUMN amount_msat SET NOT NULL;`);
  }
}
