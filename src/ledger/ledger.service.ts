import { Injectable } from '@nestjs/common';
import { AdvisoryLock, Database, mayTakeLong, sql } from '../database/index.js';

const AUDIT = mayTakeLong(sql`SELECT what, n FROM ledger_audit WHERE n <> 0 ORDER BY what`);
const MAY_AUDIT = sql`SELECT pg_try_advisory_xact_lock(${AdvisoryLock.ledgerAudit}) AS may`;
const SYSTEM_ACCOUNT_AT = sql`SELECT label FROM ledger_account WHERE ctid = $1::tid AND id < 0`;

/** A violated invariant of the ledger, and the number of violations. */
export interface AuditFinding {
  readonly what: string;
  readonly count: number;
}

interface AuditRow {
  readonly what: string;
  readonly n: bigint;
}
const findings = (rows: readonly AuditRow[]): AuditFinding[] => rows.map(({ what, n }) => ({ what, count: Number(n) }));

/** Audits the ledger. It moves no money: the SQL functions of payments and invoices do, by `ledger_apply`. */
@Injectable()
export class LedgerService {
  private readonly failedAuditListeners: ((findings: readonly AuditFinding[]) => Promise<void>)[] = [];

  constructor(private readonly database: Database) {}

  /** Awaits `listener` with the findings of every scheduled audit that has any. */
  onFailedAudit(listener: (findings: readonly AuditFinding[]) => Promise<void>): void {
    this.failedAuditListeners.push(listener);
  }

  async reportFailedAudit(findings: readonly AuditFinding[]): Promise<void> {
    for (const listener of this.failedAuditListeners) await listener(findings);
  }

  /** One statement over the whole history. @returns violated invariants; empty when the ledger is sound */
  async audit(): Promise<AuditFinding[]> {
    return findings(await this.database.query<AuditRow>(AUDIT));
  }

  /** `audit`, unless another process is auditing: then null. */
  async auditAlone(): Promise<AuditFinding[] | null> {
    return this.database.transaction(async (tx) => {
      const [answer] = await tx.query<{ may: boolean }>(MAY_AUDIT);
      return answer?.may ? findings(await tx.query<AuditRow>(AUDIT)) : null;
    });
  }

  /** Calls `listener` with the name of a system account for whose row a statement has waited too long. */
  onLockedSystemAccount(listener: (label: string) => void): void {
    this.database.onLockedRow('ledger_account', (ctid) => {
      this.database.query<{ label: string }>(SYSTEM_ACCOUNT_AT, [ctid]).then(
        ([account]) => account && listener(account.label),
        () => undefined, // the name is lost; the statement that timed out fails on its own
      );
    });
  }
}
