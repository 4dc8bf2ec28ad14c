import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The connection by which an app created a key. Not a foreign key: the key outlives a connection that is tidied away. */
export class ApiKeyGrant1795778163431 implements MigrationInterface {
  readonly name = 'ApiKeyGrant1795778163431';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key ADD COLUMN grant_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN grant_id');
  }
}
