import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccessPause1796000035001 implements MigrationInterface {
  readonly name = 'AccessPause1796000035001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Programs that are refused: one row for each cause.
      CREATE TABLE access_pause (
        -- The id of a user, or 'all'.
        subject text        NOT NULL,
        cause   text        NOT NULL,
        since   timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT access_pause_pk PRIMARY KEY (subject, cause),
        CONSTRAINT access_pause_cause_known CHECK (cause IN ('owner', 'operator', 'identity'))
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE access_pause');
  }
}
