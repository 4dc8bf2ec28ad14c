import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type GraphQLAnswer } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

const CREATE = `mutation ($scopes: [Scope!]!) { apiKeyCreate(input: { name: "till", scopes: $scopes }) { apiKeySecret } }`;

/** The person decides whether an app that the operator trusts may create API keys for them. */
describe('the checkbox for API keys on the consent page', () => {
  let app: TestApp;
  let fixture: Fixture;
  let manager: OAuthApp;
  let alice: Person;
  let browser: BrowserSession;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    manager = await newOAuthApp(app, { trusted: true });
  });
  beforeEach(async () => {
    alice = await fixture.user();
    browser = new BrowserSession(app.url);
  });
  afterAll(() => app.close());

  const asked = async (by: OAuthApp, scope: string, more = {}): Promise<Visit> =>
    by.consentPage(alice, await browser.get(by.authorizeUrl({ scope, ...more })), browser);
  /** Exchanges the code of an answer for the app's access token. */
  const token = async ({ location }: Visit): Promise<string> => {
    const { body } = await manager.exchange(new URL(location).searchParams.get('code') ?? '');
    return (body as { access_token: string }).access_token;
  };
  const makeKey = (access: string, scope = 'READ'): Promise<GraphQLAnswer<{ apiKeyCreate: { apiKeySecret: string } }>> =>
    graphql(app.url, CREATE, { scopes: [scope] }, { 'oauth2-token': access });
  const refused = { errors: [{ extensions: { code: 'NOT_AUTHORIZED' } }] };

  it('is shown unchecked, and only for an app that may create keys', async () => {
    const page = await asked(manager, 'read write');
    expect(page.text).toMatch(/<input type="checkbox" id="keys" name="scope" value="keys" \/>/);
    const ordinary = await newOAuthApp(app, {});
    expect((await asked(ordinary, 'read write')).text).not.toContain('value="keys"');
    expect((await asked(manager, 'read receive')).text).not.toContain('value="keys"');
  });

  it('permits keys: without it the app can do everything else', async () => {
    const without = await token(await browser.submit(await asked(manager, 'read write'), { decision: 'allow', scope: ['read', 'write'] }));
    expect(await makeKey(without)).toMatchObject(refused);
    const again = await asked(manager, 'read write', { prompt: 'consent' });
    const withIt = await token(await browser.submit(again, { decision: 'allow', scope: ['read', 'write', 'keys'] }));
    expect((await makeKey(withIt)).data?.apiKeyCreate.apiKeySecret).toMatch(/^sluice_/);
    expect(await makeKey(without)).toMatchObject(refused);
    expect((await browser.get(`/dashboard/apps/${manager.client.id}`)).text).toContain('Manage API keys');
  });

  it('is part of the prior consent', async () => {
    await browser.submit(await asked(manager, 'read write'), { decision: 'allow', scope: ['read', 'write'] });
    expect(await makeKey(await token(await asked(manager, 'read write')))).toMatchObject(refused);
    const again = await asked(manager, 'read write', { prompt: 'consent' });
    await browser.submit(again, { decision: 'allow', scope: ['read', 'write', 'keys'] });
    expect((await makeKey(await token(await asked(manager, 'read write')))).errors).toBeUndefined();
  });

  it('is shown beside a single scope, which has no checkbox', async () => {
    const page = await asked(manager, 'write');
    expect(page.text.match(/type="checkbox"/g)).toHaveLength(1);
    const access = await token(await browser.submit(page, { decision: 'allow', scope: ['keys'] }));
    expect((await makeKey(access, 'WRITE')).errors).toBeUndefined();
  });

  it.each([['keys'], ['read', 'keys']])('is not dropped without permission to send, which it needs: %s', async (...scope) => {
    const again = await browser.submit(await asked(manager, 'read write'), { decision: 'allow', scope });
    expect([again.status, again.location]).toEqual([422, '']);
    expect(again.text).toContain('<a href="#keys">API keys need the permission to send money. Tick that too, or untick API keys.</a>');
    expect(again.text).toMatch(/<input type="checkbox" id="keys" name="scope" value="keys" checked \/>/);
    expect([...again.text.matchAll(/value="(\w+)" checked/g)].map(([, name]) => name)).toEqual(scope);
    const access = await token(await browser.submit(again, { decision: 'allow', scope: ['write', ...scope] }));
    expect((await makeKey(access, 'WRITE')).errors).toBeUndefined();
  });

  it('grants nothing to an ordinary app, whatever its form sends, and ends with the app’s trust', async () => {
    const ordinary = await newOAuthApp(app, {});
    const sent = await browser.submit(await asked(ordinary, 'read write'), { decision: 'allow', scope: ['read', 'write', 'keys'] });
    const { body } = await ordinary.exchange(new URL(sent.location).searchParams.get('code') ?? '');
    await app.pool.query('UPDATE oauth_client SET trusted = true WHERE id = $1', [ordinary.client.id]);
    expect(await makeKey((body as { access_token: string }).access_token)).toMatchObject(refused);

    const access = await token(await browser.submit(await asked(manager, 'read write'), { decision: 'allow', scope: ['write', 'keys'] }));
    await app.pool.query('UPDATE oauth_client SET trusted = false WHERE id = $1', [manager.client.id]);
    try {
      expect(await makeKey(access)).toMatchObject(refused);
    } finally {
      await app.pool.query('UPDATE oauth_client SET trusted = true WHERE id = $1', [manager.client.id]);
    }
  });
});
