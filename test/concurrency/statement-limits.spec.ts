import type pg from 'pg';
import { AdvisoryLock, Database, mayTakeLong, sql } from '../../src/platform/database/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { LedgerService } from '../../src/money/ledger/index.js';
import { Fixture, type Person } from '../support/fixture.js';

/** PostgreSQL's limits are below the client's three seconds: 2.4 s for a statement, and 300 ms for a lock. */
const ENV = { DATABASE_STATEMENT_SECONDS: '3', DATABASE_LOCK_MS: '300', DATABASE_POOL_SIZE: '4' };

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  app = await createTestApp({ env: ENV });
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

/** Statements of the application that run in its database. */
const running = async (like: string): Promise<number> =>
  (
    await app.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' AND query LIKE $1`,
      [like],
    )
  ).rowCount ?? 0;

async function whileLocked<T>(lock: string, work: (locker: pg.PoolClient) => Promise<T>): Promise<T> {
  const locker = await app.pool.connect();
  try {
    await locker.query(`BEGIN; ${lock}`);
    return await work(locker);
  } finally {
    await locker.query('ROLLBACK');
    locker.release();
  }
}

describe('a statement', () => {
  it('that takes too long is cancelled by PostgreSQL', async () => {
    const codeOf = (error: { readonly code?: string }): string | undefined => error.code;
    // A process that stands still for longer than is between the two limits notices its own first: once in many attempts.
    await eventually(
      async () =>
        (await app
          .get(Database)
          .query(sql`SELECT pg_sleep(60)`)
          .then(() => '', codeOf)) === '57014',
    );
    expect(await running('%pg_sleep(60)%')).toBe(0);
  });

  it('that waits too long for a lock is refused, and its transaction rolled back', async () => {
    await whileLocked(`SELECT FROM app_user WHERE id = '${bob.userId}' FOR UPDATE`, async () => {
      const work = app.get(Database).transaction(async (tx) => {
        await tx.query(sql`UPDATE app_user SET username = $2 WHERE id = $1`, [alice.userId, 'renamed']);
        await tx.query(sql`SELECT FROM app_user WHERE id = $1 FOR UPDATE`, [bob.userId]);
      });
      await expect(work).rejects.toMatchObject({ code: '55P03' });
    });
    const { rows } = await app.pool.query('SELECT username FROM app_user WHERE id = $1', [alice.userId]);
    expect(rows).toEqual([{ username: alice.username }]);
  });

  it('that is exempt has no limit', async () => {
    const statement = mayTakeLong(sql`SELECT pg_sleep(1.2)::text AS slept`);
    expect(await app.get(Database).query(statement)).toHaveLength(1);
  });

  it('is cancelled by the server when its client disconnects, where supported', async () => {
    const setting = sql`SELECT current_setting('client_connection_check_interval') AS value`;
    expect(await app.get(Database).query(setting)).toEqual([{ value: process.platform === 'linux' ? '2s' : '0' }]);
  });
});

describe('a locked system account', () => {
  it('is logged as an error once for all waiting callers, and money moves again afterwards', async () => {
    const { paymentRequest } = await fixture.outside(10);
    await whileLocked('SELECT FROM ledger_account WHERE id = -2 FOR UPDATE', async () => {
      await app
        .get(Database)
        .query(sql`SELECT FROM ledger_account WHERE id = -2 FOR UPDATE`)
        .catch(() => undefined);
      await app
        .get(Database)
        .query(sql`SELECT FROM ledger_account WHERE id = -2 FOR UPDATE`)
        .catch(() => undefined);
      await eventually(async () => (await app.get(Metrics).text()).includes('sluice_ledger_system_account_locked_total{account="fees"} 2'));
    });
    expect(app.logs.filter((line) => line.includes('System account fees is locked by another session'))).toHaveLength(1);
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is not logged as an error for a customer’s account', async () => {
    await whileLocked('SELECT FROM ledger_account WHERE id > 0 FOR UPDATE', () =>
      expect(app.get(Database).query(sql`SELECT FROM ledger_account WHERE id > 0 FOR UPDATE`)).rejects.toMatchObject({ code: '55P03' }),
    );
    expect(app.logs.filter((line) => line.includes('is locked by another session'))).toHaveLength(1);
  });
});

describe('a read-only server', () => {
  it('is disconnected: its connection is not used again', async () => {
    const database = app.get(Database);
    const pid = sql`SELECT pg_backend_pid() AS pid`;
    let dropped = 0;
    const work = database.transaction(async (tx) => {
      dropped = (await tx.query<{ pid: number }>(pid))[0]?.pid ?? 0;
      await tx.query(sql`SET TRANSACTION READ ONLY`);
      await tx.query(sql`UPDATE app_user SET username = username`);
    });
    await expect(work).rejects.toMatchObject({ code: '25006' });
    await eventually(async () => (await app.pool.query('SELECT FROM pg_stat_activity WHERE pid = $1', [dropped])).rowCount === 0);
  });
});

describe('the audit', () => {
  it('runs in one process at a time', async () => {
    await whileLocked(`SELECT pg_advisory_xact_lock(${AdvisoryLock.ledgerAudit})`, async () => {
      expect(await app.get(LedgerService).auditAlone()).toBeNull();
      expect(await app.get(LedgerService).audit()).toEqual([]);
    });
    expect(await app.get(LedgerService).auditAlone()).toEqual([]);
  });
});
