import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A consent to a trusted app says since then that it manages webhooks too. */
export class OauthGrantCallbacks1795777647534 implements MigrationInterface {
  readonly name = 'OauthGrantCallbacks1795777647534';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant ADD COLUMN manages_callbacks boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant DROP COLUMN manages_callbacks');
  }
}
