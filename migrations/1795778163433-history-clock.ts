import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of an account are ordered by `created_at`, which grows also where the clock has gone back: then this is the time by the clock. */
export class HistoryClock1795778163433 implements MigrationInterface {
  readonly name = 'HistoryClock1795778163433';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transaction ADD COLUMN clock_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transaction DROP COLUMN clock_at');
  }
}
