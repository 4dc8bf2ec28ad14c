import { QUEUE_LIMITS, WorkInProgress } from '../../src/edge/http/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';
import { post } from '../support/http.js';
import { faultsIn } from '../support/logs.js';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const NETWORK = '{"query":"{ globals { network } }","variables":';
const KIBIBYTE = 1_024;
const withPad = (bytes: number): string => `${NETWORK}{"pad":"${'x'.repeat(bytes - NETWORK.length - 11)}"}}`;

describe('JSON bodies that are costly to parse', () => {
  let app: TestApp;
  let alice: Person;
  beforeAll(async () => {
    const usual = jest.replaceProperty(QUEUE_LIMITS, 'waitingEach', 1);
    app = await createTestApp();
    usual.restore();
    alice = await new Fixture(app).user({ sats: 100 });
  });
  afterAll(() => app.close());
  afterEach(() => expect(faultsIn(app.logs)).toEqual([]));

  const inProgress = async (): Promise<number> => Number(/^sluice_work_in_progress (\d+)$/m.exec(await app.get(Metrics).text())?.[1]);

  it.each([
    ['variables', '/graphql', `${NETWORK}{"a":${nested(30_000)}}}`],
    ['all of it', '/graphql', nested(5_000)],
    ['extensions', '/graphql', `{"query":"{ globals { network } }","extensions":{"a":${nested(65)}}}`],
    ['a text that is no JSON', '/graphql', '['.repeat(60_000)],
    ['a sign-in', '/auth/login', nested(5_000)],
    ['a sign-in of 256 KiB', '/auth/login', nested(120_000)],
    ['the address of a sign-in', '/auth/login', `{"email":${nested(5_000)},"password":"x"}`],
  ])('are refused if they are nested deeply: %s', async (_what, path, body) => {
    const { status, body: answer } = await post(`${app.url}${path}`, body);
    expect([status, answer.error]).toMatchObject([
      400,
      { code: 400, status: 'INVALID_INPUT', message: 'The JSON is nested more than 64 levels deep' },
    ]);
    if (path === '/graphql') expect(answer.errors).toEqual([{ message: answer.error.message, extensions: { code: 'BAD_REQUEST' } }]);
  });

  it('are accepted up to 64 levels', async () => {
    expect((await post(`${app.url}/graphql`, `${NETWORK}{"a":${nested(62)}}}`)).body.data).toBeDefined();
    expect((await post(`${app.url}/auth/login`, `{"email":${nested(63)},"password":"x"}`)).status).toBe(400);
    expect((await post(`${app.url}/auth/login`, { email: alice.email, password: PASSWORD })).status).toBe(200);
  });

  it('are as long as a message of a socket without a credential, and four times as long with one', async () => {
    const ask = (bytes: number, headers = {}): ReturnType<typeof post> => post(`${app.url}/graphql`, withPad(bytes), headers);
    expect((await ask(64 * KIBIBYTE)).body.data).toBeDefined();
    const { status, body } = await ask(64 * KIBIBYTE + 1);
    expect([status, body.errors]).toEqual([
      413,
      [{ message: 'Send at most 64 KiB, or a credential', extensions: { code: 'BAD_REQUEST' } }],
    ]);
    expect((await ask(256 * KIBIBYTE, alice.as('read'))).body.data).toBeDefined();
    expect((await ask(256 * KIBIBYTE + 1, alice.as('read'))).status).toBe(413);
  });

  it('take turns if they are long; a caller has few that wait, and others are answered', async () => {
    const { thread } = app.get(WorkInProgress);
    const long = `{"email":"x","password":"${'x'.repeat(100_000)}"}`;
    const stop = new AbortController();
    let turn = await thread.enter('another caller');
    const waits = post(`${app.url}/auth/login`, long);
    await eventually(() => thread.length === 1);
    expect(await inProgress()).toBe(1);
    const { status, headers, body } = await post(`${app.url}/auth/login`, long);
    expect([status, headers.get('retry-after'), body.error.status]).toEqual([503, '2', 'SERVICE_UNAVAILABLE']);
    expect((await post(`${app.url}/graphql`, `${NETWORK}{}}`)).status).toBe(200);
    turn.end();
    expect((await waits).status).toBe(401);

    turn = await thread.enter('another caller');
    const leaves = fetch(`${app.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: long,
      signal: stop.signal,
    }).catch(() => undefined);
    await eventually(() => thread.length === 1);
    stop.abort();
    await leaves;
    turn.end();
    await eventually(async () => thread.length === 0 && (await inProgress()) === 0);
  });
});

describe('amounts whose decimals a number cannot hold', () => {
  let app: TestApp;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    app = await createTestApp();
    const fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 100 }), await fixture.user()];
  });
  afterAll(() => app.close());

  it.each(['1.9999999999999999999', '19999999999999999999e-19', '1.00000000000000000001'])('%s pays nothing', async (amount) => {
    const query =
      'mutation ($w: WalletId!, $to: WalletId!, $a: SatAmount!) { intraLedgerPaymentSend(input: { walletId: $w, recipientWalletId: $to, amount: $a }) { status errors { code } } }';
    const variables = `{"w":"${alice.wallets.BTC}","to":"${bob.wallets.BTC}","a":${amount}}`;
    const { status, body } = await post(
      `${app.url}/graphql`,
      `{"query":${JSON.stringify(query)},"variables":${variables}}`,
      alice.as('all'),
    );
    expect([status, body.error.status, await bob.sats()]).toEqual([400, 'INVALID_INPUT', 0]);
    expect(body.errors[0].message).toContain(amount);
  });

  it.each(['"a":1,"a":2', '"a":1,"\\u0061":2', '"a":1,"b":{"c":1,"c":2}'])(
    'of two amounts under one name none is paid: %s',
    async (amounts) => {
      const query =
        'mutation ($w: WalletId!, $to: WalletId!, $a: SatAmount!) { intraLedgerPaymentSend(input: { walletId: $w, recipientWalletId: $to, amount: $a }) { status errors { code } } }';
      const before = await bob.sats();
      const { status, body } = await post(
        `${app.url}/graphql`,
        `{"query":${JSON.stringify(query)},"variables":{"w":"${alice.wallets.BTC}","to":"${bob.wallets.BTC}",${amounts}}}`,
        alice.as('all'),
      );
      expect([status, body.error.status, await bob.sats()]).toEqual([400, 'INVALID_INPUT', before]);
      expect(body.errors).toEqual([
        { message: expect.stringMatching(/stands twice in one object of the JSON$/), extensions: { code: 'BAD_REQUEST' } },
      ]);
      const signIn = await post(`${app.url}/auth/login`, `{"email":"${alice.email}","password":"x","password":"${PASSWORD}"}`);
      expect([signIn.status, signIn.body.error.status]).toEqual([400, 'INVALID_INPUT']);
    },
  );

  it('2.000 and 20e-1 pay two satoshis each, as before', async () => {
    const query =
      'mutation ($w: WalletId!, $to: WalletId!, $a: SatAmount!) { intraLedgerPaymentSend(input: { walletId: $w, recipientWalletId: $to, amount: $a }) { status errors { code } } }';
    for (const amount of ['2.000', '20e-1']) {
      const variables = `{"w":"${alice.wallets.BTC}","to":"${bob.wallets.BTC}","a":${amount}}`;
      await post(`${app.url}/graphql`, `{"query":${JSON.stringify(query)},"variables":${variables}}`, alice.as('all'));
    }
    expect(await bob.sats()).toBe(4);
  });
});
