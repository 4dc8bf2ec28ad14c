import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the operator sets for one client beyond its application. Each default is the behaviour of the release before. */
export class OauthClientProfile1796000190001 implements MigrationInterface {
  readonly name = 'OauthClientProfile1796000190001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_client
        ADD COLUMN auth_method text NOT NULL DEFAULT 'secret',
        -- Public keys of private_key_jwt: by value, or where they are published
        ADD COLUMN jwks jsonb,
        ADD COLUMN jwks_uri text,
        ADD COLUMN require_par boolean NOT NULL DEFAULT false,
        ADD COLUMN require_dpop boolean NOT NULL DEFAULT false,
        ADD COLUMN id_token_alg text NOT NULL DEFAULT 'RS256',
        -- The service of the operator that this client is: tokens for this address are shown to it
        ADD COLUMN resource text,
        -- What it may ask for by client_credentials
        ADD COLUMN service_scopes text[] NOT NULL DEFAULT '{}',
        ADD COLUMN post_logout_redirect_uris text[] NOT NULL DEFAULT '{}',
        ADD COLUMN backchannel_logout_uri text,
        -- Used where a request names none (RFC 9396)
        ADD COLUMN authorization_details jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT oauth_client_auth_method_known CHECK (auth_method IN ('secret', 'private_key_jwt')),
        ADD CONSTRAINT oauth_client_auth_method_keys
          CHECK ((auth_method = 'private_key_jwt') = (num_nonnulls(jwks, jwks_uri) = 1)),
        ADD CONSTRAINT oauth_client_id_token_alg_known CHECK (id_token_alg IN ('RS256', 'ES256', 'EdDSA')),
        ADD CONSTRAINT oauth_client_resource_unique UNIQUE (resource)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_client DROP COLUMN auth_method, DROP COLUMN jwks, DROP COLUMN jwks_uri, DROP COLUMN require_par,
        DROP COLUMN require_dpop, DROP COLUMN id_token_alg, DROP COLUMN resource, DROP COLUMN service_scopes,
        DROP COLUMN post_logout_redirect_uris, DROP COLUMN backchannel_logout_uri, DROP COLUMN authorization_details`);
  }
}
