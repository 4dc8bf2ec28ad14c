import { once } from 'node:events';
import { getIntrospectionQuery } from 'graphql';
import { QUEUE_LIMITS, WorkInProgress } from '../../src/edge/http/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { post, type HttpAnswer } from '../support/http.js';
import { Pipeline } from '../support/pipeline.js';
import { RawSocket } from '../support/raw-socket.js';

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

const NETWORK = '{ globals { network } }';
/** As costly as the limits permit; no two are the same. */
const heavy = (n: number): string => `query heavy${n} { ${times(100, () => 'globals { network }')} }`;
const heavyStatus = (n: number): string =>
  `subscription s${n} { lnInvoicePaymentStatusByHash(input: { paymentHash: "${'ab'.repeat(32)}" }) { ${times(120, () => 'status')} } }`;
const SHORT_STATUS = `subscription { lnInvoicePaymentStatusByHash(input: { paymentHash: "${'ab'.repeat(32)}" }) { status } }`;

const spreadTwice = (depth: number): string =>
  times(depth, (i) => `fragment T${i} on __Type { ${i < depth - 1 ? `...T${i + 1} ofType { ...T${i + 1} }` : 'name'} }`);

const SCHEMA = '{ __schema { types { name fields { type { name ofType { name } } args { type { name ofType { name } } } } } } }';

