import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The id of an app that was not registered is the address of the document that describes it. */
export class OauthClientDocument1796000260001 implements MigrationInterface {
  readonly name = 'OauthClientDocument1796000260001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE oauth_application, oauth_client IN ACCESS EXCLUSIVE MODE');
    await runner.query(shapes('^([A-Za-z0-9_-]{1,64}|https://[!-~]{1,247})$'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      LOCK TABLE oauth_application, oauth_client IN ACCESS EXCLUSIVE MODE;
      DELETE FROM oauth_client WHERE id LIKE 'https://%';
      DELETE FROM oauth_application WHERE id LIKE 'https://%';
      ${shapes('^[A-Za-z0-9_-]{1,64}$')}`);
  }
}

const shapes = (form: string): string =>
  ['oauth_application', 'oauth_client']
    .map((table) => `ALTER TABLE ${table} DROP CONSTRAINT ${table}_id_shape, ADD CONSTRAINT ${table}_id_shape CHECK (id ~ '${form}');`)
    .join('\n');
