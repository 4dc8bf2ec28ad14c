import { Injectable } from '@nestjs/common';
import { Jobs, type JobSchedule } from '../../platform/job/index.js';
import { unlessAborted } from '../../platform/kernel/unless-aborted.js';
import { Log } from '../../platform/logging/index.js';
import { LedgerService, type AuditFinding } from './ledger.service.js';

const AUDIT_INTERVAL_SECONDS = 60;
/** In UTC. An audit of the whole history takes a minute and more once there are millions of journals. */
const NIGHTLY = '17 3 * * *';

/**
 * Audits what is new in the ledger when a process starts and then every minute, and the whole history once a night, each once
 * for all processes. Every audit logs its findings as an error, and reports them.
 */
@Injectable()
export class LedgerAuditJob {
  private readonly log = new Log(LedgerAuditJob.name);

  constructor(
    private readonly ledger: LedgerService,
    jobs: Jobs,
  ) {
    // A stop waits for no audit: the whole history takes long. Steps of an audit of what is new end on their signal.
    const schedule = (name: string, when: JobSchedule, audit: (signal: AbortSignal) => Promise<void>): void =>
      jobs.schedule(name, when, ({ signal }) => unlessAborted(audit(signal), signal), { limitSeconds: Infinity });
    schedule('ledger_audit', { everySeconds: AUDIT_INTERVAL_SECONDS, atStart: true }, (signal) => this.auditNew(signal));
    schedule('ledger_audit_whole', { cron: NIGHTLY, backfillHours: 24 }, () => this.auditWhole());
  }

  /** Audits what is new, unless another process does; also the whole history, if that has never been audited. */
  async auditNew(signal?: AbortSignal): Promise<void> {
    if (!(await this.ledger.auditMark()).wholeAt) await this.auditWhole();
    await this.report(await this.ledger.auditNew(signal));
  }

  async auditWhole(): Promise<void> {
    await this.report((await this.ledger.auditAlone()) ?? []);
  }

  private async report(findings: readonly AuditFinding[]): Promise<void> {
    if (findings.length === 0) return;
    this.log.error('ledger_invariants_violated', { findings }, `Ledger invariants violated (${findings.length} findings)`);
    await this.ledger.reportFailedAudit(findings);
  }
}
