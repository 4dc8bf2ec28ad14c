import { RateLimiter } from '../../src/edge/rate-limit/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { request, type HttpAnswer } from '../support/http.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';

const ENV = {
  TRUST_PROXY: '1',
  RATE_LIMIT_STORE: 'postgres',
  THROTTLE_SIGN_IN_ACCOUNT: '6/900',
  THROTTLE_SIGN_IN_ADDRESS: '1000/3600',
  THROTTLE_TOKEN_ADDRESS: '1000/60',
  THROTTLE_TOKEN_CLIENT: '6/60',
};

describe('rate limits in the database', () => {
  let one: TestApp;
  let two: TestApp;
  let alice: Person;
  let addresses = 0;
  beforeAll(async () => {
    one = await createTestApp({ env: ENV });
    two = await createTestApp({ env: ENV, beside: one });
    alice = await new Fixture(one).user();
  });
  afterAll(async () => {
    await two.close();
    await one.close();
  });

  const somewhere = (): string => `198.51.100.${++addresses}`;
  const signIn = async (app: TestApp, address: string, password = 'not the password'): Promise<Response> =>
    fetch(`${app.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: alice.email, password }),
    });
  const guessSecret = (app: TestApp, { client }: OAuthApp): Promise<HttpAnswer> =>
    request(`${app.url}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': somewhere() },
      body: `grant_type=x&client_id=${client.id}&client_secret=wrong`,
    });
  const metricsOf = async ({ url }: TestApp): Promise<string> => (await fetch(`${url}/metrics`)).text();
  /** Of both: the applications of one process share a log. */
  const linesOf = (event: string): string[] => [...one.logs, ...two.logs].filter((line) => line.includes(event));

  const failuresOf = async (app: TestApp): Promise<number> =>
    Number(/sluice_rate_limit_store_failures_total (\d+)/.exec(await metricsOf(app))?.[1]);
  /** A call that waited 250 ms for a busy database counts in the memory of one process: `work` is repeated, with new keys, until none did. */
  const allCounted = async <T>(work: () => Promise<T>): Promise<T> => {
    const failures = async (): Promise<number> => (await failuresOf(one)) + (await failuresOf(two));
    for (let before = await failures(); ; before = await failures()) {
      const result = await work();
      if ((await failures()) === before) return result;
    }
  };
  const statusesOf = async (calls: number, call: (app: TestApp) => Promise<{ status: number }>): Promise<number[]> => {
    const statuses = [];
    for (let i = 0; i < calls; i++) statuses.push((await call(i % 2 === 0 ? one : two)).status);
    return statuses;
  };

  it('are one limit for the wrong passwords of an address, in whichever process', async () => {
    let here = '';
    const statuses = await allCounted(() => {
      here = somewhere();
      return statusesOf(8, (app) => signIn(app, here));
    });
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    const refused = await signIn(two, here);
    expect(refused.headers.get('ratelimit')).toMatch(/"sign-in-account";r=0;t=\d+/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await signIn(two, here, PASSWORD)).status).toBe(200);
  });

  it('are one limit for the wrong secrets of a client', async () => {
    const statuses = await allCounted(async () => {
      const bank = await newOAuthApp(one);
      return statusesOf(8, (app) => guessSecret(app, bank));
    });
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
  });

  it('count concurrent calls of both processes exactly, and store neither addresses nor e-mails', async () => {
    const [first, second] = [one.get(RateLimiter), two.get(RateLimiter)];
    const results = await allCounted(() => {
      const name = somewhere();
      return Promise.all(
        Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? first : second).consume('signInAddress', `${name} ${i % 4}`)),
      );
    });
    const hits = results.map((result) => result.hits).toSorted((a, b) => a - b);
    expect(hits).toEqual(Array.from({ length: 100 }, (_, i) => Math.floor(i / 4) + 1));
    const { rows } = await one.pool.query<{ text: string }>("SELECT encode(key, 'escape') AS text FROM rate_limit_window");
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ text }) => text.includes(alice.email) || text.includes('198.51.100'))).toEqual([]);
  });

  it('count no traffic but guesses there', async () => {
    const count = async (): Promise<unknown> => (await one.pool.query('SELECT count(*)::int AS n FROM rate_limit_window')).rows;
    const before = await count();
    for (let i = 0; i < 3; i++) await request(`${one.url}/.well-known/lnurlp/${alice.username}/callback?amount=1000`);
    expect(await count()).toEqual(before);
  });

  it('are purged when they have ended, and the soonest of too many', async () => {
    await one.pool.query("UPDATE rate_limit_window SET ends_at = now() - interval '1 s' WHERE hits > 1");
    const purge = async (most: number): Promise<unknown> =>
      (await one.pool.query('SELECT rate_limit_purge($1, 1000) AS n', [most])).rows[0];
    expect(Number(((await purge(1_000)) as { n: number }).n)).toBeGreaterThan(3);
    await allCounted(() => one.get(RateLimiter).consume('signInAddress', 'ends last'));
    await one.pool.query(
      "INSERT INTO rate_limit_window SELECT sha256(i::text::bytea), 1, now() + interval '1 min' FROM generate_series(1, 50) i",
    );
    expect(await purge(10)).toMatchObject({ n: expect.any(Number) as unknown });
    const { rows } = await one.pool.query<{ n: number; latest: Date }>(
      'SELECT count(*)::int AS n, max(ends_at) AS latest FROM rate_limit_window',
    );
    expect(rows[0]?.n).toBe(10);
    expect(rows[0]?.latest.getTime()).toBeGreaterThan(Date.now() + 600_000);
  });

  /** Until `end` is called, no statement of a process reaches the table. */
  const lockTable = async (app: TestApp): Promise<() => Promise<void>> => {
    const client = await app.pool.connect();
    await client.query('BEGIN; LOCK TABLE rate_limit_window IN ACCESS EXCLUSIVE MODE');
    return async () => {
      await client.query('ROLLBACK');
      client.release();
    };
  };

  it('are counted in memory while the table is locked, with one log line, and there again afterwards', async () => {
    const here = somewhere();
    expect((await signIn(one, here)).status).toBe(401);
    const unlock = await lockTable(two);
    const before = linesOf('rate_limit_store_failed').length;
    try {
      expect((await signIn(one, here)).status).toBe(401);
      const statuses = [];
      for (let i = 0; i < 6; i++) statuses.push((await signIn(one, here)).status);
      // The call before the outage counts: this process has seen it.
      expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
      expect((await signIn(one, here, PASSWORD)).status).toBe(200);
      expect(linesOf('rate_limit_store_failed').length - before).toBeLessThanOrEqual(1);
      expect(await metricsOf(one)).toMatch(/sluice_rate_limit_store_failures_total [1-9]/);
    } finally {
      await unlock();
    }
    const again = await allCounted(() => {
      const there = somewhere();
      return statusesOf(7, (app) => signIn(app, there));
    });
    expect(again).toEqual([401, 401, 401, 401, 401, 401, 429]);
  });

  it('are counted in memory while their table is not there', async () => {
    const bank = await newOAuthApp(one);
    await one.pool.query('ALTER TABLE rate_limit_window RENAME TO gone');
    const statuses = [];
    for (let i = 0; i < 8; i++) statuses.push((await guessSecret(two, bank)).status);
    await one.pool.query('ALTER TABLE gone RENAME TO rate_limit_window');
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    expect(await metricsOf(two)).toMatch(/sluice_rate_limit_store_failures_total [1-9]/);
  });
});
