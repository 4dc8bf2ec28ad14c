import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Assertions by which clients have authenticated (RFC 7523): each works once, on all processes together. */
export class OauthAssertion1796000200004 implements MigrationInterface {
  readonly name = 'OauthAssertion1796000200004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_assertion (
        -- Of the client and the assertion's jti
        hash       bytea       NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT oauth_assertion_pk PRIMARY KEY (hash)
      );
      CREATE INDEX oauth_assertion_expiry ON oauth_assertion (expires_at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_assertion');
  }
}
