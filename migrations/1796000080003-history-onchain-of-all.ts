import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The constraint holds for the rows of earlier releases too. It reads each once, under a lock that lets payments pass. */
export class HistoryOnchainOfAll1796000080003 implements MigrationInterface {
  readonly name = 'HistoryOnchainOfAll1796000080003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE transaction VALIDATE CONSTRAINT transaction_via_known');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$ BEGIN
      EXECUTE (SELECT format('ALTER TABLE transaction DROP CONSTRAINT transaction_via_known, ADD CONSTRAINT transaction_via_known %s NOT VALID', pg_get_constraintdef(oid))
                 FROM pg_constraint WHERE conname = 'transaction_via_known' AND conrelid = 'transaction'::regclass);
      END $$`);
  }
}
