import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The system accounts of on-chain money. */
export class LedgerOnchainAccounts1796000080001 implements MigrationInterface {
  readonly name = 'LedgerOnchainAccounts1796000080001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL('./1796000080001-ledger-onchain-accounts.sql', import.meta.url), 'utf8'));
  }

  /** It fails while one has a balance: without the account, the ledger would not add up. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DO $$ BEGIN
        IF EXISTS (SELECT FROM ledger_account WHERE id IN (-8, -9) AND posted <> 0) THEN RAISE EXCEPTION 'an on-chain account has a balance'; END IF;
      END $$;
      ALTER TABLE ledger_account DISABLE TRIGGER ledger_account_kept;
      DELETE FROM ledger_account WHERE id IN (-8, -9);
      ALTER TABLE ledger_account ENABLE ALWAYS TRIGGER ledger_account_kept;`);
  }
}
