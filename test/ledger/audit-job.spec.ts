import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { FUNCTIONS } from '../../migrations/index.js';
import { Ledger1764000002000 } from '../../migrations/1764000002000-ledger.js';
import { LedgerAuditMark1795513907364 } from '../../migrations/1795513907364-ledger-audit-mark.js';
import { AdvisoryLock, Database, openDataSource, poolOf } from '../../src/platform/database/index.js';
import { Jobs, JobStore, type ScheduleHandler } from '../../src/platform/job/index.js';
import { LedgerService, SystemAccount } from '../../src/money/ledger/index.js';
import { LedgerAuditJob } from '../../src/money/ledger/ledger-audit.job.js';
import { LedgerWatch } from '../../src/money/ledger/ledger.watch.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import { Log } from '../../src/platform/logging/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { dropDatabase } from '../support/database.js';
import { eventually } from '../../src/testing/eventually.js';
import { ADMIN } from './ledger-fixture.js';

describe('the audit of the ledger', () => {
  const name = `ledger_${randomUUID().replaceAll('-', '')}`;
  let admin: pg.Client;
  let source: DataSource;
  let ledger: LedgerService;

  beforeAll(async () => {
    admin = new pg.Client(ADMIN);
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    source = await openDataSource(
      {
        connection: { ...ADMIN, database: name },
        poolSize: 4,
        entities: [],
        migrations: [Ledger1764000002000, LedgerAuditMark1795513907364],
        functions: FUNCTIONS.filter(({ name }) => name.startsWith('ledger_')),
        release: '0.0.0',
      },
      new Log('test'),
    );
    ledger = new LedgerService(new Database(poolOf(source)));
  });

  afterEach(async () => {
    expect(await ledger.audit()).toEqual([]);
  });

  afterAll(async () => {
    await source.destroy();
    await dropDatabase(admin, name);
    await admin.end();
  });

  it.each([
    [0, 'ledger_audit', { everySeconds: 60, atStart: true }, 'SELECT FROM ledger_audit_mark FOR UPDATE'],
    [1, 'ledger_audit_whole', { cron: '17 3 * * *', backfillHours: 24 }, `SELECT pg_advisory_xact_lock(${AdvisoryLock.ledgerAudit})`],
  ])('logs a violated invariant as an error, each time until it holds (schedule %i: %s)', async (nth, schedule, when, claim) => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const auditor = source.createQueryRunner();
    const jobs = new Jobs(new JobStore(new Database(poolOf(source)), new SystemClock()));
    const schedules = jest.spyOn(jobs, 'schedule');
    new LedgerAuditJob(ledger, jobs);
    const [name, due, handle] = schedules.mock.calls[nth] ?? [];
    const audit = (): ReturnType<ScheduleHandler> | undefined => handle?.({ signal: new AbortController().signal, attempt: 1 });
    try {
      expect([name, due]).toEqual([schedule, when]);
      await audit();
      expect(errors).not.toHaveBeenCalled();
      await source.query('UPDATE ledger_account SET posted = posted + 1 WHERE id = $1', [SystemAccount.lightning]);
      // While another process audits, this one does not.
      await auditor.startTransaction();
      await auditor.query(claim);
      await audit();
      expect(errors).not.toHaveBeenCalled();
      await auditor.rollbackTransaction();
      for (const times of [1, 2]) {
        await audit();
        expect(errors).toHaveBeenCalledTimes(times);
      }
      const findings = ['currency_unbalanced', 'posted_differs'].map((what) => ({ what, count: 1 }));
      expect(errors).toHaveBeenCalledWith(expect.objectContaining({ event: 'ledger_invariants_violated', findings }), LedgerAuditJob.name);
      await source.query('UPDATE ledger_account SET posted = posted - 1 WHERE id = $1', [SystemAccount.lightning]);
      await audit();
      expect(errors).toHaveBeenCalledTimes(2);
    } finally {
      await auditor.release();
      errors.mockRestore();
    }
  });

  it('reports its progress as metrics', async () => {
    const metrics = new Metrics();
    const job = new LedgerAuditJob(ledger, new Jobs(new JobStore(new Database(poolOf(source)), new SystemClock())));
    new LedgerWatch(new Database(poolOf(source)), ledger, metrics);
    await job.auditWhole();
    await eventually(async () => {
      await job.auditNew();
      return (await ledger.auditMark()).auditedUntil;
    });
    expect(await metrics.text()).toMatch(/^sluice_ledger_audit_age_seconds \d/m);
    expect(await metrics.text()).toMatch(/^sluice_ledger_balance_msat\{account="customers"\} 0$/m);
    expect(await metrics.text()).toMatch(/^sluice_ledger_whole_audit_age_seconds \d/m);
  });
});
