import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, type CredentialHeaders, type GraphQLAnswer } from '../support/graphql.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { hiddenFields, BrowserSession, type Visit } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';
import { OperatorCommand } from '../support/operator-command.js';
import { RawSocket } from '../support/raw-socket.js';

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

  it('and the app end together or not at all', async () => {
    const key = await secretOf('till');
    const page = await browser.get(DISCONNECT());
    const client = await app.pool.connect();
    const disconnect = (): Promise<Visit> => browser.post(DISCONNECT(), { ...hiddenFields(page), 'revoke-keys': 'yes' });
    try {
      await client.query('BEGIN');
      await client.query(`SELECT FROM api_key WHERE user_id = $1 FOR UPDATE`, [alice.userId]);
      expect((await disconnect()).status).toBe(503);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect(await works(key)).toBe(true);
    expect((await graphql(app.url, '{ me { id } }', {}, token)).data).not.toBeNull();
    expect((await browser.get(DISCONNECT())).status).toBe(200);
    expect((await disconnect()).status).toBe(303);
    await eventually(async () => !(await works(token)) && !(await works(key)));
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

/** A thief with a token makes a key, so the end of the token alone does not end the thief. */
describe('a key that a trusted app created', () => {
  const CREATE = `mutation ($name: String!) { apiKeyCreate(input: { name: $name, scopes: [READ] }) { apiKeySecret apiKey { id } } }`;
  const SCOPE = 'read write offline';
  type Key = { readonly id: string; readonly as: CredentialHeaders };
  type Connection = { readonly code: string; readonly access: string; readonly refresh: string };

  const connect = async (by = manager, person = alice, from = browser): Promise<Connection> => {
    const code = await by.code(person, { scope: SCOPE, prompt: 'consent' }, from);
    const { body } = await by.exchange(code);
    return { code, access: body.access_token, refresh: body.refresh_token };
  };
  const make = async (by: CredentialHeaders, name: string): Promise<Key> => {
    const { apiKeySecret, apiKey } = (await dataOf(app.url, CREATE, { name }, by)).apiKeyCreate;
    return { id: apiKey.id, as: { 'x-api-key': apiKeySecret } };
  };
  const makeBy = ({ access }: Connection, name: string): Promise<Key> => make({ 'oauth2-token': access }, name);
  const works = async ({ as }: Key): Promise<boolean> => (await graphql(app.url, '{ me { id } }', {}, as)).data != null;
  const useAgain: Readonly<Record<string, (by: Connection) => Promise<unknown>>> = {
    'its authorization code': ({ code }) => manager.exchange(code),
    'a refresh token': async ({ refresh }) => {
      await manager.refresh(refresh);
      await app.pool.query('UPDATE oauth_refresh_token SET replay_until = now() WHERE replay_until IS NOT NULL');
      await manager.refresh(refresh);
    },
  };
  const CAUSES = Object.keys(useAgain);
  const appsPage = async (): Promise<string> => (await browser.get('/dashboard/apps')).text;

  it.each(CAUSES)('ends before the answer when %s is used again, with its sockets; the page names it', async (cause) => {
    const [first, second] = [await connect(), await connect()];
    const keys = [await makeBy(first, '<till>'), await makeBy(second, 'books')];
    const [other, bob] = [await newOAuthApp(app, { trusted: true }), await fixture.user()];
    const others = [
      { id: '', as: alice.as('read') },
      await makeBy(await connect(other), 'other app'),
      await makeBy(await connect(manager, bob, new BrowserSession(app.url)), 'other person'),
    ];
    for (const key of [...keys, ...others]) expect(await works(key)).toBe(true);
    const socket = await RawSocket.admitted(app.url, keys[0]?.as);
    await useAgain[cause]?.(first);
    expect(await Promise.all(keys.map(works))).toEqual([false, false]);
    expect(await Promise.all(others.map(works))).toEqual([true, true, true]);
    expect((await socket.closed).code).toBe(4401);
    expect(await appsPage()).toContain('The API keys it created are revoked too: <bdi>books</bdi>, <bdi>&lt;till&gt;</bdi>');
  });

  it.each(CAUSES)('ends in the transaction that ends the connection, when %s is used again', async (cause) => {
    const connection = await connect();
    const key = await makeBy(connection, 'till');
    await app.pool.query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON api_key FOR EACH ROW WHEN (NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION refuse()`);
    await useAgain[cause]?.(connection);
    await app.pool.query('DROP FUNCTION refuse CASCADE');
    expect(await works(key)).toBe(true);
    const { rows } = await app.pool.query('SELECT 1 FROM oauth_grant WHERE user_id = $1 AND revoked_at IS NOT NULL', [alice.userId]);
    expect(rows).toEqual([]);
  });

  it.each(CAUSES)('ends when %s is used again after the connection has ended by another cause', async (cause) => {
    const connection = await connect();
    const key = await makeBy(connection, 'till');
    if (cause === 'a refresh token') await manager.refresh(connection.refresh);
    await manager.revoke(connection.access);
    expect(await works(key)).toBe(true);
    await useAgain[cause]?.(connection);
    await eventually(async () => !(await works(key)));
  });

  it('stays valid when the app disconnects itself, and when the password changes: the person reads its name', async () => {
    const key = await makeBy(await connect(), 'till');
    await manager.revoke((await connect()).access);
    await manager.revoke((await connect()).access);
    await app.pool.query(`SELECT oauth_end_grants(ARRAY(SELECT id FROM oauth_grant WHERE user_id = $1), 'revoked by the app')`, [
      alice.userId,
    ]);
    expect(await appsPage()).toContain('The API keys it created still work: <bdi>till</bdi>');
    expect(await works(key)).toBe(true);

    await connect();
    const own = await make(await fixture.session(alice), 'my own');
    const said = await new OperatorCommand(app).run('user', 'set-password', alice.email, '--because', 'asked by phone');
    expect(said).toContain('API keys that still work: my own, till');
    expect(await Promise.all([works(key), works(own)])).toEqual([true, true]);
    expect(
      (await new OperatorCommand(app).run('user', 'set-password', alice.email, '--because', 'x', '--revoke-keys')).split('\n'),
    ).toEqual([expect.stringMatching(/^password: /), expect.stringMatching(/^[0-9]+ API keys revoked\.$/)]);
    expect(await Promise.all([works(key), works(own)])).toEqual([false, false]);
  });

  it('stays valid when its connection expires and is tidied away', async () => {
    const key = await makeBy(await connect(), 'till');
    await app.pool.query(
      `UPDATE oauth_grant SET created_at = now() - interval '2 years', absolute_expires_at = now() - interval '31 days'
      WHERE user_id = $1`,
      [alice.userId],
    );
    expect(await works(key)).toBe(true);
    await app.pool.query('DELETE FROM oauth_grant WHERE user_id = $1', [alice.userId]);
    expect(await works(key)).toBe(true);
  });

  it('remembers person, app and connection', async () => {
    const key = await makeBy(await connect(), 'till');
    const { rows } = await app.pool.query(
      `SELECT k.user_id AS person, k.client_id AS app FROM api_key k JOIN oauth_grant g ON g.id = k.grant_id AND g.user_id = k.user_id WHERE k.id = $1`,
      [key.id],
    );
    expect(rows).toEqual([{ person: alice.userId, app: manager.client.id }]);
  });

  it('is refused while the app is suspended, on open sockets too, and works again afterwards', async () => {
    const [key, own] = [await makeBy(await connect(), 'till'), { id: '', as: alice.as('read') }];
    expect(await works(key)).toBe(true);
    const socket = await RawSocket.admitted(app.url, key.as);
    const sluice = new OperatorCommand(app);
    await sluice.run('client', 'suspend', manager.client.id, '--because', 'reported');
    try {
      expect([await works(key), await works(own)]).toEqual([false, true]);
      expect((await socket.closed).code).toBe(4401);
      expect((await browser.get(`/dashboard/keys/${key.id}`)).text).toContain('The app that created it is suspended');
    } finally {
      await sluice.run('client', 'resume', manager.client.id, '--because', 'checked');
    }
    expect(await works(key)).toBe(true);
  });

  it('ends with all keys of its app by `client revoke-keys`, for all people, also while the app is suspended', async () => {
    const app2 = await newOAuthApp(app, { trusted: true });
    const [bob, sluice] = [await fixture.user(), new OperatorCommand(app)];
    const keys = [await makeBy(await connect(app2), 'a'), await makeBy(await connect(app2, bob, new BrowserSession(app.url)), 'b')];
    const kept = await makeBy(await connect(), 'kept');
    const id = app2.client.id;
    await sluice.run('client', 'suspend', id, '--because', 'reported');
    expect(await sluice.run('client', 'revoke-keys', id, '--because', 'stolen')).toBe('2 API keys revoked.');
    await sluice.run('client', 'resume', id, '--because', 'checked');
    expect(await Promise.all([...keys, kept].map(works))).toEqual([false, false, true]);
    const { rows } = await app.pool.query(
      `SELECT because, details FROM operator_action WHERE action = 'client revoke-keys' AND subject = $1`,
      [id],
    );
    expect(rows).toEqual([{ because: 'stolen', details: { name: app2.client.name, revokedKeys: 2 } }]);
    expect(await sluice.run('client', 'revoke-keys', id, '--because', 'again')).toBe('0 API keys revoked.');
    await expect(sluice.run('client', 'revoke-keys', 'unknown', '--because', 'x')).rejects.toThrow('No app with the id unknown');
  });

  describe('is changed and ended by this app for this person only', () => {
    const CHANGES: readonly (readonly [name: string, document: string])[] = [
      [
        'apiKeySetLimit',
        'mutation ($id: ID!) { apiKeySetLimit(input: { id: $id, limitTimeWindow: DAILY, limitSats: 5 }) { apiKey { id } } }',
      ],
      ['apiKeyRemoveLimit', 'mutation ($id: ID!) { apiKeyRemoveLimit(input: { id: $id, limitTimeWindow: DAILY }) { apiKey { id } } }'],
      ['apiKeyRevoke', 'mutation ($id: ID!) { apiKeyRevoke(input: { id: $id }) { apiKey { id revoked } } }'],
    ];

    it('but limits that their owner has set it lowers only', async () => {
      const token = { 'oauth2-token': (await connect()).access };
      const key = await makeBy(await connect(), 'till');
      const session = await fixture.session(alice);
      const SET =
        'mutation ($id: ID!, $window: LimitTimeWindow!, $sats: Int!) { apiKeySetLimit(input: { id: $id, limitTimeWindow: $window, limitSats: $sats }) { apiKey { limits { dailyLimitSats weeklyLimitSats } } } }';
      const REMOVE =
        'mutation ($id: ID!, $window: LimitTimeWindow!) { apiKeyRemoveLimit(input: { id: $id, limitTimeWindow: $window }) { apiKey { id } } }';
      const set = (window: string, sats: number, by: CredentialHeaders, more = {}): Promise<GraphQLAnswer<object>> =>
        graphql(app.url, SET, { id: key.id, window, sats }, { ...by, ...more });
      const remove = (window: string, by: CredentialHeaders): Promise<GraphQLAnswer<object>> =>
        graphql(app.url, REMOVE, { id: key.id, window }, by);
      const limits = (dailyLimitSats: number | null, weeklyLimitSats: number | null): object => ({
        data: { apiKeySetLimit: { apiKey: { limits: { dailyLimitSats, weeklyLimitSats } } } },
      });
      const refused = { errors: [{ path: [expect.any(String)], extensions: { code: 'NOT_AUTHORIZED' } }] };
      expect(await set('WEEKLY', 70, token)).toMatchObject(limits(null, 70));
      expect(await set('DAILY', 10, session)).toMatchObject(limits(10, 70));
      expect(await remove('DAILY', token)).toMatchObject(refused);
      expect(await set('DAILY', 11, token)).toMatchObject(refused);
      expect(await set('DAILY', 11, token, { 'idempotency-key': 'raise' })).toMatchObject(refused);
      // Its own it raises and removes; the owner's stays the owner's when the app has lowered it.
      expect(await set('WEEKLY', 80, token)).toMatchObject(limits(10, 80));
      expect((await remove('WEEKLY', token)).errors).toBeUndefined();
      expect(await set('DAILY', 5, token)).toMatchObject(limits(5, null));
      expect(await set('DAILY', 10, token)).toMatchObject(refused);
      expect((await remove('DAILY', session)).errors).toBeUndefined();
      expect(await set('DAILY', 20, token)).toMatchObject(limits(20, null));
    });

    it.each(CHANGES)('by %s', async (name, document) => {
      const token = { 'oauth2-token': (await connect()).access };
      const other = await newOAuthApp(app, { trusted: true });
      const bob = await fixture.user();
      const foreign = [
        await make(await fixture.session(alice), 'her own'),
        await makeBy(await connect(other), 'of another app'),
        await makeBy(await connect(manager, bob, new BrowserSession(app.url)), 'of another person'),
      ];
      for (const { id } of foreign) {
        const { errors } = await graphql(app.url, document, { id }, token);
        expect(errors).toMatchObject([{ message: 'API key not found', extensions: { code: 'NOT_FOUND' } }]);
      }
      expect(await Promise.all(foreign.map(works))).toEqual([true, true, true]);
      const limits = await app.pool.query('SELECT 1 FROM budget WHERE id = ANY ($1)', [foreign.map(({ id }) => id)]);
      expect(limits.rows).toEqual([]);
      const key = await makeBy(await connect(), 'made before, by another connection');
      expect(await dataOf(app.url, document, { id: key.id }, token)).toMatchObject({ [name]: { apiKey: { id: key.id } } });
      // Their owner may.
      expect(await dataOf(app.url, document, { id: foreign[1]?.id }, await fixture.session(alice))).toMatchObject({ [name]: {} });
    });
  });
});
