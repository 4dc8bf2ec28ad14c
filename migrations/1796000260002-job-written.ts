import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The clock of the database may go back: the times of a job that was written after now move with it. */
export class JobWritten1796000260002 implements MigrationInterface {
  readonly name = 'JobWritten1796000260002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- When run_at was written, by the clock that it was computed with; -infinity: that is not known, or the caller has chosen run_at.
      ALTER TABLE job ADD COLUMN written_at timestamptz NOT NULL DEFAULT '-infinity';
      ALTER TABLE job ALTER COLUMN written_at SET DEFAULT now();`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job DROP COLUMN written_at');
  }
}
