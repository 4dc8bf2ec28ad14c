import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who waits to pay an invoice that another account is paying, so that its hash cannot be kept busy for nothing. */
export class PaymentLine1795781734001 implements MigrationInterface {
  readonly name = 'PaymentLine1795781734001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE payment_line (
        payment_hash text NOT NULL,
        account_id   uuid NOT NULL,
        since        timestamptz NOT NULL DEFAULT clock_timestamp(),
        seen_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT payment_line_pk PRIMARY KEY (payment_hash, account_id)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payment_line');
  }
}
