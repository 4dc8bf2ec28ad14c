import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { FUNCTIONS } from '../../migrations/index.js';
import { Ledger1764000002000 } from '../../migrations/1764000002000-ledger.js';
import { loadConfig } from '../../src/config/index.js';
import { AdvisoryLock, Database, openDataSource, poolOf } from '../../src/database/index.js';
import { Clock } from '../../src/kernel/clock.js';
import { LedgerService, SystemAccount, type LedgerLeg, type LedgerOperation } from '../../src/ledger/index.js';
import { LedgerAuditJob } from '../../src/ledger/ledger-audit.job.js';
import { Log } from '../../src/logging/index.js';
import { Loops } from '../../src/loop/index.js';
import { Metrics } from '../../src/metrics/index.js';
import { dropDatabase } from '../support/database.js';
import { ADMIN } from './ledger-fixture.js';

const leg = (accountId: bigint, amount: bigint): LedgerLeg => ({ accountId, amount });
const post = (...legs: LedgerLeg[]): LedgerOperation => ({ op: 'post', key: randomUUID(), kind: 1, legs });

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

describe('LedgerService', () => {
  const name = `ledger_${randomUUID().replaceAll('-', '')}`;
  let admin: pg.Client;
  let source: DataSource;
  let ledger: LedgerService;
  let alice: bigint;
  let bob: bigint;

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
        release: '0',
      },
      new Log('test'),
    );
    ledger = new LedgerService(new Database(poolOf(source)));
  });

  beforeEach(async () => {
    const rows = await source.query<{ id: bigint }[]>('SELECT ledger_open(1::smallint) AS id FROM generate_series(1, 2)');
    [alice = 0n, bob = 0n] = rows.map(({ id }) => id);
  });

  afterEach(async () => {
    expect(await ledger.audit()).toEqual([]);
  });

  afterAll(async () => {
    await source.destroy();
    await dropDatabase(admin, name);
    await admin.end();
  });

  it('posts, holds, captures and voids, each with its own result', async () => {
    const [kept, dropped] = [randomUUID(), randomUUID()];
    const results = await ledger.apply([
      post(leg(SystemAccount.lightning, -1_000n), leg(alice, 1_000n)),
      { op: 'hold', key: kept, kind: 2, accountId: alice, amount: 500n },
      { op: 'hold', key: dropped, kind: 2, accountId: alice, amount: 501n },
      { op: 'hold', key: dropped, kind: 2, accountId: alice, amount: 400n },
      { op: 'capture', key: randomUUID(), kind: 3, holdId: kept, legs: [leg(alice, -300n), leg(bob, 290n), leg(SystemAccount.fees, 10n)] },
      { op: 'void', key: randomUUID(), kind: 4, holdId: kept },
    ]);
    expect(results).toEqual(['ok', 'ok', 'insufficient', 'ok', 'ok', 'hold_not_open']);
    expect(await ledger.balances([alice, bob, 404n])).toEqual(new Map([[alice, { posted: 700n, held: 400n }], [bob, { posted: 290n, held: 0n }]])); // prettier-ignore
    expect(await ledger.apply([{ op: 'void', key: randomUUID(), kind: 4, holdId: dropped }])).toEqual(['ok']);
    expect((await ledger.balances([alice])).get(alice)).toEqual({ posted: 700n, held: 0n });
  });

  it('returns invalid for values that PostgreSQL cannot parse, without effect on other operations', async () => {
    const good = (): LedgerOperation => post(leg(SystemAccount.lightning, -1n), leg(alice, 1n));
    const odd: LedgerOperation[] = [
      { ...good(), key: 'no uuid' }, { ...good(), kind: 40_000 }, { ...good(), kind: 1.5 }, post(leg(SystemAccount.lightning, -1n), leg(2n ** 63n, 1n)),
      { op: 'void', key: randomUUID(), kind: 1, holdId: "'" }, post(),
    ]; // prettier-ignore
    const results = await ledger.apply([good(), ...odd, post(leg(SystemAccount.lightning, -(2n ** 200n)), leg(alice, 2n ** 200n)), good()]);
    expect(results).toEqual(['ok', ...odd.map(() => 'invalid'), 'out_of_range', 'ok']);
  });

  it('batches simultaneous calls', async () => {
    const results = await Promise.all(
      Array.from({ length: 500 }, () => ledger.apply([post(leg(SystemAccount.lightning, -1n), leg(alice, 1n))])),
    );
    expect(results.flat().filter((result) => result === 'ok')).toHaveLength(500);
    const [calls] = await source.query<{ n: number }[]>(
      'SELECT count(DISTINCT created_at)::int AS n FROM ledger_journal j JOIN ledger_entry e ON e.journal_id = j.id WHERE e.account_id = $1',
      [alice],
    );
    expect(calls?.n).toBeLessThan(10);
  });

  it('rejects every caller of a batch when the database fails', async () => {
    const other = await new DataSource({ type: 'postgres', extra: { ...ADMIN, database: name } }).initialize();
    const service = new LedgerService(new Database(poolOf(other)));
    expect(await service.apply([post(leg(1n, -1n), leg(2n, 1n))])).toEqual(['unknown_account']);
    await other.destroy();
    const results = await Promise.allSettled([service.apply([post(leg(1n, 1n))]), service.apply([post(leg(1n, 1n))])]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('is audited: a violated invariant is logged as an error, at start and at every interval until it holds', async () => {
    const clock = new TurnedClock();
    const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const auditor = source.createQueryRunner();
    const metrics = new Metrics();
    const watch = new LedgerAuditJob(
      ledger,
      loadConfig({ AUDIT_INTERVAL_SECONDS: '3600' }, () => 'k'.repeat(32)),
      new Loops(clock, metrics),
      metrics,
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
      await turn();
      expect(errors).not.toHaveBeenCalled();
      expect(clock.waiting?.delayMs).toBeGreaterThan(3_600_000 * 0.9);
      expect(clock.waiting?.delayMs).toBeLessThanOrEqual(3_600_000);
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
