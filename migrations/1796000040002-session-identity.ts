import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which provider's session a session belongs to, for its back-channel logout. */
export class SessionIdentity1796000040002 implements MigrationInterface {
  readonly name = 'SessionIdentity1796000040002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE session ADD COLUMN identity_issuer text, ADD COLUMN identity_sid text;
      CREATE INDEX session_of_identity ON session (identity_issuer, identity_sid) WHERE identity_sid IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session DROP COLUMN identity_sid, DROP COLUMN identity_issuer');
  }
}
