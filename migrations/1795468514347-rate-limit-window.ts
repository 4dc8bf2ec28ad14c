import type { MigrationInterface, QueryRunner } from 'typeorm';

export class RateLimitWindow1795468514347 implements MigrationInterface {
  readonly name = 'RateLimitWindow1795468514347';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Windows of the policies that all processes share. Unlogged: no hit waits for the disk, and a crash of the database ends the windows.
      -- Statements update hits alone, in the row's own page: half of each page is kept free for that.
      CREATE UNLOGGED TABLE rate_limit_window (
        -- SHA-256 of the policy's name and the key.
        key        bytea       NOT NULL,
        hits       integer     NOT NULL,
        ends_at    timestamptz NOT NULL,
        CONSTRAINT rate_limit_window_pk PRIMARY KEY (key),
        CONSTRAINT rate_limit_window_counts CHECK (hits > 0)
      ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
      CREATE INDEX rate_limit_window_ends ON rate_limit_window (ends_at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_limit_window');
  }
}
