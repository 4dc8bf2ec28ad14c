import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the developers of apps want; `oauth_client` has what the operator has approved. Each client gets its application, which belongs to the
 * operator. A test client has a state of its own, so that a process of the release before, which knows no test mode, refuses it.
 */
export class OauthApplication1795801735101 implements MigrationInterface {
  readonly name = 'OauthApplication1795801735101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE app_user, oauth_client, oauth_client_secret IN ACCESS EXCLUSIVE MODE');
    await runner.query(APPLICATIONS);
    await runner.query(CLIENTS);
    await runner.query(EXISTING);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE app_user, oauth_client, oauth_client_secret IN ACCESS EXCLUSIVE MODE;
      DELETE FROM oauth_client WHERE state = 'test';
      ALTER TABLE oauth_client_secret DROP COLUMN first_used_at;
      ALTER TABLE oauth_client DROP CONSTRAINT oauth_client_state_known,
        ADD CONSTRAINT oauth_client_state_known CHECK (state IN ('pending', 'approved', 'suspended')),
        DROP COLUMN test_of, DROP COLUMN purpose;
      DROP TABLE oauth_application;`);
  }
}

const APPLICATIONS = `
  CREATE TABLE oauth_application (
    -- The id of its client, once there is one
    id            text        NOT NULL,
    -- Null: the operator
    owner_id      uuid,
    name          text        NOT NULL,
    -- For the people who are asked; null where the operator gave none
    purpose       text,
    homepage      text,
    redirect_uris text[]      NOT NULL,
    scopes        text[]      NOT NULL,
    grant_types   text[]      NOT NULL,
    confidential  boolean     NOT NULL,
    require_pkce  boolean     NOT NULL,
    state         text        NOT NULL,
    -- Grows with each change: an approval is of the version that the operator has seen
    version       integer     NOT NULL DEFAULT 1,
    -- Why it was refused
    reason        text,
    submitted_at  timestamptz,
    decided_at    timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT oauth_application_pk PRIMARY KEY (id),
    CONSTRAINT oauth_application_id_shape CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
    CONSTRAINT oauth_application_state_known CHECK (state IN ('draft', 'waiting', 'approved', 'refused')),
    CONSTRAINT oauth_application_reason CHECK ((state = 'refused') = (reason IS NOT NULL)),
    CONSTRAINT oauth_application_public_pkce CHECK (confidential OR require_pkce),
    CONSTRAINT oauth_application_owner_fk FOREIGN KEY (owner_id) REFERENCES app_user (id) ON DELETE SET NULL
  );
  CREATE INDEX oauth_application_owner ON oauth_application (owner_id);`;

const CLIENTS = `
  ALTER TABLE oauth_client_secret ADD COLUMN first_used_at timestamptz;
  ALTER TABLE oauth_client ADD COLUMN purpose text, ADD COLUMN test_of text,
    DROP CONSTRAINT oauth_client_state_known,
    ADD CONSTRAINT oauth_client_state_known CHECK (state IN ('pending', 'approved', 'suspended', 'test')),
    ADD CONSTRAINT oauth_client_test CHECK ((state = 'test') = (test_of IS NOT NULL)),
    ADD CONSTRAINT oauth_client_test_of_unique UNIQUE (test_of),
    ADD CONSTRAINT oauth_client_test_of_fk FOREIGN KEY (test_of) REFERENCES oauth_application (id) ON DELETE CASCADE;`;

const EXISTING = `
  INSERT INTO oauth_application (id, name, homepage, redirect_uris, scopes, grant_types, confidential, require_pkce, state, submitted_at,
    decided_at, created_at)
  SELECT id, name, homepage, redirect_uris, scopes, grant_types, confidential, require_pkce,
         CASE WHEN state = 'pending' THEN 'waiting' ELSE 'approved' END, created_at, CASE WHEN state <> 'pending' THEN now() END, created_at
    FROM oauth_client;`;
