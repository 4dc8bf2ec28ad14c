import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same for the rows of the history that have no hash. */
export class HistoryHashes1795653819997 implements MigrationInterface {
  readonly name = 'HistoryHashes1795653819997';

  /** Sends wait while it reads the history once. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX transaction_of_hash;
      CREATE INDEX transaction_of_hash ON transaction (payment_hash, wallet_id) WHERE payment_hash IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX transaction_of_hash;
      CREATE INDEX transaction_of_hash ON transaction (payment_hash, wallet_id)`);
  }
}
