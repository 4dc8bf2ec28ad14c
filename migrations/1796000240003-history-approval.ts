import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A row of the history may wait for the owner of the wallet. */
export class HistoryApproval1796000240003 implements MigrationInterface {
  readonly name = 'HistoryApproval1796000240003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A pending row with it is a payment that waits for its owner until then: nothing of it is held, and it counts in no limit.
      ALTER TABLE transaction ADD COLUMN approval_until timestamptz;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transaction DROP COLUMN approval_until');
  }
}
