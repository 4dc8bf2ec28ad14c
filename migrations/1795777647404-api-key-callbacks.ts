import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The owner of a key lets it manage webhook endpoints. */
export class ApiKeyCallbacks1795777647404 implements MigrationInterface {
  readonly name = 'ApiKeyCallbacks1795777647404';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key ADD COLUMN manage_callbacks boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN manage_callbacks');
  }
}
