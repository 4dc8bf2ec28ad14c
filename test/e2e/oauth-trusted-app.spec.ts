import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, type CredentialHeaders, type GraphQLAnswer } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { hiddenFields, BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const CREATE = `mutation ($name: String!) { apiKeyCreate(input: { name: $name, scopes: [READ] }) { apiKeySecret } }`;

/** The operator permits this app to create API keys for its users. */
describe('the keys that a trusted app creates', () => {
  let app: TestApp;
  let fixture: Fixture;
  let manager: OAuthApp;
  let alice: Person;
  let browser: BrowserSession;
  let token: CredentialHeaders;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    manager = await newOAuthApp(app, { trusted: true });
  });
  beforeEach(async () => {
    alice = await fixture.user();
    browser = new BrowserSession(app.url);
    token = { 'oauth2-token': (await manager.connect(alice, { scope: 'read write' }, browser)).access_token };
  });
  afterAll(() => app.close());

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
