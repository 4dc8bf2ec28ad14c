import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The thumbprint of the key that a refresh token of a public client is bound to (RFC 9449 section 5). */
export class OauthRefreshTokenKey1796000220004 implements MigrationInterface {
  readonly name = 'OauthRefreshTokenKey1796000220004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_refresh_token ADD COLUMN dpop_jkt text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_refresh_token DROP COLUMN dpop_jkt');
  }
}
