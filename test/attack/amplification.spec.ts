import { CONNECTION } from '../../src/edge/http/work-in-progress.js';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { post, request } from '../support/http.js';
import { faultsIn } from '../support/logs.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const STATUS = 'subscription ($i: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $i) { status } }';
const CREATE =
  'mutation ($i: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $i) { errors { message } } }';
/** The longest answer that only states an error, in characters. */
const SHORT = 2_000;

/** A small request can cause much work or a long answer: a limit bounds what one request of a stranger may cost. */
describe('small requests with a large cost', () => {
  let app: TestApp;
  let alice: Person;
  beforeAll(async () => {
    app = await createTestApp({ env: { TRUST_PROXY: '1', THROTTLE_ADDRESS: '40/60' } });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());
  afterEach(() => expect(faultsIn(app.logs)).toEqual([]));

  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const ask = (query: string, variables: object = {}): ReturnType<typeof post> =>
    post(`${app.url}/graphql`, { query, variables }, elsewhere());
  const unknownKeys = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n.toString(36)}`, 0]));

  describe('input fields that the SDL does not have', () => {
    it.each([
      [900, 'BAD_USER_INPUT'],
      [6_000, 'QUERY_TOO_COMPLEX'],
    ])('%i of them are refused with a short error, over HTTP and over a socket', async (count, code) => {
      const answer = await ask(CREATE, { i: unknownKeys(count) });
      expect([answer.status, answer.body.errors.length, answer.body.errors[0].extensions.code]).toEqual([200, 1, code]);
      expect(answer.text.length).toBeLessThan(SHORT);

      const raw = await RawSocket.admitted(app.url, {}, { headers: elsewhere() });
      raw.subscribe('1', STATUS, { i: unknownKeys(count) });
      // A message has 16 KiB at most.
      if (count > 1_000) return expect((await raw.closed).code).toBe(1009);
      const frame = await raw.next();
      expect([frame.type, frame.payload.length, frame.payload[0].extensions.code]).toEqual(['error', 1, code]);
      expect(raw.texts.at(-1)?.length).toBeLessThan(SHORT);
      await raw.leave();
    });

    it('values as deep as the body limit permits are refused as well', async () => {
      const depth = 30_000;
      const body = `{"query":${JSON.stringify(CREATE)},"variables":{"i":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
      const answer = await post(`${app.url}/graphql`, body, elsewhere());
      expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('the error is shown with a long value cut', async () => {
      const answer = await ask(CREATE, { i: { amount: 1, recipientWalletId: 'x', memo: 'm'.repeat(5_000), surprise: true } });
      expect(answer.text.length).toBeLessThan(SHORT);
      expect(answer.body.errors[0].message).toMatch(/^Variable "\$i" got invalid value .* … .*Field "surprise" is not defined by type/);
    });
  });

  it('lists without pages cost their maximum length', async () => {
    const keys = '{ id name createdAt expiresAt expired revoked scopes readOnly lastUsedAt }';
    const of = (times: number): string => `{ me { ${Array.from({ length: times }, (_, n) => `k${n}: apiKeys ${keys}`).join(' ')} } }`;
    const read = (query: string): ReturnType<typeof post> => post(`${app.url}/graphql`, { query }, { ...alice.as('read'), ...elsewhere() });
    expect((await read(of(2))).body.data.me.k1.length).toBeGreaterThan(0);
    expect((await read(of(4))).body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
  });

  it('an e-mail address with combining characters that are slow to normalise is refused', async () => {
    const email = `a${'\u0315'.repeat(30_000)}${'\u0300'.repeat(30_000)}@b.co`;
    const { status } = await post(`${app.url}/auth/login`, { email, password: 'x'.repeat(10) }, elsewhere());
    expect(status).toBe(401);
  });

  it.each(['\ud800@b.co', 'a\0@b.co'])('the e-mail address %j is refused', async (email) => {
    expect((await post(`${app.url}/auth/login`, { email, password: 'x'.repeat(10) }, elsewhere())).status).toBe(401);
  });

  describe('addresses', () => {
    const SLASHES = `/${'/'.repeat(15_000)}a`;
    it.each([
      ['slashes', 'GET', SLASHES, 404],
      ['a method that it does not take', 'DELETE', '/graphql', 405],
      ['what cannot be decoded', 'GET', '/%zz', 400],
      ['a name that is too long', 'GET', `/.well-known/lnurlp/${'a'.repeat(300)}`, 400],
    ])('%s: refused with Sluice’s own error, and counted', async (_, method, path, expected) => {
      const headers = elsewhere();
      const answer = await request(`${app.url}${path}`, { method, headers });
      expect([answer.status, answer.body.error.code]).toEqual([expected, expected]);
    });

    it('a method that the path does not support counts like any other call', async () => {
      const headers = elsewhere();
      const statuses = [];
      for (let n = 0; n < 45; n++) statuses.push((await request(`${app.url}/graphql`, { method: 'DELETE', headers })).status);
      expect([statuses[0], statuses.at(-1)]).toEqual([405, 429]);
    });
  });

  describe('subscriptions that graphql-js cannot evaluate', () => {
    it.each([
      ['a variable', 'subscription ($a: Boolean!) { myUpdates @include(if: $a) { errors { message } } }', {}],
      [
        'beside another operation',
        'query Q { globals { network } } subscription S($a: Boolean!) { myUpdates @skip(if: $a) { errors { message } } }',
        { operationName: 'Q' },
      ],
      [
        'in a fragment',
        'subscription ($a: Boolean!) { ...F } fragment F on Subscription { myUpdates @include(if: $a) { errors { message } } }',
        {},
      ],
      ['a condition that skips its root', 'subscription { price(input: {}) @skip(if: true) { errors { message } } }', {}],
      [
        'a condition that does not include its root',
        'subscription { realtimePrice(input: {}) @include(if: false) { errors { message } } }',
        {},
      ],
      ['a fragment that is skipped', 'subscription { ... @skip(if: true) { realtimePrice(input: {}) { errors { message } } } }', {}],
      [
        'a root that is skipped in a fragment',
        'subscription { ...F } fragment F on Subscription { myUpdates @skip(if: true) { errors { message } } }',
        {},
      ],
    ])('%s', async (_, query, more) => {
      for (const each of [
        { query, ...more },
        { query, ...more, variables: { a: true } },
      ]) {
        const { status, body } = await post(`${app.url}/graphql`, each, elsewhere());
        expect([status, body.errors]).toMatchObject([200, [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]]);
      }
      const raw = await RawSocket.admitted(app.url, {}, { headers: elsewhere() });
      raw.subscribe('1', query, { a: true });
      expect(await raw.next()).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
      raw.subscribe('2', 'subscription { realtimePrice(input: {}) @include(if: true) { errors { message } } }');
      expect(await raw.next()).toMatchObject({ id: '2', type: 'next', payload: { data: { realtimePrice: { errors: [] } } } });
      await raw.leave();
    });

    it('are refused over HTTP', async () => {
      const { status, body } = await ask(STATUS, { i: { paymentHash: 'ab'.repeat(32) } });
      expect([status, body.errors]).toMatchObject([200, [{ extensions: { code: 'OPERATION_NOT_SUPPORTED' } }]]);
    });
  });

  describe('sockets', () => {
    it.each([
      [
        'an id as long as a frame, twice',
        4409,
        (raw: RawSocket): void => {
          for (const id of ['x'.repeat(200), 'x'.repeat(200)]) raw.subscribe(id, STATUS, { i: { paymentHash: 'ab'.repeat(32) } });
        },
      ],
      ['a message that only a server sends', 4400, (raw: RawSocket): void => raw.send({ type: 'next', id: '1', payload: {} })],
    ])('%s', async (_, code, send) => {
      const raw = await RawSocket.admitted(app.url, {}, { headers: elsewhere() });
      send(raw);
      expect((await raw.closed).code).toBe(code);
    });
  });

  it('a persisted query with the wrong hash is a client error', async () => {
    for (const persistedQuery of [
      { version: 1, sha256Hash: randomBytes(32).toString('hex') },
      { version: 2, sha256Hash: 'x' },
    ]) {
      const { status, body } = await post(
        `${app.url}/graphql`,
        { query: '{ globals { network } }', extensions: { persistedQuery } },
        elsewhere(),
      );
      expect([status, body.errors]).toMatchObject([400, [{ extensions: { code: 'BAD_USER_INPUT' } }]]);
    }
  });

  it('a caller with a key does not use up a recipient’s limit for anonymous callers', async () => {
    const limited = await createTestApp({ env: { THROTTLE_INVOICE_RECIPIENT: '5/60' } });
    const fixture = new Fixture(limited);
    const [bob, carol] = [await fixture.user(), await fixture.user()];
    const callback = `${limited.url}/.well-known/lnurlp/${bob.username}/callback?amount=1000`;
    const create = { query: CREATE, variables: { i: { recipientWalletId: bob.wallets.BTC, amount: 1 } } };
    for (let n = 0; n < 8; n++) {
      const { body } = await post(`${limited.url}/graphql`, create, carol.as('read'));
      expect(body.data.lnInvoiceCreateOnBehalfOfRecipient.errors).toEqual([]);
    }
    for (let n = 0; n < 5; n++) expect((await request(callback)).body.pr).toBeDefined();
    expect((await request(callback)).body.status).toBe('ERROR');
    await limited.close();
  });

  it('a connection that does not read its answers is closed', async () => {
    const usual = jest.replaceProperty(CONNECTION, 'atOnce', 10_000);
    const roomy = await createTestApp({ env: { WORK_PER_ADDRESS: '10000', WORK_PER_PROCESS: '10000' } });
    const { port } = new URL(roomy.url);
    const socket = connect(Number(port), '127.0.0.1').pause();
    // More than the operating system buffers for a reader, which is a few megabytes.
    socket.write(`GET /login HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(3_000));
    const open = (): Promise<number> =>
      new Promise((resolve, reject) =>
        roomy.sluice.app.getHttpServer().getConnections((error: Error | null, n: number) => (error ? reject(error) : resolve(n))),
      );
    await eventually(async () => (await open()) === 1);
    await eventually(async () => (await open()) === 0);
    socket.destroy();
    await roomy.close();
    usual.restore();
  });
});
