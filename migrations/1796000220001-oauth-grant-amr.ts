import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How the person had authenticated, for ID tokens; not known of grants from before. */
export class OauthGrantAmr1796000220001 implements MigrationInterface {
  readonly name = 'OauthGrantAmr1796000220001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("ALTER TABLE oauth_grant ADD COLUMN amr text[] NOT NULL DEFAULT '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant DROP COLUMN amr');
  }
}
