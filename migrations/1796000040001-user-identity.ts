import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UserIdentity1796000040001 implements MigrationInterface {
  readonly name = 'UserIdentity1796000040001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Who a person is at the company's identity provider.
      CREATE TABLE user_identity (
        issuer    text        NOT NULL,
        subject   text        NOT NULL,
        user_id   uuid        NOT NULL,
        -- The last sign-in through the provider.
        proved_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT user_identity_pk PRIMARY KEY (issuer, subject),
        CONSTRAINT user_identity_once UNIQUE (user_id, issuer),
        CONSTRAINT user_identity_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE
      );
      ALTER TABLE session ADD COLUMN identity_issuer text, ADD COLUMN identity_sid text;
      CREATE INDEX session_of_identity ON session (identity_issuer, identity_sid) WHERE identity_sid IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session DROP COLUMN identity_sid, DROP COLUMN identity_issuer');
    await runner.query('DROP TABLE user_identity');
  }
}