/** Validation precedes everything that counts or queues: its time is bounded, and callers who send many new documents take turns. */
describe('documents that the process has not cached', () => {
  let app: TestApp;
  let work: WorkInProgress;
  beforeAll(async () => {
    app = await createTestApp({ env: { TRUST_PROXY: '1' } });
    work = app.get(WorkInProgress);
  });
  afterEach(() => eventually(async () => (await inProgress()) === 0));
  afterAll(() => app.close());

  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const ask = (query: string, headers = elsewhere(), from = app): Promise<HttpAnswer> => post(`${from.url}/graphql`, { query }, headers);
  const numberOf = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await app.get(Metrics).text())?.[1] ?? 0);
  const inProgress = (): Promise<number> => numberOf('sluice_work_in_progress');

  /** Holds the turn to validate: costly new documents wait meanwhile. */
  async function whileTaken(run: () => Promise<void>, of = work): Promise<void> {
    const turn = await of.thread.enter('another caller');
    try {
      await run();
    } finally {
      turn.end();
    }
  }

  describe.each([
    ['one field very often', `{ ${times(240, () => 'me { id }')} }`, 'pairs'],
    ['fragments that spread fragments', `{ __type(name: "User") { ...T0 } } ${spreadTwice(16)}`, 'fields'],
    ['fragments that nothing spreads', `{ me { id } } fragment X on __Type { ...T0 } ${spreadTwice(16)}`, 'fields'],
    [
      'fragments over many operations',
      `${times(90, (i) => `query q${i} { ...f }`)} fragment f on Query { ${times(60, () => 'globals { network }')} }`,
      '',
    ],
    ['many lines', `${'\n'.repeat(2_000)}{ me { id } }`, 'lines'],
  ])('%s', (_what, query, because) => {
    it('is refused with its reason, over HTTP and on a socket', async () => {
      const { status, body } = await ask(query);
      expect([status, body.errors.length, body.errors[0].extensions.code]).toEqual([200, 1, 'QUERY_TOO_COMPLEX']);
      expect(body.errors[0].message).toContain(because);
      const raw = await RawSocket.admitted(app.url);
      raw.subscribe('1', query);
      expect(await raw.next()).toMatchObject({ type: 'error', payload: [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }] });
      await raw.leave();
    });
  });

  it('a document with much text is refused before it is parsed', async () => {
    const { body } = await ask(`{ globals { network } } # ${'x'.repeat(17_000)}`);
    expect(body.errors).toMatchObject([{ message: expect.stringContaining('bytes'), extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
  });

  it('a document with very many errors gets some of them, each with a suggestion', async () => {
    const query = `{ ${times(900, (i) => `globalz${i}`)} }`;
    const { body } = await ask(query);
    expect(body.errors[0].message).toBe('Cannot query field "globalz0" on type "Query". Did you mean "globals"?');
    expect(body.errors.length).toBeLessThanOrEqual(11);
    const raw = await RawSocket.admitted(app.url);
    raw.subscribe('1', query);
    const { payload } = await raw.next();
    expect(payload[0].message).toContain('Did you mean');
    expect(payload.length).toBeLessThanOrEqual(11);
    await raw.leave();
  });

  it.each([
    [
      'themselves',
      '{ me { ...A } } fragment A on User { ...B } fragment B on User { ...A }',
      'Cannot spread fragment "A" within itself via "B".',
    ],
    [
      'their name',
      '{ me { ...A } } fragment B on User { id } fragment A on User { ...B } fragment B on User { ...A }',
      'only one fragment named "B"',
    ],
  ])('fragments that repeat %s are reported as such', async (_what, query, message) => {
    const { status, body } = await ask(query);
    expect([status, body.errors[0].extensions.code]).toEqual([200, 'GRAPHQL_VALIDATION_FAILED']);
    expect(body.errors[0].message).toContain(message);
  });

  it('the documents of tools and clients are accepted', async () => {
    const everything = {
      inputValueDeprecation: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      oneOf: true,
    };
    const parts = times(40, (i) => `fragment part${i} on User { id username defaultAccount { id level wallets { id balance } } }`);
    for (const query of [
      getIntrospectionQuery(everything),
      getIntrospectionQuery(),
      `{ me { ${times(40, (i) => `...part${i}`)} } } ${parts}`,
    ])
      expect((await ask(query)).body.errors?.[0]?.extensions.code).not.toBe('QUERY_TOO_COMPLEX');
  });

  it('wait for others of their address, while another caller is answered', async () => {
    const here = elsewhere();
    const other = await Pipeline.open(app.url);
    const pipelines = await Promise.all(Array.from({ length: 4 }, () => Pipeline.open(app.url)));
    pipelines.forEach((pipeline, n) =>
      pipeline.send(
        Array.from({ length: 8 }, (_, i) => ({ query: heavy(n * 8 + i) })),
        here,
      ),
    );
    other.send([{ query: NETWORK }], elsewhere());
    await once(other.socket, 'data');
    expect(pipelines.flatMap(({ answers }) => answers).length).toBeLessThan(16);
    expect(work.thread.length).toBeGreaterThan(0);
    await eventually(() => pipelines.every(({ answers }) => answers.length === 8));
    expect(pipelines.flatMap(({ answers }) => answers).every(({ text }) => text.includes('"network"'))).toBe(true);
    await Promise.all([...pipelines, other].map((pipeline) => pipeline.close()));
  });

  it('wait for others of their address on its sockets too', async () => {
    const headers = elsewhere();
    const sockets = await Promise.all(Array.from({ length: 16 }, () => RawSocket.admitted(app.url, {}, { headers })));
    const other = await RawSocket.admitted(app.url, {}, { headers: elsewhere() });
    sockets.forEach((raw, n) => [0, 1, 2, 3].forEach((i) => raw.subscribe(String(i), heavyStatus(n * 4 + i))));
    other.subscribe('1', SHORT_STATUS);
    await other.next();
    const answered = (): number => sockets.flatMap(({ frames }) => frames).filter(({ type }) => type !== 'connection_ack').length;
    expect(answered()).toBeLessThan(32);
    await eventually(() => answered() >= 64);
    await Promise.all([...sockets, other].map((raw) => raw.leave()));
  });

  it('wait if they are long; short and known documents do not', async () => {
    expect((await ask(heavy(1_000))).body.errors).toBeUndefined();
    await whileTaken(async () => {
      const waits = ask(heavy(1_001));
      await eventually(async () => (await inProgress()) === 1);
      expect((await ask(heavy(1_000))).body.errors).toBeUndefined();
      expect((await ask(`{ globals { network } } # ${addresses}`)).body.errors).toBeUndefined();
      const raw = await RawSocket.admitted(app.url);
      raw.subscribe('1', SHORT_STATUS);
      expect((await raw.next()).id).toBe('1');
      await raw.leave();
      expect(await inProgress()).toBe(1);
      void waits.catch(() => undefined);
    });
  });

  it('wait if they are short and expensive to validate', async () => {
    const query = `{ __type(name: "User") { ...A } } fragment A on __Type { ${times(22, () => 'name')} ofType { ${times(22, () => 'kind')} } }`;
    expect(query.length).toBeLessThan(320);
    await whileTaken(async () => {
      const waits = ask(query.replaceAll(/ ([{}]) /g, '$1'));
      await eventually(async () => (await inProgress()) === 1);
      expect((await ask(NETWORK)).status).toBe(200);
      expect(await inProgress()).toBe(1);
      void waits.catch(() => undefined);
    });
  });

  it('get 503 when the queue is full, and skip a caller that has disconnected', async () => {
    const usual = jest.replaceProperty(QUEUE_LIMITS, 'waitingEach', 2);
    const narrow = await createTestApp({ env: { TRUST_PROXY: '1' } });
    usual.restore();
    const here = elsewhere();
    await whileTaken(async () => {
      const waiting = [await Pipeline.open(narrow.url), await Pipeline.open(narrow.url)] as const;
      waiting.forEach((pipeline, n) => pipeline.send([{ query: heavy(2_000 + n) }], here));
      await eventually(() => narrow.get(WorkInProgress).thread.length === 2);
      // The second needs no turn to be validated, but one to be executed.
      for (const query of [heavy(2_002), SCHEMA]) {
        const { status, headers, body } = await ask(query, here, narrow);
        expect([status, headers.get('retry-after'), body.errors[0].extensions]).toEqual([503, '1', { code: 'SERVICE_UNAVAILABLE' }]);
      }
      expect(narrow.logs.filter((line) => /refused: its queue of thread is full/.test(line))).toHaveLength(1);
      expect(await narrow.get(Metrics).text()).toContain('sluice_turns_refused_total{queue="thread",because="full"} 2');
      expect((await ask(NETWORK, here, narrow)).status).toBe(200);
      await waiting[0].close();
      await waiting[1].close();
      await eventually(() => narrow.get(WorkInProgress).thread.length === 0);
    }, narrow.get(WorkInProgress));
    expect((await ask(heavy(2_000), here, narrow)).status).toBe(200);
    await narrow.close();
  });

  it('on a socket delay the messages behind them, in order', async () => {
    const raw = await RawSocket.admitted(app.url, {}, { headers: elsewhere() });
    await whileTaken(async () => {
      raw.subscribe('1', heavyStatus(3_000));
      raw.send({ type: 'complete', id: '1' });
      raw.subscribe('1', SHORT_STATUS);
      raw.send({ type: 'ping' });
      await eventually(async () => (await inProgress()) === 1);
      const other = await RawSocket.admitted(app.url, {}, { headers: elsewhere() });
      other.send({ type: 'ping' });
      expect((await other.next()).type).toBe('pong');
      await other.leave();
      expect(raw.frames.length).toBe(1);
    });
    await eventually(() => raw.frames.some(({ type }) => type === 'pong') && raw.frames.some(({ id }) => id === '1'));
    await raw.leave();
  });
});
