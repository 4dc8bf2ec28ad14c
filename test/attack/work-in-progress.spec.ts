import { mintToken } from '../../src/platform/kernel/token.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { Pipeline } from '../support/pipeline.js';
import { Fixture, type Person } from '../support/fixture.js';

const STATUS = {
  query: 'query ($i: LnInvoicePaymentStatusByHashInput!) { lnInvoicePaymentStatusByHash(input: $i) { status } }',
  variables: { i: { paymentHash: 'ab'.repeat(32) } },
};
const PAY = 'mutation ($i: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $i) { status errors { code } } }';
const CREATE = 'mutation ($i: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $i) { invoice { paymentHash } errors { code } } }';
const ME = { query: '{ me { id } }' };

/** Requests in progress are bounded: for a connection, an address, a principal, and for all callers together. */
describe('admission of requests', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    app = await createTestApp({
      env: {
        TRUST_PROXY: '1',
        WORK_PER_ADDRESS: '10',
        WORK_PER_PRINCIPAL: '2',
        WORK_PER_PROCESS: '14',
        DATABASE_POOL_SIZE: '20',
        DATABASE_LOCK_MS: '14000',
      },
    });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user()];
  });
  afterEach(async () => {
    await eventually(async () => (await inProgress()) === 0);
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const ask = (body: object, headers: Record<string, string>): Promise<HttpAnswer> => post(`${app.url}/graphql`, body, headers);
  const numberOf = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await app.get(Metrics).text())?.[1] ?? 0);
  const inProgress = (): Promise<number> => numberOf('sluice_work_in_progress');

  const connections = (): Promise<number> =>
    new Promise((resolve, reject) =>
      app.sluice.app.getHttpServer().getConnections((error: Error | null, n: number) => (error ? reject(error) : resolve(n))),
    );

  /** Locks a table: statements that need it wait meanwhile. */
  async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
    const client = await app.pool.connect();
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    try {
      await work();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  const expectBusy = ({ status, headers, body }: HttpAnswer): void => {
    expect([status, headers.get('retry-after'), body.error]).toMatchObject([503, '1', { code: 503, status: 'Service Unavailable' }]);
    expect(body.errors).toEqual([{ message: body.error.message as string }]);
  };

  it('runs eight requests of one connection, refuses the others, and answers in order', async () => {
    const pipeline = await Pipeline.open(app.url);
    await whileLocked('invoice', async () => {
      pipeline.send([...Array<object>(8).fill(STATUS), ...Array<object>(4).fill({ query: '{ globals { network } }' })], elsewhere());
      await eventually(async () => (await numberOf('sluice_work_refused_total{bound="connection"}')) === 4);
      expect((await ask({ query: '{ globals { network } }' }, elsewhere())).status).toBe(200);
    });
    await eventually(() => pipeline.answers.length === 12);
    expect(pipeline.answers.map(({ status }) => status)).toEqual([...Array<number>(8).fill(200), ...Array<number>(4).fill(503)]);
    expect(pipeline.answers[11]?.head).toMatch(/retry-after: 1/i);
    await pipeline.close();
  });

  it('is limited for one address, without effect on others', async () => {
    const here = elsewhere();
    await whileLocked('invoice', async () => {
      const asked = Array.from({ length: 10 }, () => ask(STATUS, here));
      await eventually(async () => (await inProgress()) === 10);
      expectBusy(await ask(ME, here));
      expect((await ask({ query: '{ globals { network } }' }, elsewhere())).status).toBe(200);
      void Promise.all(asked);
    });
  });

  it('is limited for one principal, from any address', async () => {
    await whileLocked('invoice', async () => {
      const asked = Array.from({ length: 2 }, () => ask(STATUS, { ...elsewhere(), ...alice.as('read') }));
      await eventually(async () => (await inProgress()) === 2);
      expectBusy(await ask(ME, { ...elsewhere(), ...alice.as('read') }));
      expect((await ask(ME, { ...elsewhere(), ...alice.as('all') })).body.data.me.id).toBe(alice.userId);
      void Promise.all(asked);
    });
  });

  it('is limited for the whole process, which still answers /health/live', async () => {
    await whileLocked('invoice', async () => {
      const asked = Array.from({ length: 14 }, () => ask(STATUS, elsewhere()));
      await eventually(async () => (await inProgress()) === 14);
      expectBusy(await ask(ME, elsewhere()));
      expect((await request(`${app.url}/health/live`)).status).toBe(200);
      void Promise.all(asked);
    });
  });

  it('counts the lookup of a credential for its address', async () => {
    const here = elsewhere();
    await whileLocked('api_key', async () => {
      const asked = Array.from({ length: 10 }, (_, i) => ask(ME, { ...here, 'x-api-key': i % 2 ? bob.keys.read : bob.keys.write }));
      await eventually(async () => (await inProgress()) === 10);
      expectBusy(await ask(ME, { ...here, ...bob.as('all') }));
      void Promise.all(asked);
    });
  });

  it('looks up no credential of a request that it refuses', async () => {
    const here = elsewhere();
    const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%k.key_hash = $1%'`;
    const faults: unknown[] = [];
    const note = (fault: unknown): void => void faults.push(fault);
    process.on('unhandledRejection', note);
    await whileLocked('api_key', async () => {
      const asked = Array.from({ length: 10 }, () => ask(ME, { ...here, 'x-api-key': mintToken('sluice') }));
      await eventually(async () => (await inProgress()) === 10);
      for (let n = 0; n < 5; n++) expectBusy(await ask(ME, { ...here, 'x-api-key': mintToken('sluice') }));
      expect((await app.pool.query<{ n: number }>(waiting)).rows[0]?.n).toBe(10);
      void Promise.all(asked);
    });
    await eventually(async () => (await inProgress()) === 0);
    process.off('unhandledRejection', note);
    expect(faults).toEqual([]);
  });

  it('does not count a request that waits for a payment’s outcome, or a repeat that waits for an answer', async () => {
    const held = await Promise.all(Array.from({ length: 3 }, () => fixture.outside(10, { hold: true })));
    const pay = (n: number): Promise<HttpAnswer> =>
      ask(
        { query: PAY, variables: { i: { walletId: alice.wallets.BTC, paymentRequest: held[n]?.paymentRequest } } },
        { ...elsewhere(), ...alice.as('write'), 'idempotency-key': `patient ${n}` },
      );
    const asked: Promise<HttpAnswer>[] = [];
    for (let n = 0; n < held.length; n++) {
      asked.push(pay(n));
      await eventually(async () => (await app.pool.query(`SELECT FROM payment WHERE state = 'in_flight'`)).rowCount === n + 1);
      await eventually(async () => (await inProgress()) === 0);
    }
    asked.push(pay(0));
    await eventually(async () => (await inProgress()) === 0);
    expect((await ask({ query: '{ globals { network } }' }, { ...elsewhere(), ...alice.as('write') })).status).toBe(200);
    for (const { paymentHash } of held) await fixture.release(paymentHash);
    for (const answer of await Promise.all(asked)) expect(answer.body.data.lnInvoicePaymentSend.status).toBe('SUCCESS');
  });

  it('never starts a request of a closed connection', async () => {
    const before = (await app.pool.query('SELECT FROM invoice')).rowCount;
    const open = await connections();
    await whileLocked('api_key', async () => {
      const pipeline = await Pipeline.open(app.url);
      const variables = { i: { walletId: bob.wallets.BTC, amount: 1 } };
      // Another key than before: a key that was seen lately is cached and not looked up.
      pipeline.send([{ query: CREATE, variables }], { ...elsewhere(), 'x-api-key': bob.keys.receive });
      await eventually(async () => (await inProgress()) === 1);
      await pipeline.close();
      await eventually(async () => (await connections()) <= open);
    });
    await eventually(async () => (await inProgress()) === 0);
    expect((await app.pool.query('SELECT FROM invoice')).rowCount).toBe(before);
  });

  it('lets a started mutation end, and stores its answer', async () => {
    const headers = { ...elsewhere(), ...bob.as('receive'), 'idempotency-key': 'begun' };
    const body = { query: CREATE, variables: { i: { walletId: bob.wallets.BTC, amount: 2 } } };
    expect((await ask({ query: '{ globals { network } }' }, headers)).status).toBe(200);
    await whileLocked('invoice', async () => {
      const pipeline = await Pipeline.open(app.url);
      pipeline.send([body], headers);
      await eventually(async () => (await app.pool.query(`SELECT FROM idempotency WHERE state = 'running'`)).rowCount === 1);
      await pipeline.close();
    });
    await eventually(async () => (await app.pool.query(`SELECT FROM idempotency WHERE state = 'running'`)).rowCount === 0);
    const repeated = await ask(body, headers);
    expect([repeated.headers.get('idempotency-replayed'), repeated.body.data.lnInvoiceCreate.errors]).toEqual(['true', []]);
  });

  it('does not count a body that never arrives', async () => {
    const pipeline = await Pipeline.open(app.url);
    pipeline.socket.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{');
    await ask({ query: '{ globals { network } }' }, elsewhere());
    expect(await inProgress()).toBe(0);
    await pipeline.close();
  });
});
