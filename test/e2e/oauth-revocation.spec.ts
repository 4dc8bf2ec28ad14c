import { OperatorActions } from '../../src/platform/operator-action/index.js';
import { Notices } from '../../src/access/notice/index.js';
import { UserService } from '../../src/access/user/index.js';
import { AppService } from '../../src/access/oauth/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { mintToken } from '../../src/platform/kernel/token.js';
import { post } from '../support/http.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';

let server: TestApp;
let beside: TestApp;
let fixture: Fixture;

beforeAll(async () => {
  server = await createTestApp();
  beside = await createTestApp({ beside: server });
  fixture = new Fixture(server);
});
afterAll(async () => {
  await beside.close();
  await server.close();
});

describe('the page of the connected apps says why an app has lost its access', () => {
  const pageOf = async ({ email }: Person, password = PASSWORD): Promise<() => Promise<string>> => {
    const browser = new BrowserSession(server.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email, password });
    return async () => (await browser.get('/dashboard/apps')).text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  };

  it('when an authorization code or a replaced refresh token was used again, until it is connected again', async () => {
    const alice = await fixture.user();
    const [tea, books] = [await newOAuthApp(server, { name: 'Tea Shop' }), await newOAuthApp(server, { name: 'Book Shop' })];
    const read = await pageOf(alice);
    const code = await tea.code(alice);
    expect((await tea.exchange(code)).status).toBe(200);
    const { refresh_token: token = '' } = await books.connect(alice, { scope: 'read offline' });
    expect(await read()).not.toContain('Recently disconnected');
    await books.refresh(token);
    await server.pool.query('UPDATE oauth_refresh_token SET replay_until = now() WHERE replay_until IS NOT NULL');
    expect([(await tea.exchange(code)).status, (await books.refresh(token)).status]).toEqual([400, 400]);
    const told = await read();
    expect(told).toContain('No connected apps');
    expect(told).toMatch(
      /Recently disconnected .*Book Shop Just now Disconnected for your safety: a token that it had replaced was used again, so others/,
    );
    expect(told).toMatch(/Tea Shop Just now Disconnected for your safety: its sign-in code was used twice, so others may have a copy\./);
    await tea.connect(alice);
    expect(await read()).not.toContain('sign-in code was used twice');
  });

  it('when other access of the app remains, only if a token may have been copied', async () => {
    const [alice, shop] = [await fixture.user(), await newOAuthApp(server)];
    const read = await pageOf(alice);
    const code = await shop.code(alice);
    await shop.exchange(code);
    const other = await shop.connect(alice, { scope: 'read offline' });
    await shop.connect(alice, { scope: 'read offline' });
    await shop.revoke(other.refresh_token ?? '');
    expect(await read()).not.toContain('Recently disconnected');
    await shop.exchange(code);
    expect(await read()).toContain('its sign-in code was used twice');
  });

  it('when the app or a new password has ended it, and not when the person has', async () => {
    const alice = await fixture.user();
    const [one, two, three] = [
      await newOAuthApp(server, { name: 'One' }),
      await newOAuthApp(server, { name: 'Two' }),
      await newOAuthApp(server, { name: 'Three' }),
    ];
    const tokens = await one.connect(alice, { scope: 'read offline' });
    for (const shop of [two, three]) await shop.connect(alice);
    await one.revoke(tokens.refresh_token ?? '');
    await server.get(AppService).revoke(alice.userId, two.client.id);
    await server.get(UserService).changePassword(alice.userId, 'another horse battery');
    const told = await (await pageOf(alice, 'another horse battery'))();
    expect(told).toMatch(/One Just now The app disconnected itself\./);
    expect(told).not.toContain('Two Just now');
    expect(told).toMatch(/Three Just now Your password was changed, which disconnects all apps\./);
  });
});

