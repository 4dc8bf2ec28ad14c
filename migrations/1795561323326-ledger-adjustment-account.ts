import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The system account that the adjustments of operators are booked against. */
export class LedgerAdjustmentAccount1795561323326 implements MigrationInterface {
  readonly name = 'LedgerAdjustmentAccount1795561323326';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL('./1795561323326-ledger-adjustment-account.sql', import.meta.url), 'utf8'));
  }

  /** It fails while the account has a balance: without the account, the ledger would not add up. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM ledger_account WHERE id = -7 AND posted <> 0) THEN RAISE EXCEPTION 'the adjustment account has a balance'; END IF;
      END $$;
      ALTER TABLE ledger_account DISABLE TRIGGER ledger_account_kept;
      DELETE FROM ledger_account WHERE id = -7;
      ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_account_kept;`);
  }
}
