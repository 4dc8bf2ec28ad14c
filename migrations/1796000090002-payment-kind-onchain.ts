import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The constraint holds for the payments of earlier releases too. It reads each once, under a lock that lets payments pass. */
export class PaymentKindOnchain1796000090002 implements MigrationInterface {
  readonly name = 'PaymentKindOnchain1796000090002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment VALIDATE CONSTRAINT payment_kind_fits');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DO $$ BEGIN
      EXECUTE (SELECT format('ALTER TABLE payment DROP CONSTRAINT payment_kind_fits, ADD CONSTRAINT payment_kind_fits %s NOT VALID', pg_get_constraintdef(oid))
                 FROM pg_constraint WHERE conname = 'payment_kind_fits' AND conrelid = 'payment'::regclass);
      END $$`);
  }
}
