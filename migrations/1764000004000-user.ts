import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users and their sessions. */
export class User1764000004000 implements MigrationInterface {
  readonly name = 'User1764000004000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE app_user (
        id                uuid        NOT NULL,
        email             text        NOT NULL,
        username          text        NOT NULL,
        password_hash     text        NOT NULL,
        is_operator       boolean     NOT NULL DEFAULT false,
        -- BCP 47; empty for no choice
        language          text        NOT NULL DEFAULT '',
        email_verified_at timestamptz,
        created_at        timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT app_user_pk PRIMARY KEY (id),
        CONSTRAINT app_user_email_unique UNIQUE (email),
        CONSTRAINT app_user_username_unique UNIQUE (username),
        -- One spelling is stored, so that plain uniqueness is uniqueness whatever the case. Under "C" only ASCII counts: what
        -- lower() makes of other letters depends on the database's locale.
        CONSTRAINT app_user_email_lower CHECK (email = lower(btrim(email) COLLATE "C")),
        CONSTRAINT app_user_username_shape CHECK (username ~ '^[0-9a-z_]{3,50}$')
      );

      CREATE TABLE session (
        id           uuid        NOT NULL,
        -- SHA-256 of the token: the token itself is nowhere
        token_hash   bytea       NOT NULL,
        user_id      uuid        NOT NULL,
        -- Where it lives: 'page' in a browser's cookie, 'api' in a script
        purpose      text        NOT NULL,
        user_agent   text        NOT NULL,
        address      text        NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT now(),
        -- Exact to the minute; the idle time counts from here
        last_seen_at timestamptz NOT NULL DEFAULT now(),
        -- When the person last proved who they are
        auth_time    timestamptz NOT NULL DEFAULT now(),
        ended_at     timestamptz,
        CONSTRAINT session_pk PRIMARY KEY (id),
        CONSTRAINT session_token_hash_unique UNIQUE (token_hash),
        CONSTRAINT session_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE,
        CONSTRAINT session_purpose CHECK (purpose IN ('page', 'api'))
      );
      CREATE INDEX session_of_user ON session (user_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE session; DROP TABLE app_user');
  }
}
