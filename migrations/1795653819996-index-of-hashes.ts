import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments between wallets of this server have no hash: the indexes of hashes leave them out, so that they cost no entry in them. */
export class IndexOfHashes1795653819996 implements MigrationInterface {
  readonly name = 'IndexOfHashes1795653819996';

  /** Payments wait while it reads the history and the payments once. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX transaction_of_hash;
      CREATE INDEX transaction_of_hash ON transaction (payment_hash, wallet_id) WHERE payment_hash IS NOT NULL;
      DROP INDEX payment_live_hash;
      CREATE UNIQUE INDEX payment_live_hash ON payment (payment_hash) WHERE payment_hash IS NOT NULL AND state IN ('in_flight', 'settled')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX transaction_of_hash;
      CREATE INDEX transaction_of_hash ON transaction (payment_hash, wallet_id);
      DROP INDEX payment_live_hash;
      CREATE UNIQUE INDEX payment_live_hash ON payment (payment_hash) WHERE state IN ('in_flight', 'settled')`);
  }
}
