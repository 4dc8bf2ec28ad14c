import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let beside: TestApp;
let alice: Person;
let shop: OAuthApp;
let browser: BrowserSession;

beforeAll(async () => {
  server = await createTestApp();
  beside = await createTestApp({ beside: server });
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
  browser = new BrowserSession(server.url);
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

const connect = (): Promise<Required<Tokens>> => shop.connect(alice, { scope: 'read offline' }, browser) as Promise<Required<Tokens>>;
const works = async (accessToken: string): Promise<boolean> =>
  (await graphql(server.url, '{ me { id } }', {}, { 'oauth2-token': accessToken })).data != null;
const dies = (accessToken: string): Promise<unknown> => eventually(async () => !(await works(accessToken)));
const age = (seconds: number): Promise<unknown> =>
  server.pool.query(
    'UPDATE oauth_refresh_token SET used_at = used_at - make_interval(secs => $1), replay_until = replay_until - make_interval(secs => $1) WHERE used_at IS NOT NULL',
    [seconds],
  );
const errorOf = async (token: string, app = shop): Promise<string | undefined> => (await app.refresh(token)).body.error;

describe('A-26 to A-29, A-49, A-50: refresh tokens', () => {
  it('A-26: a late replay of a rotated refresh token, by thief or owner, revokes the grant', async () => {
    const { refresh_token: stolen } = await connect();
    const owner = (await shop.refresh(stolen)).body;
    await age(61);
    expect(await errorOf(stolen)).toBe('invalid_grant');
    expect(await errorOf(owner.refresh_token)).toBe('invalid_grant');
    await dies(owner.access_token);
  });

  it('A-26: a replay inside the window gets the owner’s pair, and the next rotation by either reveals it', async () => {
    const { refresh_token: stolen } = await connect();
    const owner = (await shop.refresh(stolen)).body;
    const thief = (await shop.refresh(stolen)).body;
    expect(thief.refresh_token).toBe(owner.refresh_token);
    const next = (await shop.refresh(thief.refresh_token)).body;
    await age(61);
    expect(await errorOf(owner.refresh_token)).toBe('invalid_grant');
    await dies(next.access_token);
  });

  it('A-27: twenty simultaneous refreshes on two processes get one pair, one row, all valid', async () => {
    const { refresh_token: token } = await connect();
    const before = (await server.pool.query('SELECT count(*)::int AS n FROM oauth_refresh_token')).rows[0].n as number;
    const init = {
      method: 'POST',
      headers: { authorization: shop.basic },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fetch(`${index % 2 ? beside.url : server.url}/oauth2/token`, init)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const pairs = (await Promise.all(answers.map((answer) => answer.json()))) as Required<Tokens>[];
    expect(new Set(pairs.map(({ access_token: access, refresh_token: refresh }) => `${access} ${refresh}`)).size).toBe(1);
    expect((await server.pool.query('SELECT count(*)::int AS n FROM oauth_refresh_token')).rows).toEqual([{ n: before + 1 }]);
    expect(await works(pairs[0]?.access_token ?? '')).toBe(true);
    expect(await errorOf(pairs[0]?.refresh_token ?? '')).toBeUndefined();
  });

  it('A-28: a retry after the window is refused; a much later one revokes the grant', async () => {
    const { refresh_token: first } = await connect();
    const second = (await shop.refresh(first)).body;
    const third = (await shop.refresh(second.refresh_token)).body;
    expect(await errorOf(first)).toBe('invalid_grant');
    expect(await works(third.access_token)).toBe(true);
    await age(61);
    expect(await errorOf(first)).toBe('invalid_grant');
    await dies(third.access_token);
  });

  it('A-28: the replay window lasts a minute', async () => {
    const { refresh_token: first } = await connect();
    const second = (await shop.refresh(first)).body;
    await age(45);
    expect((await shop.refresh(first)).body.refresh_token).toBe(second.refresh_token);
    await age(15);
    expect(await errorOf(first)).toBe('invalid_grant');
    expect(await errorOf(second.refresh_token)).toBe('invalid_grant');
  });

  it('A-29: another client can neither use nor revoke the token', async () => {
    const thief = await newOAuthApp(server);
    const { refresh_token: first } = await connect();
    expect(await errorOf(first, thief)).toBe('invalid_grant');
    const second = (await shop.refresh(first)).body;
    await age(61);
    expect(await errorOf(first, thief)).toBe('invalid_grant');
    expect(await errorOf(second.refresh_token)).toBeUndefined();
  });

  it('A-49: a replay is still detected after the cleanup', async () => {
    const { OAuthCleanupJob } = await import('../../src/access/oauth/cleanup.job.js');
    const { refresh_token: first } = await connect();
    const second = (await shop.refresh(first)).body;
    await age(40 * 86_400);
    await server.pool.query(`UPDATE oauth_access_token SET expires_at = expires_at - interval '3 days'`);
    await server.get(OAuthCleanupJob).sweep();
    const { rows } = await server.pool.query(
      'SELECT count(*) FILTER (WHERE replay_blob IS NOT NULL)::int AS blobs, count(*) > 0 AS kept FROM oauth_refresh_token WHERE used_at IS NOT NULL',
    );
    expect(rows).toEqual([{ blobs: 0, kept: true }]);
    expect(await errorOf(first)).toBe('invalid_grant');
    expect(await errorOf(second.refresh_token)).toBe('invalid_grant');
  });

  it('A-50: no token is valid after a revocation that ran beside a refresh', async () => {
    for (let round = 0; round < 20; round++) {
      const tokens = await connect();
      const [refreshed] = await Promise.all([shop.refresh(tokens.refresh_token), shop.revoke(tokens.access_token)]);
      const live = [tokens.access_token, refreshed.body.access_token].filter((token): token is string => token !== undefined);
      for (const token of live)
        expect((await fetch(`${beside.url}/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
      if (refreshed.body.refresh_token) expect(await errorOf(refreshed.body.refresh_token)).toBe('invalid_grant');
    }
  });
});
