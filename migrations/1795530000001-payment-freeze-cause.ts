import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The comparison of the node with the ledger stops sends too. */
export class PaymentFreezeCause1795530000001 implements MigrationInterface {
  readonly name = 'PaymentFreezeCause1795530000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE payment_freeze DROP CONSTRAINT payment_freeze_cause_known;
      ALTER TABLE payment_freeze ADD CONSTRAINT payment_freeze_cause_known CHECK (cause IN ('operator', 'audit', 'reconciliation'));`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM payment_freeze WHERE cause = 'reconciliation';
      ALTER TABLE payment_freeze DROP CONSTRAINT payment_freeze_cause_known;
      ALTER TABLE payment_freeze ADD CONSTRAINT payment_freeze_cause_known CHECK (cause IN ('operator', 'audit'));`);
  }
}
