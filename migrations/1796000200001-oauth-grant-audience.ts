import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses of the services that a consent is for (RFC 8707); null: the API alone, as all were. */
export class OauthGrantAudience1796000200001 implements MigrationInterface {
  readonly name = 'OauthGrantAudience1796000200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant ADD COLUMN audience text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant DROP COLUMN audience');
  }
}
