import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The thumbprint of the key that an access token is bound to (RFC 9449 section 6). */
export class OauthAccessTokenKey1796000220003 implements MigrationInterface {
  readonly name = 'OauthAccessTokenKey1796000220003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_access_token ADD COLUMN dpop_jkt text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_access_token DROP COLUMN dpop_jkt');
  }
}
