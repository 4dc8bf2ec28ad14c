import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations to register, while REGISTRATION=invite. */
export class Invitation1795494007237 implements MigrationInterface {
  readonly name = 'Invitation1795494007237';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE invitation (
        id         uuid        NOT NULL,
        -- SHA-256 of the code: the code itself is nowhere
        code_hash  bytea       NOT NULL,
        note       text        NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at    timestamptz,
        -- Who registered with it. Null also after a use for an e-mail address that had an account, which made no user
        user_id    uuid,
        revoked_at timestamptz,
        CONSTRAINT invitation_pk PRIMARY KEY (id),
        CONSTRAINT invitation_code_hash_unique UNIQUE (code_hash),
        CONSTRAINT invitation_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE SET NULL,
        CONSTRAINT invitation_ends_once CHECK (used_at IS NULL OR revoked_at IS NULL)
      );
      CREATE INDEX invitation_expires ON invitation (expires_at);
      CREATE INDEX invitation_of_user ON invitation (user_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE invitation');
  }
}
