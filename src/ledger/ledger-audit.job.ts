import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Jobs } from '../job/index.js';
import { unlessAborted } from '../kernel/unless-aborted.js';
import { Log, LogInterval } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import { LedgerService } from './ledger.service.js';

/** The maximum share of time for audits: an audit reads the whole history, so it runs less often as the history grows. */
const SHARE = 1 / 50;

/**
 * Audits the ledger when a process starts and then every `AUDIT_INTERVAL_SECONDS`, once for all processes, less often once an audit takes
 * long; every audit logs each finding as an error. Also logs when payments wait for a system account.
 */
@Injectable()
export class LedgerAuditJob {
  private readonly log = new Log(LedgerAuditJob.name);
  /** A locked system account blocks every payment: it is logged once an interval, however many payments wait. */
  private readonly lockedLog = new LogInterval(30_000);

  constructor(
    private readonly ledger: LedgerService,
    private readonly config: Config,
    jobs: Jobs,
    metrics: Metrics,
  ) {
    // A stop does not wait for an audit, which reads the whole history.
    jobs.schedule(
      'ledger_audit',
      { everySeconds: config.ledger.auditIntervalSeconds, atStart: true },
      ({ signal }) => unlessAborted(this.audit(), signal),
      { limitSeconds: Infinity },
    );
    const locked = metrics.counter(
      'sluice_ledger_system_account_locked_total',
      'Statements that waited too long for the row of a system account, by account',
      ['account'],
    );
    ledger.onLockedSystemAccount((account) => {
      locked.inc({ account });
      this.logLocked(account);
    });
  }

  /** @returns the seconds until the next audit */
  async audit(): Promise<number> {
    const startedAt = performance.now();
    const findings = await this.ledger.auditAlone();
    if (findings && findings.length > 0) {
      this.log.error('ledger_invariants_violated', { findings }, `Ledger invariants violated (${findings.length} findings)`);
      await this.ledger.reportFailedAudit(findings);
    }
    return Math.max(this.config.ledger.auditIntervalSeconds, (performance.now() - startedAt) / 1000 / SHARE);
  }

  private logLocked(account: string): void {
    if (!this.lockedLog.isOver()) return;
    this.log.error(
      'ledger_system_account_locked',
      { account },
      `System account ${account} is locked by another session, and payments wait for it`,
    );
  }
}
