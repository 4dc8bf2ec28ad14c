import type { MigrationInterface, QueryRunner } from 'typeorm';

const CONSTRAINTS = [
  ['payment', 'payment_dollars_fit'],
  ['payment', 'payment_dealer_covered'],
  ['invoice', 'invoice_dollars_fit'],
  ['invoice', 'invoice_dealer_covered'],
] as const;

/** The constraints of the dealer hold for the rows of earlier releases too. It reads each once, under a lock that lets sends pass. */
export class DealerOfAll1795576890345 implements MigrationInterface {
  readonly name = 'DealerOfAll1795576890345';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, constraint] of CONSTRAINTS) await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${constraint}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, constraint] of CONSTRAINTS)
      await runner.query(`DO $$ BEGIN
        EXECUTE (SELECT format('ALTER TABLE ${table} DROP CONSTRAINT ${constraint}, ADD CONSTRAINT ${constraint} %s NOT VALID', pg_get_constraintdef(oid))
                   FROM pg_constraint WHERE conname = '${constraint}' AND conrelid = '${table}'::regclass);
        END $$`);
  }
}
