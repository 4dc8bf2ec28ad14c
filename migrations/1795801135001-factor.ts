import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Second factors of a person: an authenticator app, recovery codes and passkeys. */
export class Factor1795801135001 implements MigrationInterface {
  readonly name = 'Factor1795801135001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE user_totp (
        user_id uuid NOT NULL,
        secret bytea NOT NULL,
        last_step bigint NOT NULL,
        confirmed_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT user_totp_pk PRIMARY KEY (user_id),
        CONSTRAINT user_totp_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE
      );
      CREATE TABLE user_recovery_code (
        user_id uuid NOT NULL,
        code_hash bytea NOT NULL,
        CONSTRAINT user_recovery_code_pk PRIMARY KEY (user_id, code_hash),
        CONSTRAINT user_recovery_code_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE
      );
      CREATE TABLE user_passkey (
        id text NOT NULL,
        user_id uuid NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL,
        challenge_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        CONSTRAINT user_passkey_pk PRIMARY KEY (id),
        CONSTRAINT user_passkey_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE
      );
      CREATE INDEX user_passkey_of_user ON user_passkey (user_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE user_passkey; DROP TABLE user_recovery_code; DROP TABLE user_totp');
  }
}
