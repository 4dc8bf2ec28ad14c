import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { post } from '../support/http.js';
import { faultsIn } from '../support/logs.js';
import { RawSocket } from '../support/raw-socket.js';

const HASH = 'ab'.repeat(32);
const ID = '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f';
const INVOICE = 'lnbcrt1qqq';
/** More often than a query runs before it is compiled. */
const OFTEN = 25;

/** Each has one variable, `$v`, which may be null by its type, has a default, and is used where null is not permitted. */
const QUERIES = {
  'an argument': 'query ($v: Username = "alice") { usernameAvailable(username: $v) }',
  'an argument of an enum': 'query ($v: PriceGraphRange = ONE_DAY) { btcPriceList(range: $v) { timestamp } }',
  'a nested argument': `query ($v: WalletId = "${ID}") { me { defaultAccount { walletById(walletId: $v) { id } } } }`,
  'an item of a list': `query ($v: WalletId = "${ID}") { me { defaultAccount { csvTransactions(walletIds: [$v]) } } }`,
  'a field of an input': `query ($v: PaymentHash = "${HASH}") { lnInvoicePaymentStatusByHash(input: { paymentHash: $v }) { status } }`,
  'an invoice in an input': `query ($v: LnPaymentRequest = "${INVOICE}") { lnInvoicePaymentStatus(input: { paymentRequest: $v }) { status } }`,
  'an input in a fragment': `query ($v: PaymentHash = "${HASH}") { ...F } fragment F on Query { lnInvoicePaymentStatusByHash(input: { paymentHash: $v }) { status } }`,
  'the condition of a field': 'query ($v: Boolean = true) { globals { network @skip(if: $v) } }',
  'the condition of a root field': 'query ($v: Boolean = true) { globals @include(if: $v) { network } }',
  'the condition of a fragment': 'query ($v: Boolean = true) { ... @include(if: $v) { globals { network } } }',
  'an argument of the schema': 'query ($v: String = "User") { __type(name: $v) { name } }',
  'an argument of many': `query ($v: Username = "alice") { globals { network } ${Array.from({ length: 29 }, (_, n) => `a${n}: usernameAvailable(username: $v)`).join(' ')} }`,
};

const REFUSED = {
  message: 'Variable "$v" must not be null: the document uses it where a value is required',
  extensions: { code: 'BAD_USER_INPUT' },
};

/** graphql-js finds such a null only while it executes the field. The caller made the mistake: the operator's log must not grow by it. */
describe('a null that only the default of its variable permits', () => {
  let app: TestApp;
  let alice: Person;
  beforeAll(async () => {
    app = await createTestApp({ env: { THROTTLE_ADDRESS: '100000/60' } });
    alice = await new Fixture(app).user({ username: 'alice', sats: 1_000 });
  });
  afterAll(() => app.close());
  afterEach(() => expect(faultsIn(app.logs, 40)).toEqual([]));

  const ask = (query: string, variables: object): ReturnType<typeof post> =>
    post(`${app.url}/graphql`, { query, variables }, alice.as('all'));

  it.each(Object.entries(QUERIES))('is refused: %s', async (_what, query) => {
    for (let n = 0; n < OFTEN; n++) {
      const { status, body } = await ask(query, { v: null });
      expect([status, body]).toEqual([200, { errors: [REFUSED] }]);
    }
  });

  it.each(Object.entries(QUERIES))('is refused once the query is compiled: %s', async (_what, query) => {
    const first = await ask(query, {});
    expect(first.body.errors?.[0]?.extensions.code).not.toBe('BAD_USER_INPUT');
    for (let n = 0; n < OFTEN; n++) expect((await ask(query, {})).text).toEqual(first.text);
    expect((await ask(query, { v: null })).body).toEqual({ errors: [REFUSED] });
    expect((await ask(query, {})).text).toEqual(first.text);
  });

  it('is refused before anything is paid', async () => {
    const query = `mutation ($v: SatAmount = 1, $w: WalletId!) {
      a: intraLedgerPaymentSend(input: { walletId: $w, recipientWalletId: $w, amount: 1 }) { status }
      b: intraLedgerPaymentSend(input: { walletId: $w, recipientWalletId: $w, amount: $v }) { status }
    }`;
    expect((await ask(query, { v: null, w: alice.wallets.BTC })).body).toEqual({ errors: [REFUSED] });
  });

  it('is refused on a socket, which lives on', async () => {
    const raw = await RawSocket.admitted(app.url);
    const query = `subscription ($v: PaymentHash = "${HASH}") { lnInvoicePaymentStatusByHash(input: { paymentHash: $v }) { status } }`;
    raw.subscribe('1', query, { v: null });
    expect(await raw.next()).toMatchObject({ id: '1', type: 'error', payload: [REFUSED] });
    raw.subscribe('2', query);
    expect(await raw.next()).toMatchObject({ id: '2', type: 'next' });
    await raw.leave();
  });

  it('is permitted where the place permits it', async () => {
    const query = 'query ($v: Int = 1) { me { defaultAccount { transactions(first: $v) { edges { cursor } } } } }';
    expect((await ask(query, { v: null })).body.errors).toBeUndefined();
    const other =
      'query A($v: Username = "alice") { usernameAvailable(username: $v) } query B($v: Int = 1) { me { defaultAccount { transactions(first: $v) { edges { cursor } } } } }';
    const { body } = await post(`${app.url}/graphql`, { query: other, operationName: 'B', variables: { v: null } }, alice.as('read'));
    expect(body.errors).toBeUndefined();
  });
});
