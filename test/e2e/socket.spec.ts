import { once } from 'node:events';
import type { Socket } from 'node:net';
import { SOCKET_TIMES, SocketServer } from '../../src/edge/socket/socket-server.js';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { hashToken } from '../../src/platform/kernel/token.js';
import { TimeTravel } from '../support/time-travel.js';
import { Events } from '../../src/platform/events/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { listenerCount, untilListening } from '../support/event-probe.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

const STATUS =
  'subscription ($input: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $input) { status paymentPreimage } }';
const UPDATES = 'subscription { myUpdates { update { __typename } } }';
const MESSAGE_BYTES = 4_096;
const LIMITS = {
  TRUST_PROXY: '1',
  SOCKETS_PER_PRINCIPAL: '4',
  SOCKETS_PER_ADDRESS: '3',
  SUBSCRIPTIONS_PER_SOCKET: '9',
  SOCKET_MESSAGE_BYTES: String(MESSAGE_BYTES),
  GRAPHQL_DEPTH: '15',
  // A test lets a subscription wait for a lock.
  DATABASE_LOCK_MS: '10000',
};

describe('the WebSocket', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let hash: string;
  let addresses = 0;
  let open: RawSocket[];

  beforeAll(async () => {
    app = await createTestApp({ env: LIMITS });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
    hash = (await alice.invoice(1)).paymentHash;
  });
  beforeEach(() => (open = []));
  afterEach(async () => {
    await Promise.all(open.map((raw) => raw.leave()));
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const from = (address = `203.0.113.${++addresses}`): { headers: Record<string, string> } => ({ headers: { 'x-forwarded-for': address } });
  const connect = async (address?: string): Promise<RawSocket> => {
    const raw = await RawSocket.open(app.url, from(address));
    open.push(raw);
    return raw;
  };
  const admitted = async (credential: CredentialHeaders = {}, address?: string): Promise<RawSocket> => {
    const raw = await RawSocket.admitted(app.url, credential, from(address));
    open.push(raw);
    return raw;
  };
  const init = async (payload?: unknown, address?: string): Promise<RawSocket> => {
    const raw = await connect(address);
    raw.send({ type: 'connection_init', ...(payload !== undefined && { payload }) });
    return raw;
  };
  /** A socket with many pings. Others have few: a process that stands still for a moment must not miss one. */
  const pinged = async (options = {}): Promise<RawSocket> => {
    const usual = jest.replaceProperty(SOCKET_TIMES, 'pingMs', 200);
    const raw = await RawSocket.admitted(app.url, {}, { ...from(), ...options });
    usual.restore();
    return raw;
  };
  const keyOf = async (person: Person): Promise<{ id: string; secret: string }> => {
    const made = await app.get(ApiKeyService).create({ userId: person.userId, name: 'to end', scopes: ['read'], expireInDays: 1 });
    if (made.kind !== 'created') throw new Error('The key was not created');
    return { id: made.apiKey.id, secret: made.secret };
  };
  const socketsOf = (server: TestApp): readonly { readyState: number }[] => [
    ...(server.get(SocketServer) as unknown as { sockets: { clients: Set<{ readyState: number }> } }).sockets.clients,
  ];
  const follow = (raw: RawSocket, id: string): void => raw.subscribe(id, STATUS, { input: { paymentHash: hash } });

  describe('connection_init', () => {
    it.each([
      ['no payload', undefined],
      ['an empty payload', {}],
      ['null', null],
      ['empty values', { 'X-API-KEY': '', Authorization: '', 'Oauth2-Token': null }],
      ['other things', { locale: 'en' }],
    ])('with %s is accepted as anonymous', async (_what, payload) => {
      const raw = await init(payload);
      expect(await raw.next()).toEqual({ type: 'connection_ack' });
      follow(raw, '1');
      expect(await raw.next()).toMatchObject({ id: '1', type: 'next' });
    });

    it.each([
      ['X-API-KEY', () => ({ 'X-API-KEY': alice.keys.read })],
      ['x-api-key', () => ({ 'x-api-key': alice.keys.read })],
      ['a session', () => fixture.session(alice)],
      ['a session, in capitals', async () => ({ Authorization: (await fixture.session(alice))['authorization'] })],
    ] as const)('%s', async (_what, payload) => {
      const raw = await init(await payload());
      expect(await raw.next()).toEqual({ type: 'connection_ack' });
    });

    it.each([
      ['an unknown key', { 'X-API-KEY': 'sluice_unknown' }],
      ['a number', { 'X-API-KEY': 7 }],
      ['a list', { 'X-API-KEY': ['a', 'b'] }],
      ['a key as a session', { Authorization: 'Bearer nonsense' }],
      ['a scheme that is not ours', { Authorization: 'Basic YTpi' }],
      ['an unknown token', { 'Oauth2-Token': 'sluice_at_nonsense' }],
      ['a megabyte', { 'X-API-KEY': 'x'.repeat(2_000) }],
    ])('closes with 4401 for %s', async (_what, payload) => {
      expect(await (await init(payload)).closed).toEqual({ code: 4401, reason: 'Access credentials are invalid' });
    });

    it('closes with 4400 for two credentials', async () => {
      const raw = await init({ 'X-API-KEY': alice.keys.read, ...(await fixture.session(alice)) });
      expect(await raw.closed).toEqual({ code: 4400, reason: 'Send only one credential' });
    });

    it('ignores the headers of the upgrade', async () => {
      const raw = await RawSocket.open(app.url, {
        headers: { ...from().headers, 'x-api-key': 'sluice_nonsense', authorization: 'Bearer x' },
      });
      open.push(raw);
      raw.send({ type: 'connection_init' });
      expect(await raw.next()).toEqual({ type: 'connection_ack' });
      raw.subscribe('1', UPDATES);
      expect(JSON.stringify(await raw.next())).toContain('NOT_AUTHENTICATED');
    });

    it('closes with 4408 when it does not arrive in time', async () => {
      expect((await (await connect()).closed).code).toBe(4408);
    });

    it('closes with 4429 when it is repeated', async () => {
      const raw = await admitted();
      raw.send({ type: 'connection_init' });
      expect((await raw.closed).code).toBe(4429);
    });

    it('closes with 4401 when subscribe comes first', async () => {
      const raw = await connect();
      follow(raw, '1');
      expect((await raw.closed).code).toBe(4401);
    });

    it('is served at the path with a slash or a query, and at no other', async () => {
      for (const path of ['/graphql/', '/graphql?x=1']) open.push(await RawSocket.admitted(app.url, {}, { ...from(), path }));
      // At other addresses the server ignores the upgrade and answers as it would without it (RFC 9110 section 7.8).
      const others = { '/': 303, '/graphqlws': 404, '/graphql/x': 404, '/health/live': 200 };
      for (const [path, status] of Object.entries(others))
        await expect(RawSocket.open(app.url, { ...from(), path })).rejects.toThrow(`HTTP ${status}`);
    });

    it('is served for graphql-transport-ws and no other protocol', async () => {
      for (const protocol of ['graphql-ws', 'nonsense']) {
        const outcome = await RawSocket.open(app.url, { ...from(), protocol }).then(
          async (raw) => (await raw.closed).code,
          (error: Error) => error.message,
        );
        expect([4406, 'Server sent no subprotocol', 'HTTP 400']).toContain(outcome);
      }
    });
  });

  describe('limits', () => {
    it('close with 4429 above the connections of one address without a credential, and of one principal', async () => {
      for (let i = 0; i < 3; i++) await admitted({}, '198.51.100.7');
      expect(await (await init({}, '198.51.100.7')).closed).toEqual({ code: 4429, reason: 'Too many connections' });
      expect(await (await init({ 'X-API-KEY': bob.keys.write }, '198.51.100.7')).next()).toEqual({ type: 'connection_ack' });
      for (let i = 0; i < 4; i++) await admitted(alice.as('write'));
      expect(await (await init(alice.as('write'))).closed).toEqual({ code: 4429, reason: 'Too many connections' });
      expect(await (await init(alice.as('receive'))).next()).toEqual({ type: 'connection_ack' });
    });

    it('free a slot when a connection closes', async () => {
      const first = await admitted(alice.as('all'));
      for (let i = 0; i < 3; i++) await admitted(alice.as('all'));
      await first.leave();
      await eventually(async () => (await (await init(alice.as('all'))).next()).type === 'connection_ack');
    });

    it('close with 4429 above the subscriptions of one connection', async () => {
      const raw = await admitted();
      for (const id of ['a', 'b', 'c', 'd', 'e']) follow(raw, id);
      for (let i = 0; i < 5; i++) expect((await raw.next()).type).toBe('next');
      follow(raw, 'f');
      expect(await raw.closed).toEqual({ code: 4429, reason: 'Too many subscriptions' });
    });

    it('do not count subscriptions that ended', async () => {
      const raw = await admitted();
      for (let i = 0; i < 10; i++) {
        follow(raw, `id ${i}`);
        expect(await raw.next()).toMatchObject({ id: `id ${i}`, type: 'next' });
        raw.send({ id: `id ${i}`, type: 'complete' });
      }
      expect(raw.socket.readyState).toBe(raw.socket.OPEN);
    });

    it('close with 1009 for a message with one byte too many, also in fragments', async () => {
      const fits = await admitted();
      fits.send(`{"type":"ping","payload":{"x":"${'x'.repeat(MESSAGE_BYTES - 36)}"}}`);
      expect((await fits.next()).type).toBe('pong');
      const raw = await admitted();
      raw.socket.send('x'.repeat(MESSAGE_BYTES / 2), { fin: false });
      raw.socket.send('x'.repeat(MESSAGE_BYTES / 2 + 1));
      expect((await raw.closed).code).toBe(1009);
    });
  });

  describe('frames', () => {
    it.each([
      ['text that is no JSON', 'hello', 4400],
      ['JSON that is no message', '[]', 4400],
      ['a number', '7', 4400],
      ['null', 'null', 4400],
      ['an unknown type', '{"type":"start","id":"1"}', 4400],
      ['subscribe without an id', '{"type":"subscribe","payload":{"query":"{a}"}}', 4400],
      ['subscribe with an empty id', '{"type":"subscribe","id":"","payload":{"query":"{a}"}}', 4400],
      ['subscribe without a query', '{"type":"subscribe","id":"1","payload":{}}', 4400],
      ['subscribe with variables that are no object', '{"type":"subscribe","id":"1","payload":{"query":"{a}","variables":"x"}}', 4400],
      ['a message of prototypes', '{"__proto__":{"type":"ping"}}', 4400],
    ])('%s: %s', async (_what, text, code) => {
      const raw = await admitted();
      raw.send(text);
      expect((await raw.closed).code).toBe(code);
    });

    it('close with 4400: binary', async () => {
      const raw = await admitted();
      raw.socket.send(Buffer.from('{"type":"ping"}'), { binary: true });
      expect((await raw.closed).code).toBe(4400);
    });

    it('close with 4409: a repeated id', async () => {
      const raw = await admitted();
      follow(raw, 'same');
      await raw.next();
      follow(raw, 'same');
      expect((await raw.closed).code).toBe(4409);
    });

    it('return any text as an id unchanged', async () => {
      const raw = await admitted();
      for (const id of ['blink_payment_stream', '"\\\u2028', '🧀']) {
        follow(raw, id);
        expect(await raw.next()).toMatchObject({ id, type: 'next' });
        raw.send({ id, type: 'complete' });
      }
    });

    it('are answered: pings of the sub-protocol and of WebSocket', async () => {
      const raw = await admitted();
      raw.send({ type: 'ping', payload: { a: 1 } });
      expect(await raw.next()).toMatchObject({ type: 'pong' });
      const other = await pinged();
      open.push(other);
      await once(other.socket, 'ping');
      expect(other.socket.readyState).toBe(other.socket.OPEN);
    });

    it('close the connection when pings are not answered', async () => {
      const raw = await pinged({ autoPong: false });
      expect((await raw.closed).code).toBe(1006);
    });

    it('do not close the connection when their answer came while the server stood still', async () => {
      const raw = await pinged();
      open.push(raw);
      await once(raw.socket, 'ping'); // the client has answered: this process, which is both, stands still for more than two pings now
      for (const until = performance.now() + 500; performance.now() < until;);
      expect(await Promise.race([raw.closed, once(raw.socket, 'ping')])).toHaveProperty('0');
    });

    it('close the connection also of a client that sends pongs without having read the pings', async () => {
      const raw = await pinged({ autoPong: false });
      const timer = setInterval(() => raw.socket.pong(), 100);
      expect((await raw.closed).code).toBe(1006);
      clearInterval(timer);
    });
  });

  describe('an id that is used again', () => {
    const listeners = (): number => listenerCount(app, 'transaction.changed', alice.accountId);
    const complete = (raw: RawSocket, id: string): void => raw.send({ id, type: 'complete' });
    /** What `send` sends arrives in one segment. */
    const atOnce = (raw: RawSocket, send: () => void): void => {
      const { _socket: tcp } = raw.socket as unknown as { _socket: Socket };
      tcp.cork();
      send();
      tcp.uncork();
    };
    const following = async (ids = ['r']): Promise<RawSocket> => {
      const raw = await admitted(alice.as('read'));
      const start = (): void => ids.forEach((id) => raw.subscribe(id, UPDATES));
      await untilListening(app, 'transaction.changed', alice.accountId, start, ids.length);
      return raw;
    };
    /** The frames of one event up to those that were expected, and what follows them. */
    const framesOfOneEvent = async (raw: RawSocket, expected = 1): Promise<string[]> => {
      await bob.pay((await alice.invoice(1)).paymentRequest);
      await eventually(() => raw.frames.filter(({ type }) => type === 'next').length >= expected);
      raw.send({ type: 'ping' });
      await eventually(() => raw.frames.some(({ type }) => type === 'pong'));
      return raw.frames.slice(1, -1).map(({ type, id }) => `${type} ${id}`);
    };
    afterEach(async () => {
      await Promise.all(open.map((raw) => raw.leave()));
      await eventually(() => listeners() === 0);
    });

    it('hears as the new subscription, when complete and subscribe arrive together', async () => {
      const raw = await following();
      atOnce(raw, () => {
        complete(raw, 'r');
        raw.subscribe('r', UPDATES);
      });
      expect(await framesOfOneEvent(raw)).toEqual(['next r']);
    });

    it('has one stream after a hundred pairs, and none after the last complete', async () => {
      const raw = await admitted(alice.as('read'));
      await untilListening(app, 'transaction.changed', alice.accountId, () =>
        atOnce(raw, () => {
          for (let pair = 0; pair < 100; pair++) {
            raw.subscribe('r', UPDATES);
            complete(raw, 'r');
          }
          raw.subscribe('r', UPDATES);
        }),
      );
      expect(await framesOfOneEvent(raw)).toEqual(['next r']);
      complete(raw, 'r');
      await eventually(() => listeners() === 0);
    });

    it('has one stream of a shared feed, and its end is that of the new subscription', async () => {
      const raw = await admitted();
      atOnce(raw, () => {
        for (let pair = 0; pair < 3; pair++) {
          follow(raw, 'r');
          complete(raw, 'r');
        }
        follow(raw, 'r');
      });
      expect(await raw.next()).toMatchObject({ id: 'r', type: 'next', payload: { data: { lnInvoicePaymentStatusByHash: {} } } });
      raw.send({ type: 'ping' });
      expect((await raw.next()).type).toBe('pong');
    });

    it('has no subscription where the client completed that which waited', async () => {
      const raw = await following();
      atOnce(raw, () => {
        complete(raw, 'r');
        raw.subscribe('r', UPDATES);
        complete(raw, 'r');
      });
      await eventually(() => listeners() === 0);
      raw.subscribe('other', 'subscription { nothing }');
      expect(await raw.next()).toMatchObject({ id: 'other', type: 'error' });
    });

    it('closes with 4409 while the one that waits is open', async () => {
      const raw = await following();
      atOnce(raw, () => {
        complete(raw, 'r');
        raw.subscribe('r', UPDATES);
        raw.subscribe('r', UPDATES);
      });
      expect(await raw.closed).toEqual({ code: 4409, reason: 'Subscriber for r already exists' });
    });

    it('waits with seven others at most: the ninth closes with 4429', async () => {
      const ids = [...Array(9).keys()].map(String);
      const again = (raw: RawSocket, some: readonly string[]): void =>
        atOnce(raw, () => {
          for (const id of some) complete(raw, id);
          for (const id of some) raw.subscribe(id, UPDATES);
        });
      const raw = await following(ids);
      again(raw, ids.slice(1));
      expect((await framesOfOneEvent(raw, ids.length)).sort()).toEqual(ids.map((id) => `next ${id}`));
      again(raw, ids);
      expect(await raw.closed).toEqual({ code: 4429, reason: 'Too many requests' });
    });

    it('leaves nothing behind when its connection is closed before its stream is open', async () => {
      const { id, secret } = await keyOf(alice);
      const usual = jest.replaceProperty(SOCKET_TIMES, 'pingMs', 600_000);
      const raw = await admitted({ 'X-API-KEY': secret });
      usual.restore();
      const streams = jest.spyOn(app.get(Events), 'stream');
      const client = await app.pool.connect();
      await client.query('BEGIN; LOCK TABLE account IN ACCESS EXCLUSIVE MODE');
      raw.subscribe('r', UPDATES);
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(async () => (await app.pool.query(waiting)).rowCount === 1);
      // It does not read the close frame, so the connection stays half closed.
      raw.socket.pause();
      await app.get(ApiKeyService).revoke(alice.userId, id);
      const isClosing = (): boolean => socketsOf(app).some(({ readyState }) => readyState === raw.socket.CLOSING);
      await eventually(isClosing);
      await client.query('ROLLBACK');
      client.release();
      await eventually(() => streams.mock.calls.some(([, key]) => key === alice.accountId));
      await eventually(() => listeners() === 0 || !isClosing());
      expect(isClosing()).toBe(true);
      streams.mockRestore();
      raw.socket.resume();
    });
  });

  describe('documents', () => {
    const errorsOf = async (query: string, variables?: Record<string, unknown> | null): Promise<unknown> => {
      const raw = await admitted();
      raw.subscribe('1', query, variables);
      const frame = await raw.next();
      expect(frame.id).toBe('1');
      expect(JSON.stringify(frame)).not.toMatch(/stack|node_modules|\.ts:/);
      return frame.type === 'error' ? frame.payload : frame.payload.errors;
    };

    it.each([
      ['a query', '{ globals { network } }', 'OPERATION_NOT_SUPPORTED', /Only subscription operations are supported/],
      [
        'a mutation',
        'mutation { lnInvoiceCancel(input: { walletId: "x", paymentHash: "y" }) { success } }',
        'OPERATION_NOT_SUPPORTED',
        /Only subscription/,
      ],
      ['introspection', '{ __schema { queryType { name } } }', 'OPERATION_NOT_SUPPORTED', /Only subscription/],
      ['nonsense', 'subscription {', 'GRAPHQL_PARSE_FAILED', /Syntax Error/],
      ['nothing but a fragment', 'fragment F on Query { __typename }', 'GRAPHQL_VALIDATION_FAILED', /never used/],
      [
        'two operations and no name',
        `subscription A { myUpdates { errors { message } } } subscription B { myUpdates { errors { message } } }`,
        'OPERATION_RESOLUTION_FAILURE',
        /Set operationName/,
      ],
      ['an unknown field', 'subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED', /Cannot query field/],
      [
        'two fields',
        'subscription { a: myUpdates { errors { message } } b: myUpdates { errors { message } } }',
        'GRAPHQL_VALIDATION_FAILED',
        /only one top level field/,
      ],
      [
        'a document that is too deep',
        `subscription { myUpdates { ${'me { defaultAccount { '.repeat(1)}${'wallets { transactions { edges { node { initiationVia { __typename } } } } }'}${'} }'.repeat(1)} } }`,
        undefined,
        undefined,
      ],
      [
        'forty aliases',
        `subscription { myUpdates { ${Array.from({ length: 40 }, (_, i) => `a${i}: __typename`).join(' ')} } }`,
        'QUERY_TOO_COMPLEX',
        /aliases/,
      ],
      ['one name a hundred times', `subscription { myUpdates { ${'__typename '.repeat(100)} } }`, undefined, undefined],
      ['one name three hundred times', `subscription { myUpdates { ${'__typename '.repeat(300)} } }`, 'QUERY_TOO_COMPLEX', /pairs/],
    ] as const)('%s', async (_what, query, code, message) => {
      if (code === undefined) return expect(await errorsOf(query)).toMatchObject([{ extensions: { code: 'NOT_AUTHENTICATED' } }]);
      const [error] = (await errorsOf(query)) as { message: string; extensions: { code: string } }[];
      expect(error?.extensions).toMatchObject({ code });
      expect(error?.message).toMatch(message);
    });

    it.each([
      ['absent', undefined],
      ['empty', {}],
      ['null', null],
    ])('need no variables: %s', async (_what, variables) => {
      const raw = await admitted();
      raw.subscribe('1', `subscription { lnInvoicePaymentStatusByHash(input: { paymentHash: "${hash}" }) { status } }`, variables);
      expect(await raw.next()).toMatchObject({ type: 'next', payload: { data: { lnInvoicePaymentStatusByHash: { status: 'PENDING' } } } });
    });

    it.each([
      ['is missing', {}],
      ['is null', { input: null }],
      ['is a number', { input: 7 }],
      ['lacks its field', { input: {} }],
      ['has a field too many', { input: { paymentHash: 'x', more: 1 } }],
    ])('with a variable that %s get an error', async (_what, variables) => {
      expect(await errorsOf(STATUS, variables)).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    });

    it('accept extensions and an operation name', async () => {
      const raw = await admitted();
      const query = `subscription Mine { lnInvoicePaymentStatusByHash(input: { paymentHash: "${hash}" }) { status } } subscription Other { myUpdates { errors { message } } }`;
      raw.send({ id: '1', type: 'subscribe', payload: { query, operationName: 'Mine', extensions: { persistedQuery: { version: 1 } } } });
      expect(await raw.next()).toMatchObject({ type: 'next' });
    });
  });

  describe('a credential that ends', () => {
    it('by revocation closes all its sockets, and no other, with 4401', async () => {
      const { id, secret } = await keyOf(alice);
      const raws = [await admitted({ 'X-API-KEY': secret }), await admitted({ 'X-API-KEY': secret })];
      raws[0]?.subscribe('1', UPDATES);
      const other = await admitted(bob.as('read'));
      await app.get(ApiKeyService).revoke(alice.userId, id);
      for (const raw of raws) expect(await raw.closed).toEqual({ code: 4401, reason: 'Unauthorized' });
      expect(other.socket.readyState).toBe(other.socket.OPEN);
      expect((await (await init({ 'X-API-KEY': secret })).closed).code).toBe(4401);
    });

    it('by expiry closes its sockets then, with 4401', async () => {
      const { secret } = await keyOf(alice);
      const before = Date.now();
      await new TimeTravel(app).apiKeyEndsIn(hashToken(secret), 3_000);
      const raw = await admitted({ 'X-API-KEY': secret });
      raw.subscribe('1', UPDATES);
      expect((await raw.closed).code).toBe(4401);
      expect(Date.now() - before).toBeGreaterThan(2_900);
      expect((await (await init({ 'X-API-KEY': secret })).closed).code).toBe(4401);
      // A timer may fire a millisecond before its time.
      await eventually(async () => (await graphql(app.url, '{ __typename }', {}, { 'x-api-key': secret })).data === undefined);
    });

    it('after years does not close its socket at once', async () => {
      const made = await app.get(ApiKeyService).create({ userId: alice.userId, name: 'years', scopes: ['read'], expireInDays: 3_650 });
      const raw = await admitted({ 'X-API-KEY': made.kind === 'created' ? made.secret : '' });
      raw.send({ type: 'ping' });
      expect((await raw.next()).type).toBe('pong');
      expect(raw.socket.readyState).toBe(raw.socket.OPEN);
    });
  });

  it('sends equal messages in equal bytes', async () => {
    const { paymentHash, paymentRequest } = await alice.invoice(10);
    const raws = await Promise.all([admitted(), admitted(), admitted(alice.as('write')), admitted(bob.as('read'))]);
    for (const raw of raws) raw.subscribe('1', STATUS, { input: { paymentHash } });
    for (const raw of raws) await raw.next();
    const stringified = jest.spyOn(JSON, 'stringify');
    await bob.pay(paymentRequest);
    for (const raw of raws) expect((await raw.next()).payload.data.lnInvoicePaymentStatusByHash.status).toBe('PAID');
    const serialised = stringified.mock.calls.filter(([value]) =>
      JSON.stringify(value ?? null).includes('"lnInvoicePaymentStatusByHash":{"status":"PAID"'),
    ).length;
    stringified.mockRestore();
    expect(serialised).toBe(1);
    expect(new Set(raws.map((raw) => raw.texts.find((text) => text.includes('PAID')))).size).toBe(1);
  });

  it('closes with 1001 when the server stops, without losing a message', async () => {
    const second = await createTestApp({ beside: app, env: LIMITS });
    const raw = await RawSocket.admitted(second.url, alice.as('read'));
    raw.subscribe('1', UPDATES);
    await second.close();
    expect((await raw.closed).code).toBe(1001);
  });
});
