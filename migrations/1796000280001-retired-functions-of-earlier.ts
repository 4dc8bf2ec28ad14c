import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Processes of 0.3.0 called these. They are not made again by `down`: functions are repeatable (docs/adr/0026). */
export class RetiredFunctionsOfEarlier1796000280001 implements MigrationInterface {
  readonly name = 'RetiredFunctionsOfEarlier1796000280001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS invoice_settle(text, integer, invoice_settlement[]);
      DROP FUNCTION IF EXISTS payment_not_found(uuid, text, integer, double precision);
      DROP FUNCTION IF EXISTS history_add(history_row[]);
      DROP FUNCTION IF EXISTS oauth_refresh(bytea, text, text[], bytea, bytea, bytea, float8, float8, float8);
      DROP FUNCTION IF EXISTS webhook_endpoint_add(uuid, uuid, text, bytea, integer);
      DROP FUNCTION IF EXISTS webhook_finish(uuid, bigint, uuid, integer, text);`);
  }

  async down(): Promise<void> {
    // A release that calls them creates them.
  }
}
