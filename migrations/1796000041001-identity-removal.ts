import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdentityRemoval1796000041001 implements MigrationInterface {
  readonly name = 'IdentityRemoval1796000041001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When the organisation has removed the person; null: they have signed in since.
      ALTER TABLE user_identity ADD COLUMN removed_at timestamptz;
      -- Back-channel logouts of the last hour: the token of each counts once.
      CREATE TABLE identity_logout (
        issuer      text        NOT NULL,
        id          text        NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT identity_logout_pk PRIMARY KEY (issuer, id)
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE identity_logout');
    await runner.query('ALTER TABLE user_identity DROP COLUMN removed_at');
  }
}
