import { Database } from '../../src/platform/database/index.js';
import { QUEUE_LIMITS, WorkInProgress } from '../../src/edge/http/index.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { SignInService } from '../../src/access/session/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { productionEnv } from '../support/production.js';
import { NEVER_MS, whileTooSlow } from '../support/queue-limits.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const ME = { query: '{ me { id } }' };
const CREATE = 'mutation ($i: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $i) { invoice { paymentHash } errors { code } } }';
const POOL = 8;
/** Three quarters of the pool are for queries, pages and idempotency keys, and half of them for one caller. */
const OF_CALLER = 3;
const METRICS_TOKEN = 'a-token-of-sixteen-letters';

/** One caller's mutations and pages leave connections of the pool to other callers, and a full pool is reported as such. */
describe('a small database pool', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  beforeAll(async () => {
    jest.replaceProperty(QUEUE_LIMITS, 'ageMs', NEVER_MS);
    app = await createTestApp({
      env: {
        ...(await productionEnv()),
        METRICS_TOKEN,
        TRUST_PROXY: '1',
        DATABASE_POOL_SIZE: String(POOL),
        DATABASE_LOCK_MS: '30000',
        DATABASE_STATEMENT_SECONDS: '60',
      },
    });
    fixture = new Fixture(app);
    await eventually(async () => (await request(`${app.url}/health/ready`)).status === 200);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterEach(async () => {
    await shows('sluice_work_in_progress 0');
    await shows('sluice_turns_waiting{queue="database"} 0');
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  let addresses = 0;
  const elsewhere = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
  const ask = (body: object, headers: Record<string, string>): Promise<HttpAnswer> => post(`${app.url}/graphql`, body, headers);
  const shows = (line: string): Promise<boolean> => eventually(async () => (await app.get(Metrics).text()).includes(line));
  const allAreRefused = (): Promise<void> =>
    whileTooSlow(app.get(WorkInProgress).database, () => shows('sluice_turns_waiting{queue="database"} 0'));
  const lines = (pattern: RegExp): string[] => app.logs.filter((line) => pattern.test(line));

  async function cookieOf({ email }: Person): Promise<string> {
    const outcome = await app
      .get(SignInService)
      .signIn({ email, password: PASSWORD, address: '127.0.0.1', userAgent: 'test', purpose: 'page' });
    if (outcome.kind !== 'signed_in') throw new Error('The person was not signed in');
    return `sluice=${outcome.token}`;
  }

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

  it('gives idempotency keys of one account a part of its connections, answers others, and gives 503 to those that wait too long', async () => {
    const create = (n: number): Promise<HttpAnswer> =>
      ask(
        { query: CREATE, variables: { i: { walletId: alice.wallets.BTC, amount: 1 } } },
        {
          ...elsewhere(),
          ...alice.as(n % 2 ? 'receive' : 'all'),
          'idempotency-key': `many ${n}`,
        },
      );
    await ask(ME, { ...elsewhere(), ...bob.as('read') });
    let asked: Promise<HttpAnswer>[] = [];
    await whileLocked('idempotency', async () => {
      asked = Array.from({ length: 40 }, (_, n) => create(n));
      await shows(`sluice_turns_waiting{queue="database"} ${40 - OF_CALLER}`);
      const { status, body } = await ask(ME, { ...elsewhere(), ...bob.as('read') });
      expect([status, body]).toEqual([200, { data: { me: { id: bob.userId } } }]);
      await allAreRefused();
    });
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(40 - OF_CALLER);
    expect([refused[0]?.headers.get('retry-after'), refused[0]?.body.errors[0].extensions.code]).toEqual(['1', 'SERVICE_UNAVAILABLE']);
    for (const { body } of answers.filter(({ status }) => status === 200)) expect(body.data.lnInvoiceCreate.errors).toEqual([]);
    expect((await app.pool.query('SELECT FROM idempotency')).rowCount).toBe(OF_CALLER);
    expect(lines(/database_unavailable/)).toEqual([]);
    expect(lines(/its queue of database is too slow/)).toHaveLength(1);
  });

  it('never runs a mutation whose caller disconnected while it waited', async () => {
    const before = (await app.pool.query('SELECT FROM invoice')).rowCount;
    let keys = 0;
    const create = (signal?: AbortSignal): Promise<unknown> =>
      request(`${app.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': `gone ${++keys}`,
          ...elsewhere(),
          ...(alice.as('all') as Record<string, string>),
        },
        body: JSON.stringify({ query: CREATE, variables: { i: { walletId: alice.wallets.BTC, amount: 1 } } }),
        ...(signal && { signal }),
      });
    const gone = new AbortController();
    let asked: Promise<unknown>[] = [];
    await whileLocked('idempotency', async () => {
      asked = Array.from({ length: OF_CALLER }, () => create());
      await shows(`sluice_work_in_progress ${OF_CALLER}`);
      const left = create(gone.signal).catch((error: Error) => error.name);
      await shows('sluice_turns_waiting{queue="database"} 1');
      gone.abort();
      expect(await left).toBe('AbortError');
      await shows('sluice_turns_refused_total{queue="database",because="gone"} 1');
    });
    await Promise.all(asked);
    await shows('sluice_work_in_progress 0');
    expect((await app.pool.query('SELECT FROM invoice')).rowCount).toBe((before ?? 0) + OF_CALLER);
  });

  it('gives pages of one address a part of its connections', async () => {
    const cookie = await cookieOf(alice);
    const here = elsewhere();
    let asked: Promise<HttpAnswer>[] = [];
    await whileLocked('session', async () => {
      asked = Array.from({ length: 30 }, () => request(`${app.url}/dashboard`, { headers: { ...here, accept: 'text/html', cookie } }));
      await shows(`sluice_turns_waiting{queue="database"} ${30 - OF_CALLER}`);
      expect((await ask(ME, { ...elsewhere(), ...bob.as('read') })).body.data.me.id).toBe(bob.userId);
      expect((await request(`${app.url}/login`, { headers: elsewhere() })).status).toBe(200);
      await allAreRefused();
    });
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(OF_CALLER).fill(200), ...Array<number>(30 - OF_CALLER).fill(503)]);
  });

  it('when exhausted, gives 503, logs one line with the cause, and counts it', async () => {
    const cookie = await cookieOf(alice);
    const database = app.get(Database);
    const { options } = (database as unknown as { pool: { options: { connectionTimeoutMillis: number } } }).pool;
    const usual = options.connectionTimeoutMillis;
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const held = Array.from({ length: POOL }, () => database.transaction(() => gate));
    await eventually(() => database.poolState.idle === 0 && database.poolState.total === POOL);
    // Only now: until then it limits also how long the system takes to make the connections.
    options.connectionTimeoutMillis = 200;
    const variables = { i: { walletId: bob.wallets.BTC, amount: 1 } };
    const answers = await Promise.all([
      ask(ME, { ...elsewhere(), ...bob.as('read') }),
      ask({ query: CREATE, variables }, { ...elsewhere(), ...bob.as('all') }),
      ask({ query: CREATE, variables }, { ...elsewhere(), ...bob.as('all'), 'idempotency-key': 'full' }),
      request(`${app.url}/dashboard`, { headers: { ...elsewhere(), accept: 'text/html', cookie } }),
      request(`${app.url}/health/ready`, { headers: elsewhere() }),
    ]);
    letGo();
    await Promise.all(held);
    options.connectionTimeoutMillis = usual;
    for (const { status, text } of answers)
      expect([status, text]).toEqual([503, expect.not.stringMatching(/database does not answer|temporarily unavailable/)]);
    expect(answers[4]?.body.waitingFor).toEqual(['database connections are all in use']);
    expect(lines(/database_unavailable/)).toEqual([]);
    expect(lines(/raise \\"DATABASE_POOL_SIZE\\".*All 8 database connections of this process are in use/)).toHaveLength(1);
    await shows(`sluice_database_pool_full_total`);
    const { text } = await request(`${app.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(Number(/^sluice_database_pool_full_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(3);
  });
});
