import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The history finds a bitcoin address, and a transaction on chain, at any age. */
export class HistoryOfChain1796000100001 implements MigrationInterface {
  readonly name = 'HistoryOfChain1796000100001';

  /** Sends wait while it reads the history once. The indexes have no row of an earlier release. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX transaction_of_address ON transaction (address) WHERE address IS NOT NULL;
      CREATE INDEX transaction_of_txid ON transaction (txid) WHERE txid IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX transaction_of_address, transaction_of_txid');
  }
}
