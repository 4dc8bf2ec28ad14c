import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the audit of new journals has come. */
export class LedgerAuditMark1795513907364 implements MigrationInterface {
  readonly name = 'LedgerAuditMark1795513907364';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readFileSync(new URL('./1795513907364-ledger-audit-mark.sql', import.meta.url), 'utf8'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ledger_audit_mark, ledger_audit_total');
  }
}
