import { UserService } from '../../src/user/index.js';
import { AppService, ClientService } from '../../src/oauth/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql } from '../support/graphql.js';
import { newOAuthApp, type Tokens } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture } from '../support/fixture.js';

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

const works = async ({ access_token: token }: Tokens, { url } = server): Promise<boolean> =>
  (await graphql(url, '{ me { id } }', {}, { 'oauth2-token': token })).data != null;
/** Both processes refuse the token within the promised second; both have used it before, so that both have it in their caches. */
const diesEverywhere = (tokens: Tokens): Promise<unknown> =>
  eventually(async () => !(await works(tokens)) && !(await works(tokens, beside)), 1_000);
const worksEverywhere = async (tokens: Tokens): Promise<void> =>
  expect([await works(tokens), await works(tokens, beside)]).toEqual([true, true]);

describe('an app loses access within a second, on every process', () => {
  it('when its person disconnects it', async () => {
    const [alice, bob, shop] = [await fixture.user(), await fixture.user(), await newOAuthApp(server)];
    const browser = new BrowserSession(server.url);
    const tokens = [await shop.connect(alice, { scope: 'read offline' }, browser), await shop.connect(alice, { scope: 'read' }, browser)];
    const bobs = await shop.connect(bob, { scope: 'read' });
    for (const each of tokens) await worksEverywhere(each);
    expect(await server.get(AppService).revoke(alice.userId, shop.client.id)).toBe(true);
    for (const each of tokens) await diesEverywhere(each);
    expect((await shop.refresh(tokens[0]?.refresh_token ?? '')).body.error).toBe('invalid_grant');
    await worksEverywhere(bobs);
    expect(await server.get(AppService).revoke(alice.userId, shop.client.id)).toBe(false);
    // The revocation also ends the remembered consent.
    expect((await browser.get(shop.authorizeUrl())).location).toContain('/consent?');
  });

  it('when the operator suspends it, and regains it when approved again', async () => {
    const [alice, shop] = [await fixture.user(), await newOAuthApp(server)];
    const tokens = await shop.connect(alice, { scope: 'read offline' });
    await worksEverywhere(tokens);
    await server.get(ClientService).suspend(shop.client.id);
    await diesEverywhere(tokens);
    expect((await shop.refresh(tokens.refresh_token ?? '')).status).toBe(401);
    await server.get(ClientService).approve(shop.client.id);
    await worksEverywhere(tokens);
  });

  it('when its person changes the password', async () => {
    const [alice, shop] = [await fixture.user(), await newOAuthApp(server)];
    const tokens = await shop.connect(alice, { scope: 'read offline' });
    await worksEverywhere(tokens);
    expect(await server.get(UserService).changePassword(alice.userId, 'another horse battery')).toEqual({ kind: 'changed' });
    await diesEverywhere(tokens);
    expect((await shop.refresh(tokens.refresh_token ?? '')).body.error).toBe('invalid_grant');
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
    await works(tokens);
    await eventually(async () => (await apps.find(alice.userId, shop.client.id))?.lastUsedAt instanceof Date);
    expect(await apps.find(bob.userId, shop.client.id)).toBeNull();
    expect(await apps.find(alice.userId, 'unknown\0')).toBeNull();
    expect(await apps.revoke(bob.userId, shop.client.id)).toBe(false);
  });
});
