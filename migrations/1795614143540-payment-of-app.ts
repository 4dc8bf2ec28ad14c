import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the payments of an app, for the limits that a person has set for it. */
export class PaymentOfApp1795614143540 implements MigrationInterface {
  readonly name = 'PaymentOfApp1795614143540';

  /** Sends wait while it reads the payments once, but it sorts only those of apps. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX payment_of_app ON payment (account_id, client_id, created_at) WHERE client_id IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX payment_of_app');
  }
}
