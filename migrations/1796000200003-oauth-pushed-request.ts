import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Authorization requests that apps have pushed (RFC 9126), each until its one use. */
export class OauthPushedRequest1796000200003 implements MigrationInterface {
  readonly name = 'OauthPushedRequest1796000200003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_pushed_request (
        -- Of the request_uri
        hash       bytea       NOT NULL,
        client_id  text        NOT NULL,
        -- As sent, form-encoded, without the client's credentials
        parameters text        NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT oauth_pushed_request_pk PRIMARY KEY (hash),
        CONSTRAINT oauth_pushed_request_client_fk FOREIGN KEY (client_id) REFERENCES oauth_client (id) ON DELETE CASCADE
      );
      CREATE INDEX oauth_pushed_request_client ON oauth_pushed_request (client_id);
      CREATE INDEX oauth_pushed_request_expiry ON oauth_pushed_request (expires_at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_pushed_request');
  }
}
