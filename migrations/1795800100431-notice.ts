import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people learn about their accounts, and of which kinds they want no mail. */
export class Notice1795800100431 implements MigrationInterface {
  readonly name = 'Notice1795800100431';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notice (
        id      uuid        NOT NULL CONSTRAINT notice_pk PRIMARY KEY,
        user_id uuid        NOT NULL CONSTRAINT notice_user_fk REFERENCES app_user (id) ON DELETE CASCADE,
        kind    text        NOT NULL,
        details jsonb       NOT NULL,
        key     text,
        at      timestamptz NOT NULL DEFAULT clock_timestamp(),
        mailed  boolean     NOT NULL DEFAULT false,
        CONSTRAINT notice_once UNIQUE (user_id, key)
      );
      CREATE INDEX notice_of_user ON notice (user_id, at, id);
      CREATE INDEX notice_by_time ON notice (at);
      CREATE TABLE notice_choice (
        user_id  uuid   NOT NULL CONSTRAINT notice_choice_pk PRIMARY KEY CONSTRAINT notice_choice_user_fk REFERENCES app_user (id) ON DELETE CASCADE,
        unmailed text[] NOT NULL
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notice_choice; DROP TABLE notice');
  }
}
