import pg from 'pg';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { LightningBackend } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { calls } from '../support/statements.js';
import { StallingProxy } from './stalling-proxy.js';

const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status } }`;
const WAITS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payment_dispatch%'`;
const LEASE_SECONDS = 10;

let database: TestDatabase;
let proxy: StallingProxy;
let app: TestApp;
let fixture: Fixture;
let alice: Person;
let direct: pg.Pool;
let pays: jest.SpyInstance;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await StallingProxy.start(database.connection);
  direct = new pg.Pool({ ...database.connection, max: 4 });
  app = await createTestApp({
    database: { ...database, connection: proxy.connection, drop: async () => undefined },
    // The test alone ends a wait for a lock, and no round of the reconciler ends a payment.
    env: { DATABASE_LOCK_MS: '10000', PAYMENT_LEASE_SECONDS: String(LEASE_SECONDS), RECONCILE_AFTER_SECONDS: '3600' },
  });
  fixture = new Fixture(app);
  alice = await fixture.user({ sats: 10_000 });
  pays = jest.spyOn(app.get(LightningBackend), 'pay');
});
beforeEach(() => pays.mockClear());
afterEach(async () => {
  jest.restoreAllMocks();
  pays = jest.spyOn(app.get(LightningBackend), 'pay');
  expect(await violationsAtRest(direct)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(async () => {
  await app?.close();
  await direct?.end();
  await proxy?.close();
  await database?.drop();
});

type Send = <Row>(statement: Statement, values?: readonly unknown[]) => Promise<Row[]>;

/** Sends the statements of dispatches by `way`, until the test ends. The first is 1. */
function dispatchesGo(way: (send: () => Promise<unknown[]>, id: string, nth: number) => Promise<unknown[]>): void {
  const db = app.get(Database);
  const query: Send = db.query.bind(db);
  let nth = 0;
  jest.spyOn(db, 'query').mockImplementation(async (statement: Statement, values: readonly unknown[] = []) => {
    const send = (): Promise<unknown[]> => query<unknown>(statement, values);
    if (!calls(statement, 'payment_dispatch')) return send();
    const [claim = ''] = values[0] as string[];
    return way(send, /[\w-]{36}/.exec(claim)?.[0] ?? '', ++nth);
  });
}

const is = async (condition: string, id: string): Promise<boolean> =>
  (await direct.query<{ is: boolean }>(`SELECT ${condition} AS is FROM payment WHERE id = $1`, [id])).rows[0]?.is === true;
const waiters = async (): Promise<number> => (await direct.query(WAITS)).rows.length;

/** Sends a dispatch that waits for its payment's row. */
async function sendBehindLock(
  send: () => Promise<unknown[]>,
  id: string,
): Promise<{ sent: Promise<unknown[]>; unlock: () => Promise<void> }> {
  const holder = await direct.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM payment WHERE id = $1 FOR UPDATE', [id]);
  const sent = send();
  sent.catch(() => undefined);
  await eventually(async () => (await waiters()) === 1);
  return {
    sent,
    unlock: async () => {
      await holder.query('ROLLBACK');
      holder.release();
    },
  };
}

const lost = (): Promise<never> => Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
const pay = async (paymentRequest: string): Promise<unknown> =>
  (await graphql(app.url, PAY, { input: { walletId: alice.wallets.BTC, paymentRequest } }, alice.as('write'))).data;
const paid = (status: string): unknown => ({ lnInvoicePaymentSend: { status } });

describe('an answer to payment_dispatch that is lost', () => {
  it('after the commit, with its connection, is requested again under the same token, and the payment is sent once', async () => {
    const { paymentRequest } = await fixture.outside(100);
    dispatchesGo(async (send, id, nth) => {
      if (nth > 1) return send();
      // It has its connection by then: a stall before would let others keep all of them.
      const { sent, unlock } = await sendBehindLock(send, id);
      proxy.stall({ answersOnly: true });
      await unlock();
      await eventually(() => is('dispatched_at IS NOT NULL', id));
      proxy.cut();
      return sent;
    });
    expect(await pay(paymentRequest)).toEqual(paid('SUCCESS'));
    expect(pays).toHaveBeenCalledTimes(1);
    expect(app.logs.filter((line) => line.includes('payment_dispatch_unconfirmed'))).toHaveLength(1);
    expect(app.logs.filter((line) => line.includes('dispatcher.ts'))).toEqual([]);
  });

  it('while the statement waits for a lock: its repeat waits too, and the payment is sent once', async () => {
    const { paymentRequest } = await fixture.outside(100);
    let asked = 0;
    let unlock = (): Promise<unknown> => Promise.resolve();
    dispatchesGo(async (send, id, nth) => {
      asked = nth;
      if (nth > 1) return send();
      const behind = await sendBehindLock(send, id);
      unlock = behind.unlock;
      proxy.cut();
      return behind.sent;
    });
    const answer = pay(paymentRequest);
    // The server may have dropped the first by then: it checks every two seconds whether its client is still connected.
    await eventually(async () => asked === 2 && (await waiters()) >= 1);
    expect(pays).not.toHaveBeenCalled();
    await unlock();
    expect(await answer).toEqual(paid('SUCCESS'));
    expect(pays).toHaveBeenCalledTimes(1);
  });

  it('until the lease is over: the payment is not sent, and the hold is void as soon as the database answers', async () => {
    const before = await alice.sats();
    const { paymentRequest, paymentHash } = await fixture.outside(100);
    let first = 0;
    dispatchesGo(async (send) => {
      first ||= performance.now();
      const rows = await send();
      return performance.now() - first < (LEASE_SECONDS * 1000) / 2 ? lost() : rows;
    });
    expect(await pay(paymentRequest)).toEqual(paid('FAILURE'));
    expect(pays).not.toHaveBeenCalled();
    const { rows } = await direct.query('SELECT state, failure FROM payment WHERE payment_hash = $1', [paymentHash]);
    expect(rows).toEqual([{ state: 'failed', failure: 'never_sent' }]);
    expect(await alice.sats()).toBe(before);
  });

  it('and whose payment ended meanwhile: it is not sent', async () => {
    const { paymentRequest } = await fixture.outside(100);
    let repeated: unknown;
    dispatchesGo(async (send, id, nth) => {
      if (nth > 1) return (repeated = await send());
      await direct.query(`SELECT payment_finish(ARRAY[ROW($1, 'unsent', 0, NULL, 'never_sent')::payment_resolution])`, [id]);
      return lost();
    });
    expect(await pay(paymentRequest)).toEqual(paid('FAILURE'));
    // The end of the payment answers the caller, perhaps before the dispatch is repeated.
    await eventually(() => repeated !== undefined);
    expect(repeated).toEqual([{ codes: ['refused'] }]);
    expect(pays).not.toHaveBeenCalled();
  });

  it('is returned to the token that requested it only, and a repeat does not change the time of the dispatch', async () => {
    const { paymentRequest } = await fixture.outside(100);
    const told: unknown[] = [];
    dispatchesGo(async (send, id) => {
      const [mine, other] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
      const ask = async (...tokens: string[]): Promise<void> => {
        const { rows } = await direct.query<{ codes: string[]; at: Date }>(
          'SELECT payment_dispatch(ARRAY(SELECT ROW($1, t)::payment_claim FROM unnest($2::uuid[]) AS t)) AS codes',
          [id, tokens],
        );
        told.push(...(rows[0]?.codes ?? []));
      };
      await ask(mine, other);
      const { rows } = await direct.query<{ at: string }>('SELECT dispatched_at::text AS at FROM payment WHERE id = $1', [id]);
      await ask(other);
      await ask(mine);
      expect(await is(`dispatched_at::text = '${rows[0]?.at ?? ''}'`, id)).toBe(true);
      const refused = await send();
      await direct.query(`SELECT payment_finish(ARRAY[ROW($1, 'failed', 0, NULL, 'never_sent')::payment_resolution])`, [id]);
      await ask(mine);
      return refused;
    });
    expect(await pay(paymentRequest)).toEqual(paid('FAILURE'));
    expect(told).toEqual(['taken', 'refused', 'refused', 'taken', 'refused']);
    expect(pays).not.toHaveBeenCalled();
  });
});
