import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether a key manages webhook endpoints; the connection by which an app created it, which is no foreign key, because the key outlives a
 * connection that is tidied away; and the windows whose limit the owner has set, which the app does not lift.
 */
export class ApiKeyOfApp1795777647404 implements MigrationInterface {
  readonly name = 'ApiKeyOfApp1795777647404';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_key ADD COLUMN manage_callbacks boolean NOT NULL DEFAULT false, ADD COLUMN grant_id uuid,
        ADD COLUMN owner_limits text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN owner_limits, DROP COLUMN grant_id, DROP COLUMN manage_callbacks');
  }
}
