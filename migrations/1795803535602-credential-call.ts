import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The latest calls of API keys, and why requests of apps were refused: at most 100 rows each, without any secret. */
export class CredentialCall1795803535602 implements MigrationInterface {
  readonly name = 'CredentialCall1795803535602';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE credential_call (
        owner      text        NOT NULL,
        line       text        NOT NULL,
        kind       text        NOT NULL,
        at         timestamptz NOT NULL,
        operation  text        NOT NULL,
        outcome    text        NOT NULL,
        cost       integer,
        sent       text,
        registered text,
        count      integer     NOT NULL,
        CONSTRAINT credential_call_pk PRIMARY KEY (owner, line),
        CONSTRAINT credential_call_kind_known CHECK (kind IN ('api-key', 'client'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE credential_call');
  }
}
