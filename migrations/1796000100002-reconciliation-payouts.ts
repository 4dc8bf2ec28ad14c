import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A restored database remembers which transactions of payouts it has lost, until an operator accepts them. */
export class ReconciliationPayouts1796000100002 implements MigrationInterface {
  readonly name = 'ReconciliationPayouts1796000100002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reconciliation ADD COLUMN lost_payouts text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reconciliation DROP COLUMN lost_payouts');
  }
}
