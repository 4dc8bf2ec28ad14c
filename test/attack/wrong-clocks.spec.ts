import { ClockWatch } from '../../src/edge/health/index.js';
import { WebhookService } from '../../src/money/webhook/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { graphql } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { DpopKey, nonceOf } from '../support/dpop-key.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';
import { RawSocket } from '../support/raw-socket.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const SCOPE = 'openid read offline';

let server: TestApp;
let fixture: Fixture;
let alice: Person;
let shop: OAuthApp;
let wrongBy = 0;
let clock: jest.SpyInstance<number, []>;

// Only the process's clock is wrong, as on a virtual machine that slept; the database's time zone has clock changes twice a year.
beforeAll(async () => {
  server = await createTestApp();
  await server.pool.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''America/New_York''', current_database()); END $$`,
  );
  await server.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  fixture = new Fixture(server);
  // The process finds the ends of its connections one by one.
  alice = await eventually(() => fixture.user());
  shop = await newOAuthApp(server);
  const now = Date.now.bind(Date);
  clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + wrongBy);
});
afterEach(() => (wrongBy = 0));
afterAll(async () => {
  clock.mockRestore();
  await server.close();
});

const works = async (accessToken: string): Promise<boolean> =>
  (await graphql(server.url, '{ me { id } }', {}, { 'oauth2-token': accessToken })).data != null;
const connect = (browser = new BrowserSession(server.url)): Promise<Required<Tokens>> =>
  shop.connect(alice, { scope: SCOPE }, browser) as Promise<Required<Tokens>>;
const claimsOf = (token: string): Record<string, number> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, number>;
const inDatabase = async (): Promise<number> => Number((await server.pool.query('SELECT extract(epoch FROM now()) AS now')).rows[0].now);
/** Makes all rows of a table expire this number of seconds after the database's now. */
const endsIn = (table: string, seconds: number): Promise<unknown> =>
  server.pool.query(`UPDATE ${table} SET expires_at = now() + make_interval(secs => $1)`, [seconds]);

describe.each([
  ['right', 0],
  ['a day ahead', DAY_MS],
  ['a day behind', -DAY_MS],
])('A-48: a process whose clock is %s', (_, skew) => {
  beforeEach(() => (wrongBy = skew));

  it('issues codes and tokens with the announced lifetime, by the clock of the database', async () => {
    const tokens = await connect();
    expect(tokens.expires_in).toBeGreaterThan(3_590);
    expect(tokens.expires_in).toBeLessThanOrEqual(3_600);
    expect(await works(tokens.access_token)).toBe(true);
    const again = (await shop.refresh(tokens.refresh_token)).body as Required<Tokens>;
    expect(await works(again.access_token)).toBe(true);
    for (const { id_token: idToken } of [tokens, again]) {
      const { iat = 0, exp = 0, auth_time: authTime = 0 } = claimsOf(idToken);
      expect(Math.abs((await inDatabase()) - iat)).toBeLessThan(30);
      expect(exp - iat).toBe(3_600);
      expect(iat).toBeGreaterThanOrEqual(authTime);
    }
  });

  it('refuses a code, a refresh token and an access token in the second of their expiry', async () => {
    const browser = new BrowserSession(server.url);
    const tokens = await connect(browser);
    await endsIn('oauth_refresh_token', 0);
    expect((await shop.refresh(tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    const code = await shop.code(alice, { scope: SCOPE }, browser);
    await endsIn('oauth_code', 0);
    expect((await shop.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    await endsIn('oauth_access_token', 0);
    expect(await works(tokens.access_token)).toBe(false);
  });

  it('accepts each of them a second before', async () => {
    const browser = new BrowserSession(server.url);
    const code = await shop.code(alice, { scope: SCOPE }, browser);
    await endsIn('oauth_code', 5);
    const tokens = (await shop.exchange(code)).body as Required<Tokens>;
    await endsIn('oauth_access_token', 5);
    expect(await works(tokens.access_token)).toBe(true);
    await endsIn('oauth_refresh_token', 5);
    expect((await shop.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('judges the time of a proof by the clock of the database', async () => {
    const key = new DpopKey();
    const htu = `${server.url}/oauth2/token`;
    const send = async (iat: number): Promise<unknown> => {
      const dpop = key.proof({ htu, nonce: await nonceOf(server.url) }, { iat });
      const { body } = await shop.token({ grant_type: 'refresh_token', refresh_token: 'x' }, { authorization: shop.basic, dpop });
      return body.error;
    };
    const right = await inDatabase();
    // The proof is right: what is refused is the refresh token.
    expect([await send(right), await send(right - 50), await send(right + 50)]).toEqual(Array(3).fill('invalid_grant'));
    expect([await send(right - 90), await send(right + 90)]).toEqual(Array(2).fill('invalid_dpop_proof'));
  });

  it('drops an access token from its cache when it expires', async () => {
    const { access_token: token } = await connect();
    await endsIn('oauth_access_token', 3);
    expect(await works(token)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 3_200));
    expect(await works(token)).toBe(false);
  });

  it('asks for the password by max_age, counted from the actual sign-in', async () => {
    const browser = new BrowserSession(server.url);
    await connect(browser);
    const asksAgain = async (maxAge: string): Promise<boolean> =>
      (await browser.get(shop.authorizeUrl({ scope: SCOPE, max_age: maxAge }))).location.includes('/login');
    expect([await asksAgain('0'), await asksAgain('3600')]).toEqual([true, false]);
    await server.pool.query('UPDATE session SET auth_time = auth_time - make_interval(secs => 2) WHERE user_id = $1', [alice.userId]);
    expect([await asksAgain('1'), await asksAgain('3600')]).toEqual([true, false]);
  });

  it('signs webhooks at the time of the database, so that the libraries of receivers accept them', async () => {
    const [receiver, bob] = [await WebhookReceiver.start(), await fixture.user({ sats: 100 })];
    await server.get(WebhookService).add(bob.accountId, receiver.url('/clock'));
    await bob.pay((await alice.invoice(5)).paymentRequest);
    const { headers } = await eventually(() => receiver.at('/clock')[0]);
    expect(Math.abs((await inDatabase()) - Number(headers['webhook-timestamp']))).toBeLessThan(30);
    expect(headers['svix-timestamp']).toBe(headers['webhook-timestamp']);
    receiver.stop();
  });

  it('measures its difference from the database, and is degraded by more than a minute', async () => {
    await server.get(ClockWatch).measure();
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const seconds = Number(/^sluice_clock_difference_seconds (\S+)$/m.exec(metrics)?.[1]);
    expect(Math.abs(seconds * 1_000 - skew)).toBeLessThan(30_000);
    await eventually(async () => {
      const { degraded = [] } = (await (await fetch(`${server.url}/health/ready`)).json()) as { degraded?: string[] };
      return degraded.includes('clock') === (skew !== 0);
    });
  });

  it('keeps a credential no longer than it lasts when the clock is set meanwhile', async () => {
    const { access_token: token } = await connect();
    await endsIn('oauth_access_token', 3);
    expect(await works(token)).toBe(true);
    const socket = await RawSocket.admitted(server.url, { 'oauth2-token': token });
    wrongBy -= DAY_MS;
    expect((await socket.closed).code).toBe(4401);
    // On a busy machine the process measures the database's clock as a little ahead, and closes as much earlier.
    await eventually(async () => !(await works(token)), 5_000);
  });
});

/** Seen from this process, whose steady clock is turned instead. */
it('a clock of the database that is set by more than a minute is logged and counted', async () => {
  const [watch, steady] = [server.get(ClockWatch), performance.now.bind(performance)];
  await watch.measure();
  const turned = jest.spyOn(performance, 'now').mockImplementation(() => steady() + 3_600_000);
  await watch.measure().finally(() => turned.mockRestore());
  expect(server.logs.join('')).toContain('"seconds":-3600');
  expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(/^sluice_database_clock_steps_total [1-9]/m);
});
