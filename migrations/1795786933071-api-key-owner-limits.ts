import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The windows whose limit the owner of an API key has set: an app that made the key does not lift these. */
export class ApiKeyOwnerLimits1795786933071 implements MigrationInterface {
  readonly name = 'ApiKeyOwnerLimits1795786933071';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_key ADD COLUMN owner_limits text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN owner_limits');
  }
}
