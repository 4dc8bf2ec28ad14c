import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The history of an account is merged from those of its wallets: a payment writes two index entries less. */
export class HistoryOfAccount1795679600000 implements MigrationInterface {
  readonly name = 'HistoryOfAccount1795679600000';

  /** It reads nothing. A process of 0.2.0 reads all rows of an account's wallets for a page meanwhile. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX transaction_of_account');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX transaction_of_account ON transaction (account_id, created_at DESC, id DESC)');
  }
}
