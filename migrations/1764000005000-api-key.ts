import type { MigrationInterface, QueryRunner } from 'typeorm';

/** API keys, and why they were refused. */
export class ApiKey1764000005000 implements MigrationInterface {
  readonly name = 'ApiKey1764000005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE api_key (
        id                uuid        NOT NULL,
        user_id           uuid        NOT NULL,
        name              text        NOT NULL,
        scopes            text[]      NOT NULL,
        -- SHA-256 of the key: the key itself is nowhere
        key_hash          bytea       NOT NULL,
        -- Its first and last characters, by which its owner knows it again
        hint              text        NOT NULL,
        -- The OAuth client that made it for its owner; null where they did it themselves
        client_id         text,
        created_at        timestamptz NOT NULL DEFAULT now(),
        expires_at        timestamptz,
        revoked_at        timestamptz,
        last_used_at      timestamptz,
        last_used_address text,
        last_refused_at   timestamptz,
        last_refusal      text,
        CONSTRAINT api_key_pk PRIMARY KEY (id),
        CONSTRAINT api_key_hash_unique UNIQUE (key_hash),
        CONSTRAINT api_key_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE,
        -- An empty scope would permit nothing, and in the service we are compatible with it permits everything.
        CONSTRAINT api_key_scopes_some CHECK (cardinality(scopes) > 0)
      );
      CREATE INDEX api_key_of_user ON api_key (user_id, created_at);

      -- At most one a key, second and process, because usage is collected for a second before it is stored.
      CREATE TABLE api_key_refusal (
        api_key_id uuid        NOT NULL,
        at         timestamptz NOT NULL,
        cause      text        NOT NULL,
        operation  text,
        address    text,
        CONSTRAINT api_key_refusal_pk PRIMARY KEY (api_key_id, at),
        CONSTRAINT api_key_refusal_key_fk FOREIGN KEY (api_key_id) REFERENCES api_key (id) ON DELETE CASCADE
      );
      CREATE INDEX api_key_refusal_at ON api_key_refusal (at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_key_refusal; DROP TABLE api_key');
  }
}
