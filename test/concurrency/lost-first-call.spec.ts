import pg from 'pg';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql, type GraphQLAnswer } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { StallingProxy } from './stalling-proxy.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { mine: intraLedgerPaymentSend(input: $input) { status errors { code } transaction { id } } }`;
const BY_ID = `query ($id: ID!) { me { defaultAccount { wallets { ... on BTCWallet { transactionById(transactionId: $id) { id status } } } } } }`;
const WAITS = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query_start > $1 ORDER BY query_start`;
const LOCK = 'SELECT 1 FROM ledger_account a JOIN wallet w ON w.ledger_account_id = a.id WHERE w.id = $1 FOR UPDATE OF a';

/** The test alone ends a wait for a lock. */
const LONG_LOCKS = { DATABASE_LOCK_MS: '10000' };

type Answer = GraphQLAnswer<{ mine: { status: string; transaction: { id: string } | null } }> & {
  readonly extensions?: { readonly unconfirmedTransactionIds?: Readonly<Record<string, string>> };
};

let database: TestDatabase;
let proxy: StallingProxy;
let app: TestApp;
let hasty: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
let direct: pg.Pool;
let lockedAt: string;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await StallingProxy.start(database.connection);
  direct = new pg.Pool({ ...database.connection, max: 4 });
  const through = { ...database, connection: proxy.connection, drop: async () => undefined };
  app = await createTestApp({ database: through, env: LONG_LOCKS });
  hasty = await createTestApp({ database: through, env: { ...LONG_LOCKS, PAYMENT_WAIT_SECONDS: '1' } });
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user()];
  expect((await send(app, 1)).data).toMatchObject({ mine: { status: 'SUCCESS' } });
  expect((await send(hasty, 1)).data).toMatchObject({ mine: { status: 'SUCCESS' } });
});
afterEach(async () => {
  expect(await violationsAtRest(direct)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(async () => {
  await hasty?.close();
  await app?.close();
  await direct?.end();
  await proxy?.close();
  await database?.drop();
});

const send = (to: TestApp, amount: number, key?: string): Promise<Answer> =>
  graphql(
    to.url,
    SEND,
    { input: { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount } },
    { ...alice.as('write'), ...(key !== undefined && { 'idempotency-key': key }) },
  );

/** Runs `work` while another transaction locks alice's account. */
async function whileLocked<T>(work: (release: () => Promise<void>) => Promise<T>): Promise<T> {
  const client = await direct.connect();
  await client.query('BEGIN');
  await client.query(LOCK, [alice.wallets.BTC]);
  lockedAt = (await client.query<{ at: string }>('SELECT clock_timestamp()::text AS at')).rows[0]?.at ?? '';
  let isOpen = true;
  const release = async (): Promise<void> => {
    if (isOpen) await client.query('ROLLBACK');
    isOpen = false;
  };
  try {
    return await work(release);
  } finally {
    await release();
    client.release();
  }
}

/** The sessions that have begun to wait since the lock is held, the one that has waited longest first; none of an earlier test. */
const waiting = async (): Promise<number[]> => (await direct.query<{ pid: number }>(WAITS, [lockedAt])).rows.map(({ pid }) => pid);
const aSessionWaits = (): Promise<boolean> => eventually(async () => (await waiting()).length > 0);

describe('a first call that waits for a lock when its connection closes', () => {
  it('is sent again at once, and the caller gets the result after the lock', async () => {
    const before = await bob.sats();
    const answer = await whileLocked(async (release) => {
      const sent = send(app, 100);
      await aSessionWaits();
      proxy.cut();
      await eventually(async () => (await app.get(Metrics).text()).includes('sluice_payment_answers_lost_total 1'));
      await release();
      return sent;
    });
    expect(answer).toMatchObject({ data: { mine: { status: 'SUCCESS', transaction: { id: expect.any(String) as string } } } });
    expect((await bob.sats()) - before).toBe(100);
  });

  it('is no failure while repeats are refused: their result says nothing about the first call', async () => {
    const before = await bob.sats();
    const answer = await whileLocked(async (release) => {
      const sent = send(app, 50);
      await aSessionWaits();
      const first = (await waiting())[0];
      proxy.cut();
      const refused = new Set<number>();
      await eventually(async () => {
        for (const pid of await waiting()) {
          if (pid === first || refused.has(pid)) continue;
          await direct.query('SELECT pg_cancel_backend($1)', [pid]);
          refused.add(pid);
        }
        return refused.size >= 3;
      });
      await release();
      return sent;
    });
    expect(answer.data).toMatchObject({ mine: { status: 'SUCCESS' } });
    expect((await bob.sats()) - before).toBe(50);
  });

  it('is PENDING without a transaction when the wait ends before a verdict, is not stored under its key, and is found by its id', async () => {
    const before = await bob.sats();
    const answer = await whileLocked(async (release) => {
      const sent = send(hasty, 25, 'unconfirmed');
      await aSessionWaits();
      proxy.cut();
      const told = await sent;
      await release();
      return told;
    });
    expect(answer.errors).toBeUndefined();
    expect(answer.data).toEqual({ mine: { status: 'PENDING', errors: [], transaction: null } });
    const id = answer.extensions?.unconfirmedTransactionIds?.['mine'] ?? '';
    expect(answer.extensions).toEqual({ unconfirmedTransactionIds: { mine: expect.stringMatching(/^[0-9a-f-]{36}$/) as string } });

    // The same key has the same id, and moves nothing again.
    const again = await eventually(async () => {
      const repeated = await send(hasty, 25, 'unconfirmed');
      return repeated.data?.mine.status === 'SUCCESS' ? repeated : undefined;
    });
    expect(again.data?.mine.transaction).toEqual({ id });
    expect(again.extensions).toBeUndefined();
    expect((await bob.sats()) - before).toBe(25);
    const { data } = await eventually(async () => {
      const found = await graphql(app.url, BY_ID, { id }, alice.as('read'));
      return found.data ? found : undefined;
    });
    expect(JSON.stringify(data)).toContain(`"${id}","status":"SUCCESS"`);
  });
});
