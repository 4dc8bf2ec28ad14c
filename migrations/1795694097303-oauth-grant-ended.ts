import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The page of the connected apps lists those whose access has ended. */
export class OauthGrantEnded1795694097303 implements MigrationInterface {
  readonly name = 'OauthGrantEnded1795694097303';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX oauth_grant_ended ON oauth_grant (user_id, revoked_at) WHERE revoked_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX oauth_grant_ended');
  }
}
