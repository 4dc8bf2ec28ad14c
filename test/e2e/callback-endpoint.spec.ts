import { EgressClient } from '../../src/edge/egress/index.js';
import { MAX_ENDPOINTS } from '../../src/money/webhook/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { post } from '../support/http.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { BrowserSession, hiddenFields } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';

const ADD = `mutation ($url: EndpointUrl!) { callbackEndpointAdd(input: { url: $url }) { errors { message code path } id signingSecret } }`;
const DELETE = `mutation ($id: EndpointId!) { callbackEndpointDelete(input: { id: $id }) { errors { message code path } success } }`;
const CREATE_KEY = 'mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { apiKeySecret apiKey { manageCallbacks } } }';
const LIST = '{ me { defaultAccount { callbackPortalUrl callbackEndpoints { id url } } } }';
const URL_OF_SHOP = 'https://shop.example/hooks?shop=1';
const INVALID = 'Enter a URL such as https://shop.example/hooks, with at most 2048 characters, and without a user name or password';
const NOT_HTTPS = 'Use https: http works only for networks that the operator of this server allows (in a demo, this machine)';
const NOT_PUBLIC = 'Use a public address: this one leads to a network that the operator of this server does not allow';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('callbackEndpointAdd and callbackEndpointDelete', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let session: CredentialHeaders;
  // Of the networks that are not public, only this one is allowed.
  beforeAll(async () => {
    app = await createTestApp({ env: { EGRESS_ALLOW: '10.9.0.0/16' } });
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    alice = await fixture.user();
    session = await fixture.session(alice);
  });
  afterAll(() => app.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const add = async (url: string, as = session): Promise<any> => (await dataOf<any>(app.url, ADD, { url }, as)).callbackEndpointAdd;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const remove = async (id: string, as = session): Promise<any> => (await dataOf<any>(app.url, DELETE, { id }, as)).callbackEndpointDelete;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const list = async (as = session): Promise<any[]> => (await dataOf<any>(app.url, LIST, {}, as)).me.defaultAccount.callbackEndpoints;

  it('adds an endpoint with its secret, lists it without, and deletes it', async () => {
    expect(await list()).toEqual([]);
    const added = await add(URL_OF_SHOP);
    expect(added).toEqual({
      errors: [],
      id: expect.any(String) as string,
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    });
    expect(await list()).toEqual([{ id: added.id, url: URL_OF_SHOP }]);
    expect(await list(alice.as('read'))).toEqual([{ id: added.id, url: URL_OF_SHOP }]);
    expect(await remove(added.id)).toEqual({ errors: [], success: true });
    expect(await list()).toEqual([]);
  });

  it('deletes an endpoint of very many deliveries in parts: one statement for all would be ended by its limit, every time', async () => {
    const { id } = await add(URL_OF_SHOP);
    await app.pool.query(
      `INSERT INTO webhook_delivery (id, endpoint_id, sequence, event_type, body, state, ended_at)
       SELECT gen_random_uuid(), $1, n, 'receive.intraledger', '{}', 'delivered', now() FROM generate_series(1, 1100) n`,
      [id],
    );
    await app.pool.query(`
      CREATE FUNCTION is_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM gone) > 500 THEN RAISE EXCEPTION 'long' USING ERRCODE = 'query_canceled'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER is_long AFTER DELETE ON webhook_delivery REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION is_long()`);
    const mallory = await fixture.session(await fixture.user());
    expect(await remove(id, mallory)).toMatchObject({ success: false });
    expect((await app.pool.query('SELECT FROM webhook_delivery')).rowCount).toBe(1_100);
    expect(await remove(id)).toEqual({ errors: [], success: true });
    expect((await app.pool.query('SELECT FROM webhook_delivery')).rowCount).toBe(0);
    await app.pool.query('DROP FUNCTION is_long CASCADE');
  });

  it('stores the secret encrypted, and gives each endpoint its own', async () => {
    const [first, second] = [await add(URL_OF_SHOP), await add(URL_OF_SHOP)];
    expect(first.signingSecret).not.toBe(second.signingSecret);
    const { rows } = await app.pool.query<{ secret: Buffer }>('SELECT secret FROM webhook_endpoint WHERE id = $1', [first.id]);
    const bytes = Buffer.from(first.signingSecret.slice('whsec_'.length), 'base64');
    expect(bytes).toHaveLength(32);
    expect(rows[0]?.secret.includes(bytes)).toBe(false);
  });

  it.each([
    ['http://93.184.216.34/', NOT_HTTPS],
    ['https://127.0.0.1/', NOT_PUBLIC],
    ['https://[::ffff:169.254.169.254]/latest/meta-data', NOT_PUBLIC],
    ['https://2130706433/', NOT_PUBLIC],
    // What delivery would refuse once it has looked the name up.
    ['https://localhost/', NOT_PUBLIC],
    ['http://localhost:3000/', NOT_PUBLIC],
    ['https://user:password@shop.example/', INVALID],
  ])('refuses %s', async (url, message) => {
    const refused = { errors: [{ message, code: 'ENDPOINT_URL_REFUSED', path: ['input', 'url'] }], id: null, signingSecret: null };
    expect(await add(url)).toEqual(refused);
    expect(await list()).toEqual([]);
  });

  it('takes a name where delivery does, and refuses the others, without a transaction that waits for DNS', async () => {
    const addresses = new Map([
      ['inside.example', ['10.9.8.7']],
      ['outside.example', ['93.184.216.34']],
      ['mixed.example', ['93.184.216.34', '10.8.0.1']],
    ]);
    const open: number[] = [];
    const resolver = app.get(EgressClient) as unknown as { resolve: (name: string) => Promise<object[]> };
    jest.spyOn(resolver, 'resolve').mockImplementation(async (name) => {
      const { rows } = await app.pool.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction' AND query ILIKE '%idempotency_once%'`,
      );
      open.push(rows[0]?.open ?? -1);
      return (addresses.get(name) ?? []).map((address) => ({ address, family: 4 }));
    });
    const messages = async (url: string): Promise<unknown> => {
      const by = { ...session, 'idempotency-key': `to ${url}` };
      return (await add(url, by)).errors.map(({ message }: { message: string }) => message);
    };
    expect(await messages('http://inside.example/')).toEqual([]);
    expect(await messages('https://inside.example/')).toEqual([]);
    expect(await messages('https://outside.example/')).toEqual([]);
    expect(await messages('http://outside.example/')).toEqual([NOT_HTTPS]);
    expect(await messages('http://mixed.example/')).toEqual([NOT_PUBLIC]);
    expect(await messages('https://mixed.example/')).toEqual([NOT_PUBLIC]);
    expect(open).toEqual([0, 0, 0, 0, 0, 0]);
    jest.restoreAllMocks();
  });

  it('refuses what is no URL', async () => {
    for (const url of ['shop.example', 'ftp://shop.example/', ' https://shop.example/'])
      expect(await add(url)).toMatchObject({ errors: [{ code: 'INVALID_INPUT', path: ['input', 'url'] }], id: null });
  });

  it('refuses more endpoints than an account may have', async () => {
    for (let n = 0; n < MAX_ENDPOINTS; n++) expect(await add(`https://shop.example/${n}`)).toMatchObject({ errors: [] });
    expect(await add('https://shop.example/more')).toEqual({
      errors: [
        { message: `You have ${MAX_ENDPOINTS} endpoints, which is the limit. Delete one first.`, code: 'INVALID_INPUT', path: ['input'] },
      ],
      id: null,
      signingSecret: null,
    });
    expect((await list()).map(({ url }) => url as string)).toHaveLength(MAX_ENDPOINTS);
  });

  it('deletes no endpoint of another account, and none that does not exist', async () => {
    const { id } = await add(URL_OF_SHOP);
    const mallory = await fixture.session(await fixture.user());
    const missing = { errors: [{ message: 'Endpoint not found', code: 'NOT_FOUND', path: ['input', 'id'] }], success: false };
    expect(await remove(id, mallory)).toEqual(missing);
    expect(await list(mallory)).toEqual([]);
    for (const unknown of [UNKNOWN, 'ep_1']) expect(await remove(unknown)).toEqual(missing);
    expect(await list()).toHaveLength(1);
  });

  it('is refused to keys, apps and anonymous callers, whatever their scopes are', async () => {
    const shop = await newOAuthApp(app);
    const { access_token: token } = await shop.connect(alice, { scope: 'read receive write' }, new BrowserSession(app.url));
    const { id } = await add(URL_OF_SHOP);
    for (const [document, variables] of [
      [ADD, { url: URL_OF_SHOP }],
      [DELETE, { id }],
    ] as const) {
      for (const credential of [alice.as('all'), alice.as('write'), { 'oauth2-token': token }])
        expect((await graphql(app.url, document, variables, credential)).errors?.[0]?.extensions?.['code']).toBe('NOT_AUTHORIZED');
      expect((await graphql(app.url, document, variables)).errors?.[0]?.extensions?.['code']).toBe('NOT_AUTHENTICATED');
    }
    expect(await list()).toHaveLength(1);
  });

  const keyOf = async (input: object, by: CredentialHeaders = session): Promise<CredentialHeaders> => ({
    'x-api-key': (await dataOf(app.url, CREATE_KEY, { input: { name: 'hooks', scopes: ['READ'], manageCallbacks: true, ...input } }, by))
      .apiKeyCreate.apiKeySecret as string,
  });

  it('is open to a key that manages webhooks, which sees and deletes its own endpoints only', async () => {
    const [one, other] = [await keyOf({}), await keyOf({ scopes: ['RECEIVE'] })];
    const [owners, ones, others] = [await add(`${URL_OF_SHOP}&by=owner`), await add(URL_OF_SHOP, one), await add(URL_OF_SHOP, other)];
    expect([ones.errors, others.errors]).toEqual([[], []]);
    expect((await list(one)).map(({ id }) => id as string)).toEqual([ones.id]);
    expect((await list()).map(({ id }) => id as string)).toEqual([owners.id, ones.id, others.id]);
    expect(await list(alice.as('read'))).toHaveLength(3);
    const missing = { errors: [{ message: 'Endpoint not found', code: 'NOT_FOUND', path: ['input', 'id'] }], success: false };
    for (const { id } of [owners, others]) expect(await remove(id, one)).toEqual(missing);
    expect(await remove(ones.id, one)).toEqual({ errors: [], success: true });
    expect(await remove(others.id)).toEqual({ errors: [], success: true });
    expect((await list()).map(({ id }) => id as string)).toEqual([owners.id]);
  });

  it('is no longer open to such a key once it is revoked; its endpoints are the owner’s', async () => {
    const key = await keyOf({});
    const { id } = await add(URL_OF_SHOP, key);
    const [{ id: keyId, manageCallbacks }] = (await dataOf(app.url, '{ me { apiKeys { id manageCallbacks } } }', {}, session)).me.apiKeys;
    expect(manageCallbacks).toBe(true);
    await dataOf(app.url, 'mutation ($id: ID!) { apiKeyRevoke(input: { id: $id }) { apiKey { revoked } } }', { id: keyId }, session);
    await eventually(async () => (await post(`${app.url}/graphql`, { query: LIST }, key)).status === 401);
    expect(await list()).toEqual([{ id, url: URL_OF_SHOP }]);
    expect(await remove(id)).toEqual({ errors: [], success: true });
  });

  it('is open to a trusted app whose consent says so, and to the keys that it makes', async () => {
    const [trusted, browser] = [await newOAuthApp(app, { trusted: true }), new BrowserSession(app.url)];
    const page = await trusted.consentPage(alice, await browser.get(trusted.authorizeUrl({ scope: 'read write' })), browser);
    expect(page.text).toContain('Can also manage your webhooks');
    const tokens = await trusted.connect(alice, { scope: 'read write' }, browser);
    const token = { 'oauth2-token': tokens.access_token };
    const { id, errors } = await add(URL_OF_SHOP, token);
    expect([errors, await list(token)]).toEqual([[], [{ id, url: URL_OF_SHOP }]]);
    expect(await remove(id, token)).toEqual({ errors: [], success: true });
    const key = await keyOf({}, token);
    expect((await add(URL_OF_SHOP, key)).errors).toEqual([]);
    // A consent that was silently repeated permits the same.
    const again = { 'oauth2-token': (await trusted.connect(alice, { scope: 'read write' }, browser)).access_token };
    expect((await add(URL_OF_SHOP, again)).errors).toEqual([]);
  });

  it('is refused to a trusted app whose consent is of a time before it said so, and to the keys that it makes', async () => {
    const [trusted, browser] = [await newOAuthApp(app, { trusted: true }), new BrowserSession(app.url)];
    await trusted.connect(alice, { scope: 'read write' }, browser);
    await app.pool.query('UPDATE oauth_grant SET manages_callbacks = false WHERE client_id = $1', [trusted.client.id]);
    const token = { 'oauth2-token': (await trusted.connect(alice, { scope: 'read write' }, browser)).access_token };
    expect((await graphql(app.url, ADD, { url: URL_OF_SHOP }, token)).errors?.[0]?.extensions?.['code']).toBe('NOT_AUTHORIZED');
    const made = await graphql(app.url, CREATE_KEY, { input: { name: 'hooks', manageCallbacks: true } }, token);
    expect(made.errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' }, path: ['apiKeyCreate'] }]);
    expect((await graphql(app.url, CREATE_KEY, { input: { name: 'hooks' } }, token)).errors).toBeUndefined();
  });

  it('is refused to a token of such an app that may not send', async () => {
    const [trusted, browser] = [await newOAuthApp(app, { trusted: true }), new BrowserSession(app.url)];
    const { refresh_token: refresh = '' } = await trusted.connect(alice, { scope: 'read write offline' }, browser);
    const { body } = await trusted.refresh(refresh, { scope: 'read' });
    const refused = await graphql(app.url, ADD, { url: URL_OF_SHOP }, { 'oauth2-token': body.access_token as string });
    expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'write' });
  });

  it('is a box of the page that makes a key, and shown on the key', async () => {
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
    const form = await browser.get('/dashboard/keys/new');
    expect(form.text).toMatch(/name="scope" value="callbacks" \/><span><b>Webhooks<\/b>/);
    const fields = { ...hiddenFields(form), name: 'npub', limit: '', window: 'daily', expires: '90' };
    expect((await browser.post('/dashboard/keys', { ...fields, scope: 'callbacks' })).text).toContain('Choose a permission');
    const { location } = await browser.post('/dashboard/keys', { ...fields, scope: ['receive', 'callbacks'] });
    const secret = /sluice_[0-9A-Za-z]{49}/.exec((await browser.get(location)).text)?.[0] ?? '';
    expect((await add(URL_OF_SHOP, { 'x-api-key': secret })).errors).toEqual([]);
    const shown = (await browser.get(location.replace(/\/created$/, ''))).text;
    expect(shown).toMatch(/<span class="badge[^"]*">Receive<\/span>\s*<span class="badge[^"]*">Webhooks<\/span>/);
    expect((await browser.get(`${location.replace(/\/created$/, '')}/revoke`)).text).toContain('Webhook endpoints that it added stay');
  });

  it('lists to callers with read only', async () => {
    for (const key of ['receive', 'write'] as const)
      expect((await graphql(app.url, LIST, {}, alice.as(key))).errors?.[0]?.extensions).toMatchObject({
        code: 'INSUFFICIENT_SCOPE',
        scope: 'read',
      });
  });

  it('adds one endpoint for a repeated request with an idempotency key, and shows its secret once', async () => {
    const headers = { ...session, 'idempotency-key': 'the first endpoint' };
    const ask = async (): Promise<{ body: Record<string, unknown> }> =>
      post(`${app.url}/graphql`, { query: ADD, variables: { url: URL_OF_SHOP } }, headers);
    expect((await ask()).body).toMatchObject({ data: { callbackEndpointAdd: { errors: [] } } });
    expect((await ask()).body).toMatchObject({ errors: [{ extensions: { code: 'IDEMPOTENCY_SECRET_WITHHELD' } }] });
    expect(await list()).toHaveLength(1);
    const { rows } = await app.pool.query(`SELECT FROM idempotency WHERE answer::text LIKE '%whsec_%'`);
    expect(rows).toEqual([]);
  });
});
