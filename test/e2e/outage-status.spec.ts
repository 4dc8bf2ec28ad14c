import { Database, type Statement } from '../../src/platform/database/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { post, type HttpAnswer } from '../support/http.js';
import { Fixture, type Person } from '../support/fixture.js';

const SEND = 'intraLedgerPaymentSend(input: $input) { status errors { code } }';
const ONE = `mutation ($input: IntraLedgerPaymentSendInput!) { ${SEND} }`;
const TWO = `mutation ($input: IntraLedgerPaymentSendInput!) { one: ${SEND} two: ${SEND} }`;
const CREATE = 'mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash } } }';
const DONE = { status: 'SUCCESS', errors: [] };
const AWAY = { extensions: { code: 'SERVICE_UNAVAILABLE' } };

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
let restore: () => void = () => undefined;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  // This fills the caches of keys and wallets.
  expect((await send(ONE)).body).toEqual({ data: { intraLedgerPaymentSend: DONE } });
  expect((await read()).status).toBe(200);
  await alice.invoice(1);
});
afterEach(async () => {
  restore();
  expect(await violationsAtRest(app.pool)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(() => app.close());

/** From the n-th statement with such a text on, the database is away. */
function away(texts: RegExp, n = 1, code = 'ECONNREFUSED'): void {
  const database = app.get(Database);
  const query = database.query.bind(database);
  let seen = 0;
  restore = () => (database.query = query);
  database.query = <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
    if (texts.test(statement.text) && ++seen >= n) return Promise.reject(Object.assign(new Error('connect failed'), { code }));
    return query<Row>(statement, values);
  };
}

const ask = (query: string, variables: object, credential: Readonly<Record<string, string>>): Promise<HttpAnswer> =>
  post(`${app.url}/graphql`, { query, variables }, credential);
const send = (query: string, key?: string): Promise<HttpAnswer> =>
  ask(
    query,
    { input: { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 10 } },
    { ...alice.as('write'), ...(key !== undefined && { 'idempotency-key': key }) },
  );
const read = (): Promise<HttpAnswer> => ask('{ me { defaultAccount { wallets { balance } } } }', {}, alice.as('read'));

function expectAway(answer: HttpAnswer): void {
  expect([answer.status, answer.body.errors]).toMatchObject([503, [AWAY]]);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('an outage of the database', () => {
  it.each([
    ['at the root', /FROM app_user u WHERE u\.id = ANY/],
    ['below it', /FROM account a JOIN wallet w/],
  ])('gives 503 to a query: %s', async (_where, texts) => {
    away(texts);
    expectAway(await read());
  });

  it('gives 503 to a mutation that certainly did nothing', async () => {
    const before = await bob.sats();
    away(/payment_begin_v2\(/);
    expectAway(await send(ONE));
    expectAway(await send(TWO));
    restore();
    expect(await bob.sats()).toBe(before);
  });

  it('gives 200 with the data, when one of two sends was carried out', async () => {
    const before = await bob.sats();
    away(/payment_begin_v2\(/, 2);
    const { status, body } = await send(TWO);
    restore();
    expect([status, body]).toMatchObject([200, { data: { one: DONE, two: { status: null, errors: [{ code: 'SERVICE_UNAVAILABLE' }] } } }]);
    expect(await bob.sats()).toBe(before + 10);
  });

  it('reads the transaction of a payment once more, when its connection has ended since the commit', async () => {
    away(/FROM transaction.*WHERE id = \$1/, 1, 'ECONNRESET');
    const { status, body } = await send(ONE.replace('errors { code }', 'errors { code } transaction { status settlementAmount }'));
    restore();
    const transaction = { status: 'SUCCESS', settlementAmount: -10 };
    expect([status, body]).toEqual([200, { data: { intraLedgerPaymentSend: { ...DONE, transaction } } }]);
  });

  it('gives 200 when the effect of a field is unknown', async () => {
    away(/INSERT INTO invoice /, 1, 'ECONNRESET');
    const { status, body } = await ask(CREATE, { input: { walletId: alice.wallets.BTC, amount: 5 } }, alice.as('receive'));
    expect([status, body.data]).toEqual([200, { lnInvoiceCreate: { errors: [{ code: 'SERVICE_UNAVAILABLE' }], invoice: null } }]);
  });

  it('is not reported as an outage of the Lightning node', async () => {
    away(/./);
    const answer = await ask(CREATE, { input: { walletId: alice.wallets.BTC, amount: 5 } }, alice.as('receive'));
    expectAway(answer);
    expect(answer.text).not.toContain('LND_OFFLINE');
  });

  it('gives 503 before an idempotency key is claimed, and does not change the answer after the mutation', async () => {
    const before = await bob.sats();
    away(/idempotency_claim\(/);
    expectAway(await send(ONE, 'outage'));
    restore();
    away(/UPDATE idempotency SET/);
    const first = await send(ONE, 'outage');
    restore();
    expect([first.status, first.body]).toEqual([200, { data: { intraLedgerPaymentSend: DONE } }]);
    expect(await bob.sats()).toBe(before + 10);
    // The claim expires; the repeat is the same attempt, with the same payment id.
    await app.pool.query(`UPDATE idempotency SET claimed_until = now() - interval '1 second' WHERE state = 'running'`);
    const again = await send(ONE, 'outage');
    expect([again.status, again.body]).toEqual([200, { data: { intraLedgerPaymentSend: DONE } }]);
    expect(await bob.sats()).toBe(before + 10);
  });
});
