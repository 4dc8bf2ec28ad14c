import { Database, sql } from '../../src/platform/database/index.js';
import { Events } from '../../src/platform/events/index.js';
import { Readiness, READINESS } from '../../src/edge/health/readiness.js';
import { Clock } from '../../src/platform/kernel/clock.js';
import { LightningNode } from '../../src/money/lightning/index.js';
import { PaymentBeginner } from '../../src/money/payment/begin/payment.beginner.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { productionEnv } from '../support/production.js';
import { asAdministrator } from '../support/database.js';
import { eventually } from '../../src/testing/eventually.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

async function inProduction(beside?: TestApp): Promise<TestApp> {
  return createTestApp({ env: await productionEnv(), ...(beside && { beside }) });
}

describe('health', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  beforeAll(async () => {
    jest.replaceProperty(READINESS, 'keptMs', 0);
    app = await inProduction();
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const live = (): Promise<HttpAnswer> => request(`${app.url}/health/live`);
  const ready = (): Promise<HttpAnswer> => request(`${app.url}/health/ready`);
  const ask = (query: string, headers: Record<string, string> = {}): Promise<HttpAnswer> => post(`${app.url}/graphql`, { query }, headers);

  /** The database refuses connections while `work` runs, and ends those that were open. */
  const withoutDatabase = async (work: () => Promise<void>): Promise<void> => {
    const name = String(app.database.connection.database);
    await asAdministrator(async (client) => {
      await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      try {
        await work();
      } finally {
        await client.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
      }
    });
  };

  it('is live and ready, without credentials', async () => {
    await eventually(async () => (await ready()).body.degraded === undefined);
    for (const answer of [await live(), await ready()]) {
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('asks the database once a second, however often it is asked', async () => {
    const kept = jest.replaceProperty(READINESS, 'keptMs', 1_000);
    const now = jest.spyOn(app.get(Clock), 'elapsed');
    const query = jest.spyOn(app.get(Database), 'query');
    const asked = (): number =>
      query.mock.calls.filter(([{ text }]) => text.includes('FOR KEY SHARE') && text.includes('WHERE false')).length;
    const at = performance.now() + 1_000;
    now.mockReturnValue(at);
    for (let n = 0; n < 20; n++) expect((await ready()).status).toBe(200);
    now.mockReturnValue(at + 999);
    await Promise.all(Array.from({ length: 20 }, ready));
    expect(asked()).toBe(1);
    now.mockReturnValue(at + 1_000);
    await Promise.all(Array.from({ length: 20 }, ready));
    expect(asked()).toBe(2);
    // What this process knows by itself is not kept.
    const done = app.get(Readiness).await('something');
    expect((await ready()).status).toBe(503);
    done();
    expect((await ready()).status).toBe(200);
    for (const mock of [now, query]) mock.mockRestore();
    kept.replaceValue(0);
  });

  it('counts in no rate limit, and is answered beyond all', async () => {
    const strict = await createTestApp({
      beside: app,
      env: { ...(await productionEnv()), THROTTLE_ADDRESS: '2/60', WORK_PER_ADDRESS: '1' },
    });
    const get = (path: string): Promise<HttpAnswer> => request(`${strict.url}${path}`);
    for (let n = 0; n < 4; n++)
      for (const path of ['/health/live', '/health/ready', '/health/ready/', '/health/live?a=b']) {
        const { status, headers } = await get(path);
        expect([status === 429, headers.get('ratelimit')]).toEqual([false, null]);
      }
    for (let n = 0; n < 3; n++) await get('/favicon.ico');
    expect((await get('/favicon.ico')).status).toBe(429);
    expect((await get('/health/live')).status).toBe(200);
    await eventually(async () => (await get('/health/ready')).status === 200);
    await strict.close();
  });

  it('is not ready until the start is complete', async () => {
    const done = app.get(Readiness).await('something');
    const answer = await ready();
    expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
      503,
      { status: 'not ready', waitingFor: ['something'] },
      '1',
    ]);
    expect((await live()).status).toBe(200);
    done();
    expect((await ready()).status).toBe(200);
  });

  it('is not ready during an outage of the database, answers 503 and 1013 meanwhile, and recovers', async () => {
    const before = await RawSocket.admitted(app.url, alice.as('read'));
    await withoutDatabase(async () => {
      const answer = await eventually(async () => {
        const asked = await ready();
        return asked.status === 503 ? asked : undefined;
      });
      expect(answer.body).toEqual({ status: 'not ready', waitingFor: ['database'] });
      expect((await live()).status).toBe(200);

      // The server cannot know whether a credential is good: never 401, which clients take as final.
      await eventually(async () => (await ask('{ __typename }', { 'x-api-key': alice.keys.read })).status === 503);
      const refused = await ask('{ __typename }', { 'x-api-key': alice.keys.write });
      const { message } = refused.body.error as { message: string };
      expect(refused.body).toEqual({ error: { code: 503, status: 'Service Unavailable', message }, errors: [{ message }] });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

      const field = await ask('{ usernameAvailable(username: "free_name") }');
      expect(field.body.errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
      expect(field.text).not.toMatch(/stack|terminat|pg_|database "/i);

      const raw = await RawSocket.open(app.url);
      raw.send({ type: 'connection_init', payload: alice.as('read') });
      expect((await raw.closed).code).toBe(1013);
    });
    await eventually(async () => (await ready()).status === 200);
    expect(await alice.sats()).toBe(1_000);
    expect(before.socket.readyState).toBe(before.socket.OPEN);
    await before.leave();
    await fixture.fund(alice, 500);
  });

  it('pays nothing during an outage of the database, and once afterwards', async () => {
    const outside = await fixture.outside(100, { routeFeeMsat: 0n });
    const query = `mutation { lnInvoicePaymentSend(input: { walletId: "${alice.wallets.BTC}", paymentRequest: "${outside.paymentRequest}" }) { status errors { code } } }`;
    const before = await alice.sats();
    await withoutDatabase(async () => {
      const { text } = await ask(query, { 'x-api-key': alice.keys.write });
      expect(text).not.toMatch(/SUCCESS|FAILURE/);
    });
    await eventually(async () => (await ready()).status === 200);
    expect(await eventually(async () => (await alice.pay(outside.paymentRequest)).status as string)).toBe('SUCCESS');
    expect(await alice.sats()).toBe(before - 100);
  });

  it('is not ready while the database is read-only, and recovers', async () => {
    const name = String(app.database.connection.database);
    const readsOnly = (value: string): Promise<void> =>
      asAdministrator(async (client) => {
        await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
        await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
      });
    await readsOnly('on');
    try {
      await eventually(async () => {
        const { status, body } = await ready();
        return status === 503 && body.waitingFor[0] === 'database is read-only';
      });
      for (let i = 0; i < 5; i++) await ready();
      expect((await live()).status).toBe(200);
    } finally {
      await asAdministrator(async (client) => void (await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)));
    }
    // The pool drops the connections to the read-only server and does not reuse them: each fails once, also after one that can write.
    await eventually(async () => (await ready()).status === 200);
    await eventually(() => fixture.fund(alice, 10).then(() => true));
    expect(app.logs.filter((line) => line.includes('database is read-only')).length).toBeLessThan(3);
  });

  it('reports at 200 that a node is lost which was reached before', async () => {
    const info = jest.spyOn(app.get(LightningNode), 'info').mockResolvedValue({ status: 'unknown' });
    try {
      // Events may be late for a moment too.
      const answer = await eventually(async () => {
        const asked = await ready();
        return asked.body.degraded?.join() === 'lightning' ? asked : undefined;
      });
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok', degraded: ['lightning'] }]);
    } finally {
      info.mockRestore();
    }
    await eventually(async () => (await ready()).body.degraded === undefined);
  });

  it('reports at 200 that events are late, for it or a durable consumer, and that payments wait too long', async () => {
    const late = jest.spyOn(app.get(Events), 'current', 'get').mockReturnValue(false);
    const waits = jest.spyOn(app.get(Events), 'hasLateConsumer', 'get').mockReturnValue(true);
    const age = jest.spyOn(PaymentBeginner.prototype, 'waitedMs', 'get').mockReturnValue(6_000);
    try {
      expect((await ready()).body).toEqual({ status: 'ok', degraded: ['event consumers', 'events', 'payments'] });
    } finally {
      waits.mockRestore();
      late.mockRestore();
      age.mockRestore();
    }
  });

  it('is not ready before the node was reached once', async () => {
    const info = jest.spyOn(LightningNode.prototype, 'info').mockResolvedValue({ status: 'unknown' });
    const second = await inProduction(app);
    try {
      const answer = await request(`${second.url}/health/ready`);
      expect([answer.status, answer.body.waitingFor]).toEqual([503, ['lightning']]);
      info.mockRestore();
      await eventually(async () => (await request(`${second.url}/health/ready`)).status === 200);
    } finally {
      info.mockRestore();
      await second.close();
    }
  });

  it('is not ready while the database’s disk is full', async () => {
    const second = await inProduction(app);
    try {
      await eventually(async () => (await request(`${second.url}/health/ready`)).status === 200);
      const full = sql`DO $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`;
      await expect(second.get(Database).query(full)).rejects.toThrow('No space left');
      const answer = await request(`${second.url}/health/ready`);
      expect([answer.status, answer.body.waitingFor]).toEqual([503, ['database is full']]);
    } finally {
      await second.close();
    }
  });

  it('is not ready during the drain, then closed', async () => {
    const second = await inProduction(app);
    await eventually(async () => (await request(`${second.url}/health/ready`)).status === 200);
    second.get(Readiness).isLeaving = true;
    const answer = await request(`${second.url}/health/ready`);
    expect([answer.status, answer.body]).toEqual([503, { status: 'not ready', waitingFor: ['leaving'] }]);
    await second.close();
    await expect(request(`${second.url}/health/live`)).rejects.toThrow();
  });
});
