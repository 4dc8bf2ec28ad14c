import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Log, LogInterval } from '../logging/index.js';
import { Loops, type Loop } from '../loop/index.js';
import { Metrics } from '../metrics/index.js';
import { LedgerService } from './ledger.service.js';

/** The maximum share of time for audits: an audit reads the whole history, so it runs less often as the history grows. */
const SHARE = 1 / 50;

/**
 * Audits the ledger at start and then every `AUDIT_INTERVAL_SECONDS`, less often once an audit takes long; every audit logs each finding as
 * an error. One process audits at a time. Also logs when payments wait for a system account.
 */
@Injectable()
export class LedgerAuditJob implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Log(LedgerAuditJob.name);
  private readonly loop: Loop;
  /** A locked system account blocks every payment: it is logged once an interval, however many payments wait. */
  private readonly lockedLog = new LogInterval(30_000);

  constructor(
    private readonly ledger: LedgerService,
    config: Config,
    loops: Loops,
    metrics: Metrics,
  ) {
    const everyMs = config.ledger.auditIntervalSeconds * 1000;
    this.loop = loops.create({
      name: 'ledger_audit',
      pauseMs: (roundMs) => Math.max(everyMs, roundMs / SHARE),
      round: () => this.audit(),
      onFailure: ({ message }) => this.log.warn('ledger_audit_unavailable', {}, `Ledger not audited: ${message}`),
    });
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

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Does not wait for the end of an audit, which reads the whole history. */
  beforeApplicationShutdown(): void {
    void this.loop.stop();
  }

  private logLocked(account: string): void {
    if (!this.lockedLog.isOver()) return;
    this.log.error(
      'ledger_system_account_locked',
      { account },
      `System account ${account} is locked by another session, and payments wait for it`,
    );
  }

  private async audit(): Promise<void> {
    const findings = await this.ledger.auditAlone();
    if (findings && findings.length > 0)
      this.log.error('ledger_invariants_violated', { findings }, `Ledger invariants violated (${findings.length} findings)`);
  }
}
