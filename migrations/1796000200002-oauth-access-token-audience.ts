import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The services of its grant that a token is for; null: the API alone. */
export class OauthAccessTokenAudience1796000200002 implements MigrationInterface {
  readonly name = 'OauthAccessTokenAudience1796000200002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_access_token ADD COLUMN audience text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_access_token DROP COLUMN audience');
  }
}