describe('POST /oauth2/report-leak', () => {
  const report = (body: unknown) => post(`${server.url}/oauth2/report-leak`, body);
  const noticesOf = async ({ userId }: Person): Promise<string[]> =>
    (await server.get(Notices).list(userId, null, 20)).map(({ kind, details }) => `${kind} ${details['of'] ?? ''}`);

  it('ends each live secret on every process, and its owner learns it', async () => {
    const [alice, shop] = [await fixture.user(), await newOAuthApp(server)];
    const [byAccess, byRefresh, kept] = [
      await shop.connect(alice),
      await shop.connect(alice, { scope: 'read offline' }),
      await fixture.user(),
    ];
    const unused = await shop.code(alice);
    const session = (await fixture.session(alice)).authorization ?? '';
    const credentials: Record<string, string>[] = [
      { 'oauth2-token': byAccess.access_token },
      { 'x-api-key': alice.keys.read },
      { authorization: session },
    ];
    const isAccepted = async (url: string): Promise<number[]> =>
      Promise.all(credentials.map(async (headers) => (await post(`${url}/graphql`, { query: '{ me { id } }' }, headers)).status));
    expect([await isAccepted(server.url), await isAccepted(beside.url)].flat()).toEqual(Array(6).fill(200));
    const texts = [
      byAccess.access_token,
      { token: byRefresh.refresh_token, type: 'sluice' },
      unused,
      alice.keys.read,
      session.slice('Bearer '.length),
    ];
    const answer = await report([...texts, shop.secret, mintToken('sluice'), 'not one of ours', '']);
    expect([answer.status, answer.body]).toEqual([202, {}]);
    expect(await isAccepted(server.url)).toEqual([401, 401, 401]);
    await eventually(async () => (await isAccepted(beside.url)).every((status) => status === 401));
    expect([(await shop.exchange(unused)).status, (await shop.refresh(byRefresh.refresh_token ?? '')).status]).toEqual([401, 401]);
    expect((await noticesOf(alice)).sort()).toEqual(
      expect.arrayContaining(['secret_leaked key', 'secret_leaked session', 'token_reused ', 'token_reused ', 'token_reused ']),
    );
    const act = (await server.get(OperatorActions).list(shop.client.id)).at(-1);
    expect(act).toMatchObject({ who: 'leak report', action: 'client secret end', details: { name: 'Corner Coffee', secretsLeft: 0 } });
    expect(await noticesOf(kept)).toEqual([]);
    expect((await report([byAccess.access_token])).status).toBe(202);
  });

  it.each<[string, unknown, number]>([
    ['a list of 1,000', Array(1_000).fill('x'), 202],
    ['an empty list', [], 202],
    ['a list of more', Array(1_001).fill('x'), 400],
    ['no list', { token: 'x' }, 400],
    ['a list with a number', ['x', 1], 400],
    ['a list with null', [null], 400],
    ['no JSON', '[', 400],
  ])('answers %s', async (_what, body, status) => {
    const answer = await report(body);
    expect(answer.status).toBe(status);
    // RFC 6749 section 5.2.
    expect(answer.body.error_description ?? '').toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/);
  });
});

describe('AppService', () => {
  it('lists an app once, with all its scopes', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user()];
    const shop = await newOAuthApp(server, { name: 'Two Ways', verified: true });
    const apps = server.get(AppService);
    expect(await apps.list(alice.userId)).toEqual([]);
    await shop.connect(alice, { scope: 'read' });
    const [session] = await apps.list(alice.userId);
    expect(session).toMatchObject({
      id: shop.client.id,
      name: 'Two Ways',
      verified: true,
      host: 'app.example.test',
      endsAt: null,
      lastUsedAt: null,
    });
    const tokens = await shop.connect(alice, { scope: 'openid write offline' });
    const listed = await apps.list(alice.userId);
    expect(listed).toHaveLength(1);
    expect(listed[0]?.scopes.map(({ name }) => name).sort()).toEqual(['offline', 'openid', 'read', 'write']);
    expect(listed[0]?.grantIds).toHaveLength(2);
    expect(listed[0]?.endsAt?.getTime()).toBeGreaterThan(Date.now() + 364 * 86_400_000);
    await post(`${server.url}/graphql`, { query: '{ me { id } }' }, { 'oauth2-token': tokens.access_token });
    await eventually(async () => (await apps.find(alice.userId, shop.client.id))?.lastUsedAt instanceof Date);
    expect(await apps.find(bob.userId, shop.client.id)).toBeNull();
    expect(await apps.find(alice.userId, 'unknown\0')).toBeNull();
    expect(await apps.revoke(bob.userId, shop.client.id)).toBe(false);
  });
});
