import { Injectable } from '@nestjs/common';
import { Database, queryOne, sql } from '../../platform/database/index.js';
import { Log, LogInterval } from '../../platform/logging/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { LedgerService, type AuditMark } from './ledger.service.js';

const SYSTEM_BALANCES = sql`SELECT label, posted FROM ledger_account WHERE id < 0 AND currency = 1`;
const OPEN_HOLDS = sql`SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds" FROM ledger_hold WHERE state = 'open'`;
const HELD = sql`SELECT coalesce(sum(h.amount), 0)::int8 AS msat FROM ledger_hold h JOIN ledger_account a ON a.id = h.account_id AND a.currency = 1 WHERE h.state = 'open'`;

/** The ledger's metrics, and a log entry when payments wait for a system account. */
@Injectable()
export class LedgerWatch {
  private readonly log = new Log(LedgerWatch.name);
  /** A locked system account blocks every payment: it is logged once an interval, however many payments wait. */
  private readonly lockedLog = new LogInterval(30_000);

  constructor(
    private readonly database: Database,
    private readonly ledger: LedgerService,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'sluice_ledger_audit_age_seconds',
      'Age of the oldest journal that may not have been audited',
      this.age(({ auditedUntil }) => auditedUntil),
    );
    metrics.gauge(
      'sluice_ledger_whole_audit_age_seconds',
      'Time since the last audit of the whole history that found nothing',
      this.age(({ wholeAt }) => wholeAt),
    );
    metrics.labelledGauge(
      'sluice_ledger_balance_msat',
      'Balances in bitcoin of the system accounts and, together, of all customers',
      'account',
      () => this.balances(),
    );
    metrics.gauge('sluice_ledger_held_msat', 'Bitcoin of customers that payments in flight have set aside', async () => {
      return Number((await queryOne<{ msat: bigint }>(database, HELD)).msat);
    });
    metrics.gauge('sluice_ledger_holds', 'Holds that are open', async () => (await this.openHolds()).count);
    metrics.gauge(
      'sluice_ledger_oldest_hold_age_seconds',
      'Age of the oldest open hold; 0 without one',
      async () => (await this.openHolds()).oldestSeconds,
    );
    const locked = metrics.counter(
      'sluice_ledger_system_account_locked_total',
      'Statements that waited too long for the row of a system account, by account',
      ['account'],
    );
    ledger.onLockedSystemAccount((account) => {
      locked.inc({ account });
      if (!this.lockedLog.isOver()) return;
      const words = `System account ${account} is locked by another session, and payments wait for it`;
      this.log.error('ledger_system_account_locked', { account }, words);
    });
  }

  private age(at: (mark: AuditMark) => Date | null): () => Promise<number> {
    return async () => {
      const since = at(await this.ledger.auditMark());
      return since ? (Date.now() - since.getTime()) / 1000 : Infinity;
    };
  }

  private openHolds(): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
    return queryOne(this.database, OPEN_HOLDS);
  }

  /** What customers have is what the system accounts lack: the sum of all balances in a currency is zero. */
  private async balances(): Promise<Record<string, number>> {
    const rows = await this.database.query<{ label: string; posted: bigint }>(SYSTEM_BALANCES);
    const customers = -rows.reduce((sum, { posted }) => sum + posted, 0n);
    return Object.fromEntries([...rows, { label: 'customers', posted: customers }].map(({ label, posted }) => [label, Number(posted)]));
  }
}
