import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How a session's person authenticated, and when they last proved it with the strongest factor that they have. */
export class SessionFactor1795801135002 implements MigrationInterface {
  readonly name = 'SessionFactor1795801135002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE session ADD COLUMN factor_at timestamptz, ADD COLUMN amr text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session DROP COLUMN amr, DROP COLUMN factor_at');
  }
}
