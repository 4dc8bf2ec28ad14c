import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { FUNCTIONS } from '../../migrations/index.js';
import { Ledger1764000002000 } from '../../migrations/1764000002000-ledger.js';
import { loadConfig } from '../../src/config/index.js';
import { AdvisoryLock, Database, openDataSource, poolOf } from '../../src/database/index.js';
import { Jobs, JobStore, type ScheduleHandler } from '../../src/job/index.js';
import { LedgerService } from '../../src/ledger/index.js';
import { LedgerAuditJob } from '../../src/ledger/ledger-audit.job.js';
import { Log } from '../../src/logging/index.js';
import { Metrics } from '../../src/metrics/index.js';
import { dropDatabase } from '../support/database.js';
import { ADMIN } from './ledger-fixture.js';

describe('the audit of the ledger', () => {
  const name = `ledger_${randomUUID().replaceAll('-', '')}`;
  let admin: pg.Client;
  let source: DataSource;
  let ledger: LedgerService;
  let alice: bigint;

  beforeAll(async () => {
    admin = new pg.Client(ADMIN);
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    source = await openDataSource(
      {
        connection: { ...ADMIN, database: name },
        poolSize: 4,
        entities: [],
        migrations: [Ledger1764000002000],
        functions: FUNCTIONS.filter(({ name }) => name.startsWith('ledger_')),
        release: '0.0.0',
      },
      new Log('test'),
    );
    ledger = new LedgerService(new Database(poolOf(source)));
  });

  beforeEach(async () => {
    const [row] = await source.query<{ id: bigint }[]>('SELECT ledger_open(1::smallint) AS id');
    alice = row?.id ?? 0n;
  });

  afterEach(async () => {
    expect(await ledger.audit()).toEqual([]);
  });

  afterAll(async () => {
    await source.destroy();
    await dropDatabase(admin, name);
    await admin.end();
  });

  it('logs a violated invariant as an error, at every interval until it holds', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const auditor = source.createQueryRunner();
    const jobs = new Jobs(new JobStore(new Database(poolOf(source))));
    const schedule = jest.spyOn(jobs, 'schedule');
    const config = loadConfig({ AUDIT_INTERVAL_SECONDS: '3600' }, () => 'k'.repeat(32));
    new LedgerAuditJob(ledger, config, jobs, new Metrics());
    const [[name, when, handle] = []] = schedule.mock.calls;
    const audit = (): ReturnType<ScheduleHandler> | undefined => handle?.({ signal: new AbortController().signal, attempt: 1 });
    try {
      expect([name, when]).toEqual(['ledger_audit', { everySeconds: 3_600, atStart: true }]);
      expect(await audit()).toBe(3_600);
      expect(errors).not.toHaveBeenCalled();
      await source.query('UPDATE ledger_account SET posted = posted + 1 WHERE id = $1', [alice]);
      // While another process holds the audit's lock, this one skips the audit.
      await auditor.query(`SELECT pg_advisory_lock(${AdvisoryLock.ledgerAudit})`);
      await audit();
      expect(errors).not.toHaveBeenCalled();
      await auditor.query(`SELECT pg_advisory_unlock(${AdvisoryLock.ledgerAudit})`);
      await audit();
      const findings = ['currency_unbalanced', 'posted_differs'].map((what) => ({ what, count: 1 }));
      expect(errors.mock.calls).toEqual([
        [expect.objectContaining({ event: 'ledger_invariants_violated', findings }), LedgerAuditJob.name],
      ]);
      await source.query('UPDATE ledger_account SET posted = posted - 1 WHERE id = $1', [alice]);
      await audit();
      expect(errors).toHaveBeenCalledTimes(1);
      expect(await handle?.({ signal: AbortSignal.abort(), attempt: 1 })).toBeUndefined();
    } finally {
      await auditor.release();
      errors.mockRestore();
    }
  });

  it('comes less often once it takes longer than a fiftieth of the interval', async () => {
    const jobs = new Jobs(new JobStore(new Database(poolOf(source))));
    const config = loadConfig({ AUDIT_INTERVAL_SECONDS: '1' }, () => 'k'.repeat(32));
    const slow = { onLockedSystemAccount: () => undefined, auditAlone: () => new Promise((resolve) => setTimeout(() => resolve([]), 60)) };
    const seconds = await new LedgerAuditJob(slow as unknown as LedgerService, config, jobs, new Metrics()).audit();
    expect(seconds).toBeGreaterThan(2.5);
  });
});
