import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, type CredentialHeaders, type GraphQLAnswer } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { hiddenFields, BrowserSession, type Visit } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

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

/** The operator permits this app to create API keys for its users. */
describe('the keys that a trusted app creates', () => {
  const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const CREATE = `mutation ($name: String!) { apiKeyCreate(input: { name: $name, scopes: [READ] }) { apiKeySecret } }`;

  let token: CredentialHeaders;

  beforeEach(async () => {
    token = { 'oauth2-token': (await manager.connect(alice, { scope: 'read write' }, browser)).access_token };
  });

  const make = (name: string): Promise<GraphQLAnswer<{ apiKeyCreate: { apiKeySecret: string } }>> =>
    graphql(app.url, CREATE, { name }, token);
  const secretOf = async (name: string): Promise<CredentialHeaders> => ({
    'x-api-key': (await make(name)).data?.apiKeyCreate.apiKeySecret ?? '',
  });
  const works = async (key: CredentialHeaders): Promise<boolean> => (await graphql(app.url, '{ me { id } }', {}, key)).data != null;
  const DISCONNECT = (): string => `/dashboard/apps/${manager.client.id}/disconnect`;

  it('are revoked with the app when its person checks the box, and no others are', async () => {
    const [first, second, own] = [await secretOf('<till>'), await secretOf('books'), alice.as('read')];
    const page = await browser.get(DISCONNECT());
    expect(page.text).toContain('Also revoke the 2 API keys it created for you');
    expect(page.text).toContain('&lt;till&gt;');
    expect(page.text).toMatch(/name="revoke-keys" value="yes" checked/);
    expect((await browser.post(DISCONNECT(), { ...hiddenFields(page), 'revoke-keys': 'yes' })).status).toBe(303);
    await eventually(async () => !(await works(first)) && !(await works(second)));
    expect(await works(own)).toBe(true);
  });

  it('stay when the box is not checked', async () => {
    const key = await secretOf('till');
    const page = await browser.get(DISCONNECT());
    expect(page.text).toContain('Also revoke the API key it created for you');
    expect((await browser.post(DISCONNECT(), hiddenFields(page))).location).toContain('/dashboard/apps?disconnected=');
    await eventually(async () => !(await works(token)));
    expect(await works(key)).toBe(true);
  });

  it('are not mentioned when none is valid', async () => {
    const key = await secretOf('over');
    const id = await dataOf(app.url, '{ me { apiKeys { id } } }', {}, key).then(({ me }) => me.apiKeys[0].id);
    await dataOf(app.url, `mutation { apiKeyRevoke(input: { id: "${id}" }) { apiKey { revoked } } }`, {}, token);
    expect((await browser.get(DISCONNECT())).text).not.toContain('revoke-keys');
  });

  it('cannot be created while the app is being disconnected', async () => {
    const client = await app.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT oauth_end_grants(ARRAY(SELECT id FROM oauth_grant WHERE user_id = $1), 'disconnected by the owner')`, [
        alice.userId,
      ]);
      const making = make('late');
      await eventually(async () => (await client.query(WAITING)).rowCount);
      await client.query('COMMIT');
      expect((await making).errors).toMatchObject([{ message: 'Not authorized', extensions: { code: 'NOT_AUTHORIZED' } }]);
    } finally {
      client.release();
    }
    expect((await app.pool.query(`SELECT FROM api_key WHERE user_id = $1 AND name = 'late'`, [alice.userId])).rowCount).toBe(0);
  });
});

/** The person decides whether an app that the operator trusts may create API keys for them. */
describe('the checkbox for API keys on the consent page', () => {
  const CREATE = `mutation ($scopes: [Scope!]!) { apiKeyCreate(input: { name: "till", scopes: $scopes }) { apiKeySecret } }`;

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

  it('permits keys to receive to an app that may send: the scopes that Blink’s Dashboard asks for by default', async () => {
    const access = await token(
      await browser.submit(await asked(manager, 'read write'), { decision: 'allow', scope: ['read', 'write', 'keys'] }),
    );
    const made = await graphql<{ apiKeyCreate: { apiKey: object } }>(
      app.url,
      'mutation { apiKeyCreate(input: { name: "dashboard", scopes: [READ, RECEIVE, WRITE] }) { apiKey { scopes } } }',
      {},
      { 'oauth2-token': access },
    );
    expect(made.data?.apiKeyCreate.apiKey).toEqual({ scopes: ['READ', 'RECEIVE', 'WRITE'] });
    const writer = await token(
      await browser.submit(await asked(manager, 'write', { prompt: 'consent' }), { decision: 'allow', scope: ['keys'] }),
    );
    expect((await makeKey(writer, 'RECEIVE')).errors).toBeUndefined();
    expect(await makeKey(writer, 'READ')).toMatchObject({ errors: [{ message: 'scopes must contain only: receive, write' }] });
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
