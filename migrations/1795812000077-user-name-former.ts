import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Usernames that their owners have given up, and when a person changed theirs. */
export class UserNameFormer1795812000077 implements MigrationInterface {
  readonly name = 'UserNameFormer1795812000077';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE app_user ADD COLUMN username_changed_at timestamptz;
      CREATE TABLE username_former (
        name     text        NOT NULL CONSTRAINT username_former_pk PRIMARY KEY,
        -- Null: the account was deleted
        user_id  uuid        CONSTRAINT username_former_user_fk REFERENCES app_user (id) ON DELETE SET NULL,
        ended_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX username_former_of_user ON username_former (user_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE username_former; ALTER TABLE app_user DROP COLUMN username_changed_at');
  }
}
