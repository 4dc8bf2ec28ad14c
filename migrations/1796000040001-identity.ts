import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Identity1796000040001 implements MigrationInterface {
  readonly name = 'Identity1796000040001';

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
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_identity');
  }
}
