import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whom a payment that leaves this server pays, as its payer has typed it: a Lightning address, or the host of an LNURL. */
export class PaymentPayee1795786212044 implements MigrationInterface {
  readonly name = 'PaymentPayee1795786212044';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment ADD COLUMN payee text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment DROP COLUMN payee');
  }
}
