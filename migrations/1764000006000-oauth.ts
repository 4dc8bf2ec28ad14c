import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The authorization server: clients, pending authorization requests, grants, the tokens issued for them, and the signing keys. */
export class Oauth1764000006000 implements MigrationInterface {
  readonly name = 'Oauth1764000006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CLIENTS);
    await runner.query(GRANTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE signing_key;
      DROP TABLE oauth_refresh_token;
      DROP TABLE oauth_access_token;
      DROP TABLE oauth_code;
      DROP TABLE oauth_grant;
      DROP TABLE oauth_interaction;
      DROP TABLE oauth_client_secret;
      DROP TABLE oauth_client;`);
  }
}

const CLIENTS = `
  CREATE TABLE oauth_client (
    id            text        NOT NULL,
    name          text        NOT NULL,
    confidential  boolean     NOT NULL,
    redirect_uris text[]      NOT NULL,
    -- What it may ask for, and how it may ask
    scopes        text[]      NOT NULL,
    grant_types   text[]      NOT NULL,
    require_pkce  boolean     NOT NULL DEFAULT true,
    -- The operator has checked who runs it
    verified      boolean     NOT NULL DEFAULT false,
    -- A first-party app that may make and revoke API keys
    trusted       boolean     NOT NULL DEFAULT false,
    homepage      text,
    state         text        NOT NULL DEFAULT 'pending',
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT oauth_client_pk PRIMARY KEY (id),
    -- These characters mean the same raw and form-encoded, so that every way of sending Basic credentials works.
    CONSTRAINT oauth_client_id_shape CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
    CONSTRAINT oauth_client_state_known CHECK (state IN ('pending', 'approved', 'suspended')),
    CONSTRAINT oauth_client_public_pkce CHECK (confidential OR require_pkce)
  );

  CREATE TABLE oauth_client_secret (
    id           uuid        NOT NULL,
    client_id    text        NOT NULL,
    -- SHA-256: the secret has 256 random bits, so no slow hash is needed
    secret_hash  bytea       NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz,
    last_used_at timestamptz,
    CONSTRAINT oauth_client_secret_pk PRIMARY KEY (id),
    CONSTRAINT oauth_client_secret_hash_unique UNIQUE (secret_hash),
    CONSTRAINT oauth_client_secret_client_fk FOREIGN KEY (client_id) REFERENCES oauth_client (id) ON DELETE CASCADE
  );
  CREATE INDEX oauth_client_secret_client ON oauth_client_secret (client_id);

  -- An authorization request that waits for a person.
  CREATE TABLE oauth_interaction (
    id             uuid        NOT NULL,
    -- SHA-256 of the handle in the page's address, and of the cookie that ties it to one browser
    challenge_hash bytea       NOT NULL,
    binding_hash   bytea       NOT NULL,
    client_id      text        NOT NULL,
    -- Everything of the request that was validated
    request        jsonb       NOT NULL,
    -- The user who answers it: set when one is signed in
    session_id     uuid,
    user_id        uuid,
    state          text        NOT NULL DEFAULT 'open',
    created_at     timestamptz NOT NULL DEFAULT now(),
    expires_at     timestamptz NOT NULL,
    CONSTRAINT oauth_interaction_pk PRIMARY KEY (id),
    CONSTRAINT oauth_interaction_challenge_unique UNIQUE (challenge_hash),
    CONSTRAINT oauth_interaction_client_fk FOREIGN KEY (client_id) REFERENCES oauth_client (id) ON DELETE CASCADE,
    CONSTRAINT oauth_interaction_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE,
    CONSTRAINT oauth_interaction_state_known CHECK (state IN ('open', 'allowed', 'denied'))
  );
  CREATE INDEX oauth_interaction_expires ON oauth_interaction (expires_at);
  CREATE INDEX oauth_interaction_client ON oauth_interaction (client_id);
  CREATE INDEX oauth_interaction_user ON oauth_interaction (user_id);

  CREATE TABLE signing_key (
    -- RFC 7638 thumbprint
    kid         text        NOT NULL,
    public_jwk  jsonb       NOT NULL,
    -- AES-256-GCM under SECRET_KEY
    private_box bytea       NOT NULL,
    -- Published from the start, used from here on: clients that cache the key set have read it by then
    signs_from  timestamptz NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT signing_key_pk PRIMARY KEY (kid)
  );`;

const GRANTS = `
  -- One consent of one person to one app, and the family of everything that was issued for it.
  CREATE TABLE oauth_grant (
    id                  uuid        NOT NULL,
    user_id             uuid        NOT NULL,
    client_id           text        NOT NULL,
    scopes              text[]      NOT NULL,
    -- For ID tokens: the sign-in that the consent was given in
    session_id          uuid        NOT NULL,
    auth_time           timestamptz NOT NULL,
    created_at          timestamptz NOT NULL DEFAULT now(),
    -- When the person was last asked about moving money; null where that was not granted
    write_asked_at      timestamptz,
    -- The person lets the app make and revoke API keys, as long as the operator does
    manages_keys        boolean     NOT NULL DEFAULT false,
    absolute_expires_at timestamptz NOT NULL,
    last_used_at        timestamptz,
    revoked_at          timestamptz,
    revoked_because     text,
    CONSTRAINT oauth_grant_pk PRIMARY KEY (id),
    CONSTRAINT oauth_grant_user_fk FOREIGN KEY (user_id) REFERENCES app_user (id) ON DELETE CASCADE,
    CONSTRAINT oauth_grant_client_fk FOREIGN KEY (client_id) REFERENCES oauth_client (id) ON DELETE CASCADE,
    CONSTRAINT oauth_grant_scopes_some CHECK (cardinality(scopes) > 0),
    CONSTRAINT oauth_grant_revoked CHECK ((revoked_at IS NULL) = (revoked_because IS NULL))
  );
  CREATE INDEX oauth_grant_user ON oauth_grant (user_id, client_id) WHERE revoked_at IS NULL;
  CREATE INDEX oauth_grant_client ON oauth_grant (client_id);
  CREATE INDEX oauth_grant_ends ON oauth_grant (absolute_expires_at);
  CREATE INDEX oauth_grant_revoked_at ON oauth_grant (revoked_at) WHERE revoked_at IS NOT NULL;

  CREATE TABLE oauth_code (
    hash           bytea       NOT NULL,
    grant_id       uuid        NOT NULL,
    client_id      text        NOT NULL,
    redirect_uri   text        NOT NULL,
    scopes         text[]      NOT NULL,
    code_challenge text,
    nonce          text,
    created_at     timestamptz NOT NULL DEFAULT now(),
    expires_at     timestamptz NOT NULL,
    used_at        timestamptz,
    CONSTRAINT oauth_code_pk PRIMARY KEY (hash),
    CONSTRAINT oauth_code_grant_fk FOREIGN KEY (grant_id) REFERENCES oauth_grant (id) ON DELETE CASCADE
  );
  CREATE INDEX oauth_code_grant ON oauth_code (grant_id);
  CREATE INDEX oauth_code_expires ON oauth_code (expires_at);

  CREATE TABLE oauth_access_token (
    hash       bytea       NOT NULL,
    grant_id   uuid        NOT NULL,
    scopes     text[]      NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    CONSTRAINT oauth_access_token_pk PRIMARY KEY (hash),
    CONSTRAINT oauth_access_token_grant_fk FOREIGN KEY (grant_id) REFERENCES oauth_grant (id) ON DELETE CASCADE
  );
  CREATE INDEX oauth_access_token_grant ON oauth_access_token (grant_id);
  CREATE INDEX oauth_access_token_expires ON oauth_access_token (expires_at);

  CREATE TABLE oauth_refresh_token (
    hash                  bytea       NOT NULL,
    grant_id              uuid        NOT NULL,
    client_id             text        NOT NULL,
    scopes                text[]      NOT NULL,
    created_at            timestamptz NOT NULL DEFAULT now(),
    -- Idle: it lapses unless it is used by then
    expires_at            timestamptz NOT NULL,
    used_at               timestamptz,
    -- What it was exchanged for
    successor_hash        bytea,
    successor_access_hash bytea,
    -- The pair itself, under a key that only the holder of this token can derive; gone when the window is over
    replay_blob           bytea,
    replay_until          timestamptz,
    CONSTRAINT oauth_refresh_token_pk PRIMARY KEY (hash),
    CONSTRAINT oauth_refresh_token_grant_fk FOREIGN KEY (grant_id) REFERENCES oauth_grant (id) ON DELETE CASCADE
  );
  CREATE INDEX oauth_refresh_token_grant ON oauth_refresh_token (grant_id);
  CREATE INDEX oauth_refresh_token_replay ON oauth_refresh_token (replay_until) WHERE replay_blob IS NOT NULL;`;
