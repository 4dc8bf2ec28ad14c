import { ClientService } from '../../src/access/oauth/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { CALLBACK, newOAuthApp, OAuthApp } from '../support/oauth-app.js';

let server: TestApp;
let clients: ClientService;

beforeAll(async () => {
  server = await createTestApp({ env: { THROTTLE_TOKEN_ADDRESS: '1000/60', THROTTLE_TOKEN_CLIENT: '1000/60' } });
  clients = server.get(ClientService);
});
afterAll(() => server.close());

/** 400 means that the client was authenticated: the request has no grant type. */
const status = async (app: OAuthApp, secret = app.secret): Promise<number> =>
  (await new OAuthApp(server, app.client, secret).token({})).status;

describe('ClientService.register', () => {
  it('fills in defaults, and leaves the client unapproved', async () => {
    const outcome = await clients.register({ name: ' Shop ', redirectUris: [CALLBACK, CALLBACK], scopes: ['read', 'offline_access'] });
    expect(outcome).toEqual({
      kind: 'registered',
      secret: expect.stringMatching(/^sluice_cs_[0-9A-Za-z]{49}$/),
      client: {
        id: expect.stringMatching(/^[\w-]{36}$/),
        name: 'Shop',
        confidential: true,
        redirectUris: [CALLBACK],
        scopes: ['read', 'offline_access', 'offline'],
        grantTypes: ['authorization_code', 'refresh_token'],
        requirePkce: true,
        verified: false,
        trusted: false,
        homepage: null,
        state: 'pending',
      },
    });
    if (outcome.kind !== 'registered') return;
    expect(await status(new OAuthApp(server, outcome.client, outcome.secret ?? ''))).toBe(401);
    await clients.approve(outcome.client.id);
    expect(await status(new OAuthApp(server, outcome.client, outcome.secret ?? ''))).toBe(400);
  });

  it('gives public clients no secret, and requires PKCE of them', async () => {
    const outcome = await clients.register({
      name: 'Native',
      redirectUris: ['com.example.app:/cb'],
      scopes: ['read'],
      confidential: false,
      requirePkce: false,
    });
    expect(outcome).toMatchObject({
      kind: 'registered',
      secret: null,
      client: { confidential: false, requirePkce: true, grantTypes: ['authorization_code'] },
    });
  });

  it('reports every fault at once', async () => {
    const outcome = await clients.register({
      id: 'a b',
      name: '  ',
      redirectUris: ['http://app.example/', 'javascript:alert(1)'],
      scopes: ['read', 'admin'],
      grantTypes: ['password'],
      homepage: 'javascript:alert(1)',
    });
    expect(outcome).toEqual({ kind: 'invalid', faults: expect.any(Array) });
    expect(outcome.kind === 'invalid' && outcome.faults).toHaveLength(7);
  });

  it('refuses an id that exists', async () => {
    const wanted = { id: 'the-one', name: 'Shop', redirectUris: [CALLBACK], scopes: ['read'] };
    expect((await clients.register(wanted)).kind).toBe('registered');
    expect(await clients.register(wanted)).toEqual({ kind: 'id_taken' });
  });
});

describe('the secrets of a client', () => {
  it('can be rotated without an outage, two at a time', async () => {
    const shop = await newOAuthApp(server);
    const [second, third] = [await clients.addSecret(shop.client.id, 3_600), await clients.addSecret(shop.client.id, 3_600)];
    if (second.kind !== 'added' || third.kind !== 'added') throw new Error('No secret was added');
    expect(await Promise.all([shop.secret, second.secret, third.secret].map((secret) => status(shop, secret)))).toEqual([401, 400, 400]);
    await server.pool.query(
      `UPDATE oauth_client_secret SET expires_at = expires_at - interval '3601 seconds' WHERE expires_at IS NOT NULL`,
    );
    expect(await Promise.all([second.secret, third.secret].map((secret) => status(shop, secret)))).toEqual([401, 400]);
    const { rows } = await server.pool.query<{ isUsed: boolean }>(
      `SELECT last_used_at IS NOT NULL AS "isUsed" FROM oauth_client_secret WHERE client_id = $1 ORDER BY created_at DESC, id DESC`,
      [shop.client.id],
    );
    expect(rows.map(({ isUsed }) => isUsed)).toEqual([true, true, false]);
  });

  it('are all ended by a new one without an overlap', async () => {
    const shop = await newOAuthApp(server);
    const added = await clients.addSecret(shop.client.id);
    expect(await status(shop)).toBe(401);
    expect(await status(shop, added.kind === 'added' ? added.secret : '')).toBe(400);
  });

  it('are for confidential clients only', async () => {
    const native = await newOAuthApp(server, { confidential: false, redirectUris: ['com.example.app:/cb'] });
    expect(await clients.addSecret(native.client.id)).toEqual({ kind: 'public_client' });
    expect(await clients.addSecret('unknown')).toEqual({ kind: 'not_found' });
  });
});

it('returns null for unknown clients when it suspends and approves', async () => {
  expect([await clients.approve('unknown'), await clients.suspend('unknown'), await clients.find('unknown\0')]).toEqual([null, null, null]);
});
