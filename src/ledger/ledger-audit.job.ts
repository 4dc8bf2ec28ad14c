import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Jobs, type JobSchedule } from '../job/index.js';
import { unlessAborted } from '../kernel/unless-aborted.js';
import { Log, LogInterval } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import { LedgerService, type AuditFinding, type AuditMark } from './ledger.service.js';

/** In UTC. An audit of the whole history takes a minute and more once there are millions of journals. */
const NIGHTLY = '17 3 * * *';

/**
 * Audits what is new in the ledger when a process starts and then every `AUDIT_INTERVAL_SECONDS`, and the whole history once a night, each once
 * for all processes. Every audit logs its findings as an error, and reports them. Also logs when payments wait for a system account.
 */
@Injectable()
export class LedgerAuditJob {
  private readonly log = new Log(LedgerAuditJob.name);
  /** A locked system account blocks every payment: it is logged once an interval, however many payments wait. */
  private readonly lockedLog = new LogInterval(30_000);

  constructor(
    private readonly ledger: LedgerService,
    config: Config,
    jobs: Jobs,
    metrics: Metrics,
  ) {
    // A stop waits for no audit: the whole history takes long. Steps of an audit of what is new end on their signal.
    const schedule = (name: string, when: JobSchedule, audit: (signal: AbortSignal) => Promise<void>): void =>
      jobs.schedule(name, when, ({ signal }) => unlessAborted(audit(signal), signal), { limitSeconds: Infinity });
    schedule('ledger_audit', { everySeconds: config.ledger.auditIntervalSeconds, atStart: true }, (signal) => this.auditNew(signal));
    schedule('ledger_audit_whole', { cron: NIGHTLY, backfillHours: 24 }, () => this.auditWhole());
    const age = (at: (mark: AuditMark) => Date | null) => async (): Promise<number> => {
      const since = at(await ledger.auditMark());
      return since ? (Date.now() - since.getTime()) / 1000 : Infinity;
    };
    metrics.gauge(
      'sluice_ledger_audit_age_seconds',
      'Age of the oldest journal that may not have been audited',
      age(({ auditedUntil }) => auditedUntil),
    );
    metrics.gauge(
      'sluice_ledger_whole_audit_age_seconds',
      'Time since the last audit of the whole history that found nothing',
      age(({ wholeAt }) => wholeAt),
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

  /** Audits what is new, unless another process does; also the whole history, if that has never been audited. */
  async auditNew(signal?: AbortSignal): Promise<void> {
    if (!(await this.ledger.auditMark()).wholeAt) await this.auditWhole();
    await this.report(await this.ledger.auditNew(signal));
  }

  /** Audits the whole history, unless another process does. */
  async auditWhole(): Promise<void> {
    await this.report((await this.ledger.auditAlone()) ?? []);
  }

  private async report(findings: readonly AuditFinding[]): Promise<void> {
    if (findings.length === 0) return;
    this.log.error('ledger_invariants_violated', { findings }, `Ledger invariants violated (${findings.length} findings)`);
    await this.ledger.reportFailedAudit(findings);
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
