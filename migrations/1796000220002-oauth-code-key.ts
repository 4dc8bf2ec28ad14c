import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The thumbprint of the key that the exchange of a code has to prove (RFC 9449 section 10). */
export class OauthCodeKey1796000220002 implements MigrationInterface {
  readonly name = 'OauthCodeKey1796000220002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_code ADD COLUMN dpop_jkt text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_code DROP COLUMN dpop_jkt');
  }
}
