import { CALL } from '../../src/edge/auth/call-limits.js';
import { QUEUE_LIMITS, WorkInProgress } from '../../src/edge/http/index.js';
import { getIntrospectionQuery } from 'graphql';
import { Metrics } from '../../src/platform/metrics/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { post, type HttpAnswer } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const ME = '{ me { id } }';
const ACCOUNT = '{ me { defaultAccount { WHAT } } }';
const pages = (count: number, first = 100): string =>
  ACCOUNT.replace(
    'WHAT',
    Array.from({ length: count }, (_, n) => `p${n}: invoices(first: ${first}) { edges { node { paymentRequest paymentHash } } }`).join(' '),
  );

/** Documents count by their cost, for a credential and for an account; and accounts take turns. */
describe('the cost of documents', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    app = await createTestApp({
      env: {
        TRUST_PROXY: '1',
        THROTTLE_ADDRESS: '200/3600',
        THROTTLE_PRINCIPAL: '20/3600',
        THROTTLE_ACCOUNT: '34/3600',
      },
    });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterAll(() => app.close());

  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const ask = (query: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> =>
    post(`${app.url}/graphql`, { query }, { ...elsewhere(), ...headers });
  const leftOf = (bucket: string, { headers }: HttpAnswer): number =>
    Number(new RegExp(`"${bucket}";r=(\\d+)`).exec(headers.get('ratelimit') ?? '')?.[1]);

  it('counts a document once for each 2,000 of its cost, for its credential and its account', async () => {
    const first = await ask(ME, alice.as('read'));
    expect([leftOf('principal', first), leftOf('account', first)]).toEqual([19, 33]);
    const second = await ask(pages(16), alice.as('read'));
    expect(second.body.errors).toBeUndefined();
    expect([leftOf('principal', second), leftOf('account', second)]).toEqual([13, 27]);
    expect(leftOf('address', second)).toBe(199);
  });

  it('refuses a document above the limit with 429 before any resolver runs', async () => {
    let answer = await ask(pages(16), bob.as('read'));
    for (let n = 0; n < 5 && answer.status === 200; n++) answer = await ask(pages(16), bob.as('read'));
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ error: { code: 429, status: 'TOO_MANY_REQUEST' }, errors: [{ message: expect.any(String) }] });
    expect(answer.body.data).toBeUndefined();
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    // Another key of the same account has its own limit, and the account has one for all.
    expect((await ask(ME, bob.as('write'))).status).toBe(200);
    const ofAccount = [];
    for (let n = 0; n < 6; n++) ofAccount.push((await ask(pages(16), bob.as('all'))).status);
    expect(ofAccount).toContain(429);
    expect((await ask(ME, bob.as('receive'))).status).toBe(429);
    expect((await ask(ME, (await fixture.user()).as('read'))).status).toBe(200);
  });

  it('counts the attempts to pay an invoice as a page of them, which they can be', async () => {
    const row = 'id status direction memo createdAt settlementAmount settlementFee settlementCurrency externalId settlementDisplayAmount';
    const attempts = ['a', 'b', 'c'].map((name) => `${name}: transactionsByPaymentHash(paymentHash: "${'ab'.repeat(32)}") { ${row} }`);
    const answer = await ask(ACCOUNT.replace('WHAT', `wallets { ${attempts.join(' ')} }`), (await fixture.user()).as('read'));
    expect(answer.body.errors).toBeUndefined();
    expect(leftOf('principal', answer)).toBe(20 - 4);
  });

  it('is an error of that operation on a socket, which stays open', async () => {
    const usual = jest.replaceProperty(CALL, 'cost', 1);
    const costly = await createTestApp({ env: { THROTTLE_PRINCIPAL: '4/3600' } });
    const carol = await new Fixture(costly).user();
    const raw = await RawSocket.admitted(costly.url, carol.as('read'));
    raw.subscribe('1', 'subscription { myUpdates { errors { message path code } me { id username email { address } } } }');
    expect(await raw.next()).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: 'TOO_MANY_REQUEST' } }] });
    expect(raw.socket.readyState).toBe(raw.socket.OPEN);
    await raw.leave();
    await costly.close();
    usual.restore();
  });

  it('accounts take turns at the database: a long queue of one delays no other, and is limited', async () => {
    const usual = [jest.replaceProperty(QUEUE_LIMITS, 'waitingEach', 6), jest.replaceProperty(QUEUE_LIMITS, 'ageMs', 60_000)];
    const narrow = await createTestApp({
      env: {
        DATABASE_POOL_SIZE: '4',
        DATABASE_LOCK_MS: '60000',
        DATABASE_STATEMENT_SECONDS: '120',
      },
    });
    const [flooder, other] = [await new Fixture(narrow).user(), await new Fixture(narrow).user()];
    const asked = (query: string, person: Person): Promise<HttpAnswer> => post(`${narrow.url}/graphql`, { query }, person.as('all'));
    // At the start its jobs may have all four connections for a while.
    for (const person of [flooder, other]) await eventually(async () => (await asked(ME, person)).status === 200);
    const client = await narrow.pool.connect();
    await client.query('BEGIN; LOCK TABLE invoice IN ACCESS EXCLUSIVE MODE');
    try {
      const flood = asked(pages(8, 1), flooder);
      // Two of its eight fields have the turns; a job that waits for the lock too is none of them.
      await eventually(async () => (await narrow.get(Metrics).text()).includes('sluice_turns_waiting{queue="database"} 6'));
      const history = await asked(ACCOUNT.replace('WHAT', 'transactions(first: 1) { edges { node { id } } }'), other);
      expect([history.status, history.body.errors]).toEqual([200, undefined]);
      const more = await asked(pages(1, 1), flooder); // the flooder's queue of six is full
      expect([more.status, more.body.errors[0].extensions.code, more.headers.get('retry-after')]).toEqual([
        503,
        'SERVICE_UNAVAILABLE',
        '1',
      ]);
      await client.query('ROLLBACK');
      expect((await flood).body.errors).toBeUndefined();
      expect((await asked(ME, flooder)).status).toBe(200);
      expect(narrow.logs.filter((line) => line.includes('its queue of database is full')).length).toBe(1);
    } finally {
      await client.query('ROLLBACK');
      client.release();
      await narrow.close();
      for (const limit of usual) limit.restore();
    }
  });

  it('fields that only read their row wait for no turn: pages of payments at once are answered', async () => {
    const usual = jest.replaceProperty(QUEUE_LIMITS, 'waitingEach', 30);
    const narrow = await createTestApp();
    try {
      const people = new Fixture(narrow);
      const [payer, payee] = [await people.user({ sats: 1_000 }), await people.user()];
      const query = 'mutation ($i: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $i) { status } }';
      const i = { walletId: payer.wallets.BTC, recipientWalletId: payee.wallets.BTC, amount: 1 };
      const pay = (): Promise<HttpAnswer> => post(`${narrow.url}/graphql`, { query, variables: { i } }, payer.as('all'));
      for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 10 }, pay));
      const row = '{ settlementPrice { base } initiationVia { __typename } settlementVia { __typename } }';
      const page = ACCOUNT.replace('WHAT', `transactions(first: 40) { edges { node ${row} } }`);
      const asked = Array.from({ length: 20 }, () => post(`${narrow.url}/graphql`, { query: page }, payer.as('all')));
      const answers = await Promise.all(asked);
      expect(answers.map(({ status, body }) => [status, body.data?.me.defaultAccount.transactions.edges.length])).toEqual(
        Array(20).fill([200, 40]),
      );
    } finally {
      await narrow.close();
      usual.restore();
    }
  });

  it('limits the length of a query’s answer, and not that of a mutation', async () => {
    const small = await createTestApp({ env: { GRAPHQL_ANSWER_BYTES: '65536' } });
    const dave = await new Fixture(small).user();
    for (let n = 0; n < 60; n++) await dave.invoice(1, 'm'.repeat(600));
    const page = ACCOUNT.replace('WHAT', 'invoices(first: 100) { edges { node { paymentRequest } } }');
    const answer = await post(`${small.url}/graphql`, { query: page }, dave.as('read'));
    expect([answer.status, answer.body]).toMatchObject([200, { errors: [{ extensions: { code: 'RESPONSE_TOO_LARGE' } }] }]);
    expect(answer.body.data).toBeUndefined();
    const made = await post(
      `${small.url}/graphql`,
      {
        query: `mutation ($i: LnInvoiceCreateInput!) { ${Array.from({ length: 29 }, (_, n) => `i${n}: lnInvoiceCreate(input: $i) { invoice { paymentRequest } errors { code } }`).join(' ')} }`,
        variables: { i: { walletId: dave.wallets.BTC, amount: 1, memo: 'm'.repeat(639) } },
      },
      dave.as('receive'),
    );
    expect(made.body.errors).toBeUndefined();
    await small.close();
  });

  /** The executions and long validations that took a turn of the process so far. */
  const turns = (): jest.SpyInstance => jest.spyOn(app.get(WorkInProgress).thread, 'run');

  it('charges a document without a credential to its address, and refuses it before any resolver runs', async () => {
    const here = { 'x-forwarded-for': '203.0.113.7' };
    const query = '{ __schema { types { fields { type { fields { name type { name } } } } } } }';
    const first = await ask(query, here);
    const calls = 200 - leftOf('address', first);
    expect(first.body.errors).toBeUndefined();
    expect(calls).toBeGreaterThan(5);
    expect(leftOf('address', await ask('{ globals { network } }', here))).toBe(199 - calls);
    let answer = first;
    for (let n = 0; n < 200 / calls && answer.status === 200; n++) answer = await ask(query, here);
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([429, 'TOO_MANY_REQUEST']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('{ globals { network } }', here)).status).toBe(429);
    expect((await ask('{ globals { network } }', { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200);
  });

  it('charges types that are asked for by their names by the size of the largest', async () => {
    const largest = Array.from({ length: 28 }, (_, n) => `a${n}: __type(name: "Mutation") { fields { name args { name description } } }`);
    const answer = await ask(`{ ${largest.join(' ')} }`, { 'x-forwarded-for': '203.0.113.9' });
    expect(answer.body.errors).toBeUndefined();
    expect(200 - leftOf('address', answer)).toBeGreaterThan(3);
  });

  it('charges a subscription without a credential to its address', async () => {
    const usual = jest.replaceProperty(CALL, 'cost', 1);
    const costly = await createTestApp({ env: { THROTTLE_ADDRESS: '20/3600' } });
    const raw = await RawSocket.admitted(costly.url);
    raw.subscribe(
      '1',
      `subscription { realtimePrice(input: { currency: "USD" }) { realtimePrice { ${Array.from({ length: 25 }, (_, n) => `a${n}: id`).join(' ')} } } }`,
    );
    expect(await raw.next()).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: 'TOO_MANY_REQUEST' } }] });
    await raw.leave();
    await costly.close();
    usual.restore();
  });

  it.each([
    ['without variables', getIntrospectionQuery(), {}],
    [
      'with variables',
      `query ($all: Boolean!) ${getIntrospectionQuery().replace('query IntrospectionQuery', '').replaceAll('includeDeprecated: true', 'includeDeprecated: $all')}`,
      { all: true },
    ],
    ['as one of two operations', `query Other { __typename } ${getIntrospectionQuery()}`, {}],
  ])('computes an answer about the schema once: %s', async (_what, query, variables) => {
    const asked = (more: object): Promise<HttpAnswer> =>
      post(
        `${app.url}/graphql`,
        { query, variables, ...(query.startsWith('query Other') && { operationName: 'IntrospectionQuery' }), ...more },
        elsewhere(),
      );
    const run = turns();
    const first = await asked({});
    expect(first.body.errors).toBeUndefined();
    expect(first.body.data.__schema.types.length).toBeGreaterThan(50);
    const executed = run.mock.calls.length;
    expect(executed).toBeGreaterThan(0);
    expect((await asked({})).text).toBe(first.text);
    // Variables that the operation does not declare count for nothing.
    expect((await asked({ variables: { ...variables, other: [1] } })).text).toBe(first.text);
    expect(run.mock.calls.length).toBe(executed);
    run.mockRestore();
  });

  it('keeps no answer about the schema for other variables', async () => {
    const query =
      'query ($n: String!, $yes: Boolean!) { __type(name: $n) { name @include(if: $yes) ' +
      Array.from({ length: 25 }, (_, n) => `f${n}: fields { type { fields { name } } }`).join(' ') +
      ' } }';
    const asked = async (n: string, yes: boolean): Promise<unknown> =>
      (await post(`${app.url}/graphql`, { query, variables: { n, yes } }, elsewhere())).body.data.__type.name;
    expect([await asked('User', true), await asked('Query', true), await asked('User', false), await asked('User', true)]).toEqual([
      'User',
      'Query',
      undefined,
      'User',
    ]);
  });
});
