import type { Socket } from 'node:net';
import pg from 'pg';
import { Database, type Statement } from '../../src/platform/database/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { graphql, type GraphQLAnswer } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { calls } from '../support/statements.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } transaction { id } } }`;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } transaction { id } } }`;

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  app = await createTestApp({ env: { RECONCILE_AFTER_SECONDS: '0' } });
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
});
afterEach(async () => {
  expect(await violationsAtRest(app.pool)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(() => app.close());

/** The next call of this statement is executed and committed; then its connection breaks before the answer is read. */
function loseAnswerOf(name: string): void {
  const database = app.get(Database);
  const query = database.query.bind(database);
  database.query = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
    const rows = await query<Row>(statement, values);
    if (!calls(statement, name)) return rows;
    database.query = query;
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  };
}

const answered = (query: string, input: unknown, key?: string): Promise<GraphQLAnswer<Record<string, unknown>>> =>
  graphql(app.url, query, { input }, { ...alice.as('write'), ...(key !== undefined && { 'idempotency-key': key }) });
const toBob = (amount: number): Record<string, unknown> => ({ walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount });

/** Ends the connection of the next call of this statement after the server's commit, as the operating system may do. */
function breakConnectionOf(name: string, code: string): void {
  const master = app.get(pg.Pool);
  const connect = master.connect.bind(master) as (taken: (error: Error | undefined, client: pg.PoolClient) => void) => void;
  master.connect = ((taken: (error: Error | undefined, client: pg.PoolClient, release: (broken?: Error) => void) => void) =>
    connect((unconnected, client) => {
      const query = client.query.bind(client) as Query;
      client.query = ((config, answered) => {
        if (!calls(config, name)) return query(config, answered);
        master.connect = connect as typeof master.connect;
        query(config, () => {
          const broken = Object.assign(new Error(`read ${code}`), { code, errno: -113, syscall: 'read' });
          (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy(broken);
          answered(broken);
        });
      }) as Query as typeof client.query;
      taken(unconnected, client, (broken) => client.release(broken));
    })) as typeof master.connect;
}
type Query = (config: { text: string }, answered: (error: Error | null) => void) => void;

describe('an answer of the database that is lost after the commit', () => {
  it('of an intraledger payment is requested again with the same id, and the money moves once', async () => {
    loseAnswerOf('payment_begin_v2');
    const first = await answered(SEND, toBob(100), 'lost');
    expect(first.data).toMatchObject({ intraLedgerPaymentSend: { status: 'SUCCESS', errors: [] } });
    expect(await bob.sats()).toBe(100);
    expect((await answered(SEND, toBob(100), 'lost')).data).toEqual(first.data);
    expect(await bob.sats()).toBe(100);
  });

  it.each(['EHOSTUNREACH', 'ENETDOWN'])('of a send by %s is never reported as not_sent', async (code) => {
    const before = await bob.sats();
    breakConnectionOf('payment_begin_v2', code);
    expect((await answered(SEND, toBob(10))).data).toMatchObject({ intraLedgerPaymentSend: { status: 'SUCCESS', errors: [] } });
    expect(await bob.sats()).toBe(before + 10);
  });

  it('of an internal payment is reported as settled, without an idempotency key too', async () => {
    const { paymentRequest } = await bob.invoice(50);
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    const before = await bob.sats();
    loseAnswerOf('payment_begin_v2');
    expect((await answered(PAY, input)).data).toMatchObject({ lnInvoicePaymentSend: { status: 'SUCCESS' } });
    expect((await answered(PAY, input)).data).toMatchObject({ lnInvoicePaymentSend: { status: 'ALREADY_PAID' } });
    expect(await bob.sats()).toBe(before + 50);
  });

  it('of a Lightning payment: its own caller dispatches it', async () => {
    const { paymentRequest } = await fixture.outside(200);
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    const before = await alice.sats();
    loseAnswerOf('payment_begin_v2');
    expect((await answered(PAY, input)).data).toMatchObject({ lnInvoicePaymentSend: { status: 'SUCCESS' } });
    expect(before - (await alice.sats())).toBeLessThanOrEqual(202);
  });

  it('of a Lightning payment with an idempotency key: it is sent once, and a repeat gets the same answer', async () => {
    const { paymentRequest } = await fixture.outside(200);
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    const before = await alice.sats();
    loseAnswerOf('payment_begin_v2');
    const first = await answered(PAY, input, 'outside');
    expect(first.data).toMatchObject({ lnInvoicePaymentSend: { status: 'SUCCESS' } });
    expect((await answered(PAY, input, 'outside')).data).toEqual(first.data);
    expect(before - (await alice.sats())).toBeLessThanOrEqual(202);
  });

  it('to the caller of a failed payment: a repeat gets the same answer, with its transaction', async () => {
    const { paymentRequest } = await fixture.outside(100, { fail: 'no_route' });
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    const first = await answered(PAY, input, 'failed');
    expect(first.data).toMatchObject({
      lnInvoicePaymentSend: {
        status: 'FAILURE',
        errors: [{ code: 'ROUTE_FINDING_ERROR' }],
        transaction: { id: expect.any(String) as string },
      },
    });
    // As a process leaves the key that stops before it stores its answer, once its lease has ended.
    await app.pool.query(`UPDATE idempotency SET state = 'running', answer = NULL, claim = NULL, claimed_until = now()`);
    expect((await answered(PAY, input, 'failed')).data).toEqual(first.data);
  });

  it('of a payment’s end is charged once', async () => {
    const { paymentRequest } = await fixture.outside(100);
    const before = await alice.sats();
    loseAnswerOf('payment_finish');
    expect((await answered(PAY, { walletId: alice.wallets.BTC, paymentRequest })).data).toMatchObject({
      lnInvoicePaymentSend: { status: 'SUCCESS' },
    });
    expect(before - (await alice.sats())).toBeLessThanOrEqual(102);
  });

  it('of a settlement is credited once', async () => {
    const before = await bob.sats();
    loseAnswerOf('invoice_settle');
    await fixture.fund(bob, 70);
    await fixture.fund(bob, 30);
    expect(await bob.sats()).toBe(before + 100);
  });
});
