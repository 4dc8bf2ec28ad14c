import pg from 'pg';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status } }`;
const LOCKS: readonly (readonly [string, string])[] = [
  ['the payment', 'SELECT 1 FROM payment WHERE payment_hash = $1 FOR UPDATE'],
  [
    'the account of the payer',
    `SELECT 1 FROM ledger_account a JOIN wallet w ON w.ledger_account_id = a.id JOIN payment p ON p.wallet_id = w.id
      WHERE p.payment_hash = $1 FOR UPDATE OF a`,
  ],
  ['the hold', 'SELECT 1 FROM ledger_hold h JOIN payment p ON p.id = h.id WHERE p.payment_hash = $1 FOR UPDATE OF h'],
  ['the row of the history', 'SELECT 1 FROM transaction WHERE payment_hash = $1 FOR UPDATE'],
];

let app: TestApp;
let fixture: Fixture;
let direct: pg.Pool;
let payer: Person;
let others: Person[];

beforeAll(async () => {
  // No round of the reconciler: the node's answer alone causes the booking.
  app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '3600' } });
  direct = new pg.Pool({ ...app.database.connection, max: 2 });
  fixture = new Fixture(app);
  payer = await fixture.user({ sats: 10_000 });
  others = await Promise.all(Array.from({ length: 3 }, () => fixture.user({ sats: 10_000 })));
});
afterEach(async () => {
  expect(await violationsAtRest(direct)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(async () => {
  await direct?.end();
  await app?.close();
});

/** Begins a payment that the node holds. @returns its hash */
async function held(from: Person): Promise<string> {
  const { paymentRequest, paymentHash } = await fixture.outside(100, { hold: true });
  const { data } = await graphql(app.url, PAY, { input: { walletId: from.wallets.BTC, paymentRequest } }, from.as('write'));
  expect(data).toEqual({ lnInvoicePaymentSend: { status: 'PENDING' } });
  return paymentHash;
}

const statesOf = async (hashes: readonly string[]): Promise<string[]> => {
  const { rows } = await direct.query<{ status: string }>(
    'SELECT status FROM transaction WHERE payment_hash = ANY ($1) ORDER BY created_at',
    [hashes],
  );
  return rows.map(({ status }) => status);
};
const are = async (status: string, ...hashes: readonly string[]): Promise<boolean> =>
  (await statesOf(hashes)).every((one) => one === status);

/** Runs `work` while another transaction locks rows of one payment. */
async function whileLocked(sql: string, paymentHash: string, work: () => Promise<void>): Promise<void> {
  const client = await direct.connect();
  try {
    await client.query('BEGIN');
    expect((await client.query(sql, [paymentHash])).rowCount).toBe(1);
    await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('a payment row that another transaction locks', () => {
  it.each(LOCKS)('delays the end of no other payment, and ends when the lock is released: %s', async (_what, sql) => {
    const locked = await held(payer);
    const free = await Promise.all(others.map(held));
    const before = await payer.sats();
    await whileLocked(sql, locked, async () => {
      await Promise.all([locked, ...free].map((hash) => fixture.release(hash)));
      await eventually(() => are('SUCCESS', ...free));
      expect(await are('PENDING', locked)).toBe(true);
    });
    await eventually(() => are('SUCCESS', locked));
    expect(await payer.sats()).toBeGreaterThanOrEqual(before);
  });

  it('that cannot be read when its payer is answered is still named by its id', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(100, { hold: true });
    const document = `mutation ($input: LnInvoicePaymentInput!) { mine: lnInvoicePaymentSend(input: $input) { status transaction { id } } }`;
    // It reads nothing of the payment before the table is locked.
    const database = app.get(Database);
    const query = database.query.bind(database);
    let letRead: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (letRead = resolve));
    database.query = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
      if (statement.text.includes('FROM transaction')) await isLocked;
      return query<Row>(statement, values);
    };
    const answer = graphql(app.url, document, { input: { walletId: payer.wallets.BTC, paymentRequest } }, payer.as('write'));
    await eventually(async () => (await statesOf([paymentHash])).length > 0);
    const client = await direct.connect();
    try {
      await client.query('BEGIN; LOCK TABLE transaction IN ACCESS EXCLUSIVE MODE');
      letRead();
      expect((await answer).data).toEqual({ mine: { status: 'PENDING', transaction: null } });
    } finally {
      await client.query('ROLLBACK');
      client.release();
      database.query = query;
    }
    const { rows } = await direct.query<{ id: string }>('SELECT id FROM transaction WHERE payment_hash = $1', [paymentHash]);
    expect((await answer).extensions).toEqual({ unconfirmedTransactionIds: { mine: rows[0]?.id } });
    await fixture.release(paymentHash);
    await eventually(() => are('SUCCESS', paymentHash));
  });

  it('that failed releases its invoice when the lock is released', async () => {
    const before = await payer.sats();
    const locked = await held(payer);
    const free = await held(others[0] as Person);
    await whileLocked('SELECT 1 FROM payment WHERE payment_hash = $1 FOR UPDATE', locked, async () => {
      await fixture.release(locked, 'no_route');
      await fixture.release(free);
      await eventually(() => are('SUCCESS', free));
    });
    await eventually(() => are('FAILURE', locked));
    expect(await payer.sats()).toBe(before);
  });
});
