import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Double entry: accounts, journals, entries and holds. */
export class Ledger1764000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL('./1764000002000-ledger.sql', import.meta.url), 'utf8'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TYPE ledger_compiled, ledger_operation, ledger_leg;
      DROP TABLE ledger_account, ledger_journal, ledger_entry, ledger_hold;
      DROP SEQUENCE ledger_account_id, ledger_journal_id;
      DROP FUNCTION ledger_refuse`);
  }
}
