import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { request, type HttpAnswer } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { BrowserSession } from '../support/browser-session.js';
import { routesOf } from '../support/routes.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The permitted callers of each route. A handler without a row here fails. */
const ROUTES: Readonly<Record<string, 'public' | 'a browser that is signed in' | 'a client' | 'a bearer' | 'a password'>> = {
  'GET /': 'public',
  'GET /assets/:name': 'public',
  'GET /favicon.ico': 'public',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  // In a demo; test/e2e/metrics.spec.ts tests who may read it in production.
  'GET /metrics': 'public',
  'GET /.well-known/openid-configuration': 'public',
  'GET /.well-known/oauth-authorization-server': 'public',
  'GET /.well-known/jwks.json': 'public',
  'GET /.well-known/lnurlp/:username': 'public',
  'GET /.well-known/lnurlp/:username/callback': 'public',
  'GET /.well-known/lnurlp/:username/verify/:hash': 'public',
  'GET /oauth2/auth': 'public',
  'POST /oauth2/auth': 'public',
  'GET /login': 'public',
  'GET /register': 'public',
  'POST /login': 'a password',
  'POST /register': 'a password',
  'POST /auth/login': 'a password',
  'POST /oauth2/token': 'a client',
  'POST /oauth2/revoke': 'a client',
  'GET /userinfo': 'a bearer',
  'POST /userinfo': 'a bearer',
  'GET /consent': 'a browser that is signed in',
  'POST /consent': 'a browser that is signed in',
  'GET /logout': 'a browser that is signed in',
  'POST /logout': 'a browser that is signed in',
  'GET /dashboard': 'a browser that is signed in',
  'GET /dashboard/events': 'a browser that is signed in',
  'GET /dashboard/receive': 'a browser that is signed in',
  'POST /dashboard/receive': 'a browser that is signed in',
  'GET /dashboard/receive/invoices': 'a browser that is signed in',
  'GET /dashboard/receive/:hash': 'a browser that is signed in',
  'POST /dashboard/receive/:hash/cancel': 'a browser that is signed in',
  'GET /dashboard/account': 'a browser that is signed in',
  'POST /dashboard/account/currency': 'a browser that is signed in',
  'GET /dashboard/convert': 'a browser that is signed in',
  'POST /dashboard/convert': 'a browser that is signed in',
  'GET /dashboard/convert/review': 'a browser that is signed in',
  'POST /dashboard/convert/review': 'a browser that is signed in',
  'GET /dashboard/send': 'a browser that is signed in',
  'POST /dashboard/send': 'a browser that is signed in',
  'GET /dashboard/send/review': 'a browser that is signed in',
  'POST /dashboard/send/review': 'a browser that is signed in',
  'GET /dashboard/history/csv': 'a browser that is signed in',
  'GET /dashboard/history': 'a browser that is signed in',
  'GET /dashboard/history/:id': 'a browser that is signed in',
  'GET /dashboard/keys': 'a browser that is signed in',
  'GET /dashboard/keys/new': 'a browser that is signed in',
  'POST /dashboard/keys': 'a browser that is signed in',
  'GET /dashboard/keys/:id': 'a browser that is signed in',
  'GET /dashboard/keys/:id/created': 'a browser that is signed in',
  'GET /dashboard/keys/:id/limits': 'a browser that is signed in',
  'GET /dashboard/keys/:id/revoke': 'a browser that is signed in',
  'POST /dashboard/keys/:id/limits': 'a browser that is signed in',
  'POST /dashboard/keys/:id/revoke': 'a browser that is signed in',
  'GET /dashboard/apps': 'a browser that is signed in',
  'GET /dashboard/apps/:id': 'a browser that is signed in',
  'GET /dashboard/apps/:id/disconnect': 'a browser that is signed in',
  'POST /dashboard/apps/:id/disconnect': 'a browser that is signed in',
  'GET /dashboard/apps/:id/limits': 'a browser that is signed in',
  'POST /dashboard/apps/:id/limits': 'a browser that is signed in',
  'GET /dashboard/webhooks': 'a browser that is signed in',
  'GET /dashboard/webhooks/new': 'a browser that is signed in',
  'POST /dashboard/webhooks': 'a browser that is signed in',
  'GET /dashboard/webhooks/:id': 'a browser that is signed in',
  'GET /dashboard/webhooks/:id/secret': 'a browser that is signed in',
  'POST /dashboard/webhooks/:id/rotate': 'a browser that is signed in',
  'POST /dashboard/webhooks/:id/deliveries/:delivery/replay': 'a browser that is signed in',
  'GET /dashboard/webhooks/:id/delete': 'a browser that is signed in',
  'POST /dashboard/webhooks/:id/delete': 'a browser that is signed in',
};
const rowsOf = (whom: string): string[] => Object.keys(ROUTES).filter((route) => ROUTES[route] === whom);

