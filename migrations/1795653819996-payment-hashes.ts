import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments between wallets of this server have no hash, and cost no entry in the index of hashes. */
export class PaymentHashes1795653819996 implements MigrationInterface {
  readonly name = 'PaymentHashes1795653819996';

  /** Sends wait while it reads the payments once. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payment_live_hash;
      CREATE UNIQUE INDEX payment_live_hash ON payment (payment_hash) WHERE payment_hash IS NOT NULL AND state IN ('in_flight', 'settled')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX payment_live_hash;
      CREATE UNIQUE INDEX payment_live_hash ON payment (payment_hash) WHERE state IN ('in_flight', 'settled')`);
  }
}
