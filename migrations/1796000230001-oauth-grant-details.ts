import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The budgets that an app has asked for, as a person has granted them. */
export class OauthGrantDetails1796000230001 implements MigrationInterface {
  readonly name = 'OauthGrantDetails1796000230001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant ADD COLUMN authorization_details jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE oauth_grant DROP COLUMN authorization_details');
  }
}