describe('access to handlers outside GraphQL', () => {
  let app: TestApp;
  let alice: Person;
  const credentials = new Map<string, CredentialHeaders>();
  beforeAll(async () => {
    app = await createTestApp({
      env: { THROTTLE_AUTHORIZATION_PAGE: '1000/60', THROTTLE_TOKEN_ADDRESS: '1000/60', THROTTLE_TOKEN_CLIENT: '1000/60' },
    });
    const fixture = new Fixture(app);
    alice = await fixture.user();
    const shop = await newOAuthApp(app);
    credentials.set('no credential', {}).set('a session', await fixture.session(alice));
    for (const key of ['read', 'receive', 'write', 'all'] as const) credentials.set(`a key with ${key}`, alice.as(key));
    for (const scope of ['read', 'receive', 'write', 'openid', 'offline', 'read receive write openid offline'])
      credentials.set(`an app with ${scope}`, {
        'oauth2-token': (await shop.connect(alice, { scope }, new BrowserSession(app.url))).access_token,
      });
  });
  afterAll(() => app.close());

  it('has a row for every handler that exists, and for none that does not', () => {
    expect(Object.keys(ROUTES).sort()).toEqual(routesOf(app).sort());
  });

  const call = (route: string, headers: CredentialHeaders): Promise<HttpAnswer> => {
    const [method = '', path = ''] = route.split(' ');
    const url = `${app.url}${path.replace(/:\w+/g, alice.wallets.BTC).replace('*', 'x')}`;
    const form =
      method === 'POST'
        ? { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers } }
        : { headers };
    return request(url, { method, ...form });
  };

  it.each(rowsOf('a browser that is signed in'))('%s refuses keys, apps and scripts', async (route) => {
    for (const [who, credential] of credentials) {
      const { status, headers, text } = await call(route, credential);
      expect([303, 400, 403, 404].map((expected) => [who, expected])).toContainEqual([who, status]);
      if (status === 303) expect(headers.get('location')).toMatch(/^\/login/);
      expect(text).not.toContain(alice.email);
    }
  });

  it.each(rowsOf('a client'))('%s does not accept a person’s credential as a client’s', async (route) => {
    for (const credential of credentials.values()) expect((await call(route, credential)).status).toBe(401);
  });

  it.each(rowsOf('a bearer'))('%s accepts an app’s access token as a bearer, with any scope, and nothing else', async (route) => {
    for (const [who, credential] of credentials) {
      expect((await call(route, credential)).status).toBe(401); // in its own header, a token opens the API only
      const secret = Object.values(credential)[0]?.replace('Bearer ', '');
      if (secret === undefined) continue;
      const { status, body } = await call(route, { authorization: `Bearer ${secret}` });
      expect([who, status]).toEqual([who, who.startsWith('an app') ? 200 : 401]);
      if (status === 200) expect(body).toEqual({ sub: alice.userId });
    }
  });

  it.each(['openid', 'offline'])('a token with %s alone can neither read, create nor send', async (scope) => {
    const credential = credentials.get(`an app with ${scope}`) ?? {};
    const wallet = alice.wallets.BTC;
    const codeOf = async (document: string): Promise<unknown> =>
      (await graphql(app.url, document, {}, credential)).errors?.[0]?.extensions?.['code'];
    expect(await codeOf('{ me { id } }')).toBe('INSUFFICIENT_SCOPE');
    expect(await codeOf(`mutation { lnInvoiceCreate(input: { walletId: "${wallet}", amount: 1 }) { invoice { paymentHash } } }`)).toBe(
      'INSUFFICIENT_SCOPE',
    );
    expect(
      await codeOf(
        `mutation { intraLedgerPaymentSend(input: { walletId: "${wallet}", recipientWalletId: "${wallet}", amount: 1 }) { status } }`,
      ),
    ).toBe('INSUFFICIENT_SCOPE');
    expect(await codeOf('mutation { apiKeyCreate(input: { name: "x" }) { apiKeySecret } }')).toBe('NOT_AUTHORIZED');
    expect((await graphql(app.url, '{ authorization { scopes } }', {}, credential)).data).toEqual({ authorization: { scopes: [] } });
    const raw = await RawSocket.admitted(app.url, credential);
    raw.subscribe('1', 'subscription { myUpdates { errors { message } } }');
    expect(JSON.stringify(await raw.next())).toContain('INSUFFICIENT_SCOPE');
    await raw.leave();
  });

  it('A-44: there are no paths for the operator, and an operator’s keys gain nothing', async () => {
    for (const path of ['/operator', '/operator/apps', '/admin', '/admin/clients', '/clients'])
      for (const credential of credentials.values())
        expect([401, 403, 404]).toContain((await request(`${app.url}${path}`, { headers: credential })).status);
  });

  it('a signed-in browser gets the pages, so the refusals above have the right cause', async () => {
    const browser = new BrowserSession(app.url);
    await browser.submit(await browser.get('/login'), { email: alice.email, password: PASSWORD });
    expect((await browser.get('/dashboard/keys')).text).toContain(alice.email);
  });
});
