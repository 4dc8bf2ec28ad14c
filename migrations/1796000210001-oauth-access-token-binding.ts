import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an access token is for, which key it is bound to, and tokens of a client itself, without a person (`client_credentials`). Those have a
 * client in place of a grant, so that a grant is always what one person allowed, and every statement that reads a token by its grant does not
 * find them: the wallet API refuses them without a rule of its own. Each token has exactly one of the two, and ends with it.
 */
export class OauthAccessTokenBinding1796000210001 implements MigrationInterface {
  readonly name = 'OauthAccessTokenBinding1796000210001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE oauth_client, oauth_access_token IN ACCESS EXCLUSIVE MODE;
      ALTER TABLE oauth_access_token
        ALTER COLUMN grant_id DROP NOT NULL,
        ADD COLUMN client_id text,
        -- The services of its grant; null: the API alone
        ADD COLUMN audience text[],
        -- The thumbprint of the key (RFC 9449 section 6)
        ADD COLUMN dpop_jkt text,
        ADD CONSTRAINT oauth_access_token_client_fk FOREIGN KEY (client_id) REFERENCES oauth_client (id) ON DELETE CASCADE,
        ADD CONSTRAINT oauth_access_token_owner CHECK (num_nonnulls(grant_id, client_id) = 1);
      CREATE INDEX oauth_access_token_client ON oauth_access_token (client_id) WHERE client_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE oauth_access_token IN ACCESS EXCLUSIVE MODE;
      DELETE FROM oauth_access_token WHERE grant_id IS NULL;
      ALTER TABLE oauth_access_token DROP COLUMN client_id, DROP COLUMN audience, DROP COLUMN dpop_jkt, ALTER COLUMN grant_id SET NOT NULL`);
  }
}
