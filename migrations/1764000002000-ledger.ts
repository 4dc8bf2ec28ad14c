import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const sql = (name: string): string => readFileSync(new URL(`./sql/${name}.v1.sql`, import.meta.url), 'utf8');

/** Double entry: accounts, journals, entries and holds; `ledger_open` and `ledger_apply`, the only writers; the audit. */
export class Ledger1764000002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sql('ledger_tables'));
    await runner.query(sql('ledger_operation'));
    await runner.query(sql('ledger_apply'));
    await runner.query(sql('ledger_audit'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW ledger_audit;
      DROP FUNCTION ledger_lock_free_holds, ledger_lock_free, ledger_apply, ledger_replay, ledger_must_raise, ledger_book, ledger_write, ledger_touched, ledger_compile, ledger_open;
      DROP TYPE ledger_operation;
      DROP TABLE ledger_account, ledger_journal, ledger_entry, ledger_hold;
      DROP SEQUENCE ledger_account_id, ledger_journal_id;
      DROP FUNCTION ledger_refuse`);
  }
}
