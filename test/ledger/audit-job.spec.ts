import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import { FUNCTIONS } from '../../migrations/index.js';
import { Ledger1764000002000 } from '../../migrations/1764000002000-ledger.js';
import { loadConfig } from '../../src/config/index.js';
import { AdvisoryLock, Database, openDataSource, poolOf } from '../../src/database/index.js';
import { Clock } from '../../src/kernel/clock.js';
import { LedgerService } from '../../src/ledger/index.js';
import { LedgerAuditJob } from '../../src/ledger/ledger-audit.job.js';
import { Log } from '../../src/logging/index.js';
import { Metrics } from '../../src/metrics/index.js';
import { dropDatabase } from '../support/database.js';
import { ADMIN } from './ledger-fixture.js';

/** A clock that the test turns: delayed work runs when the test calls it. */
class TurnedClock extends Clock {
  waiting: { delayMs: number; work: () => void } | undefined;

  override now(): number {
    return 0;
  }

  override timeout(delayMs: number, work: () => void): () => void {
    this.waiting = { delayMs, work };
    return () => (this.waiting = undefined);
  }
}

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

  it('logs a violated invariant as an error, at start and at every interval until it holds', async () => {
    const clock = new TurnedClock();
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const auditor = source.createQueryRunner();
    const watch = new LedgerAuditJob(
      ledger,
      clock,
      loadConfig({ AUDIT_INTERVAL_SECONDS: '3600' }, () => 'k'.repeat(32)),
      new Metrics(),
    );
    const audited = async (): Promise<void> => {
      while (!clock.waiting) await new Promise(setImmediate);
    };
    const turn = async (): Promise<void> => {
      const { work } = clock.waiting ?? {};
      clock.waiting = undefined;
      work?.();
      await audited();
    };
    try {
      watch.onApplicationBootstrap();
      await audited();
      expect(errors).not.toHaveBeenCalled();
      expect(clock.waiting?.delayMs).toBe(3_600_000);
      await source.query('UPDATE ledger_account SET posted = posted + 1 WHERE id = $1', [alice]);
      // While another process holds the audit's lock, this one skips the audit.
      await auditor.query(`SELECT pg_advisory_lock(${AdvisoryLock.ledgerAudit})`);
      await turn();
      expect(errors).not.toHaveBeenCalled();
      await auditor.query(`SELECT pg_advisory_unlock(${AdvisoryLock.ledgerAudit})`);
      await turn();
      const findings = ['currency_unbalanced', 'posted_differs'].map((what) => ({ what, count: 1 }));
      expect(errors.mock.calls).toEqual([
        [expect.objectContaining({ event: 'ledger_invariants_violated', findings }), LedgerAuditJob.name],
      ]);
      await source.query('UPDATE ledger_account SET posted = posted - 1 WHERE id = $1', [alice]);
      await turn();
      expect(errors).toHaveBeenCalledTimes(1);
      watch.beforeApplicationShutdown();
      expect(clock.waiting).toBeUndefined();
    } finally {
      await auditor.release();
      errors.mockRestore();
    }
  });
});
