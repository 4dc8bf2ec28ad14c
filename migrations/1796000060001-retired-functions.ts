import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Processes of 0.2.0 called these. They are not made again by `down`: functions are repeatable (docs/adr/0026). */
export class RetiredFunctions1796000060001 implements MigrationInterface {
  readonly name = 'RetiredFunctions1796000060001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS payment_begin(payment_attempt[], text, bigint, boolean);
      DROP FUNCTION IF EXISTS payment_finish(payment_resolution[], boolean);
      DROP FUNCTION IF EXISTS payment_dispatch(payment_claim[], boolean);
      DROP FUNCTION IF EXISTS payment_seen(uuid[], boolean);
      DROP FUNCTION IF EXISTS payment_lock(uuid[], boolean);
      DROP FUNCTION IF EXISTS payment_resolve(uuid, text, numeric, text, text, text);
      DROP FUNCTION IF EXISTS invoice_settle(text, integer, invoice_settlement[], boolean);`);
  }

  async down(): Promise<void> {
    // A release that calls them creates them.
  }
}
