import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What else a person has agreed to, and how they had signed in. */
export class OauthGrantTerms1796000200001 implements MigrationInterface {
  readonly name = 'OauthGrantTerms1796000200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_grant
        -- The addresses of the services that it is for (RFC 8707); null: the API alone, as all were
        ADD COLUMN audience text[],
        -- Not known of grants from before
        ADD COLUMN amr text[] NOT NULL DEFAULT '{}',
        -- The budgets that the app asked for, as granted
        ADD COLUMN authorization_details jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant DROP COLUMN audience, DROP COLUMN amr, DROP COLUMN authorization_details');
  }
}
