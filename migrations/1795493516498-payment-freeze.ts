import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PaymentFreeze1795493516498 implements MigrationInterface {
  readonly name = 'PaymentFreeze1795493516498';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Sends that are stopped: one row for each cause.
      CREATE TABLE payment_freeze (
        -- The id of an account, or 'all'.
        subject text        NOT NULL,
        cause   text        NOT NULL,
        because text        NOT NULL,
        since   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT payment_freeze_pk PRIMARY KEY (subject, cause),
        CONSTRAINT payment_freeze_cause_known CHECK (cause IN ('operator', 'audit'))
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_freeze');
  }
}
