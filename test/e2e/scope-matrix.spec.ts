import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { request, type HttpAnswer } from '../support/http.js';
import { RawSocket } from '../support/raw-socket.js';
import { BrowserSession } from '../support/browser-session.js';
import { routesOf } from '../support/routes.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The permitted callers of each route: lines of a method, or two, and paths. A handler without a place here fails. */
const ROUTES = {
  // That of metrics is so in a demo; test/e2e/metrics.spec.ts tests who may read it in production.
  public: `
    GET / /forgot-password /undo-email-change /assets/:name /demo/mail /docs /docs/* /favicon.ico /metrics /login /login/code /login/company /login/company/callback /register /reset-password
    GET /.well-known/openid-configuration /.well-known/oauth-authorization-server /.well-known/jwks.json
    GET /.well-known/oauth-protected-resource /.well-known/oauth-protected-resource/graphql
    GET /.well-known/lnurlp/:username /.well-known/lnurlp/:username/callback /.well-known/lnurlp/:username/verify/:hash
    GET+POST /oauth2/auth /oauth2/sessions/logout`,
  'a password': 'POST /login /login/code /forgot-password /undo-email-change /register /reset-password /auth/login',
  'a client': 'POST /oauth2/par /oauth2/token /oauth2/revoke /oauth2/introspect',
  // test/e2e/oauth-revocation.spec.ts tests what it does.
  'a finder of a secret': 'POST /oauth2/report-leak',
  'a bearer': 'GET+POST /userinfo',
  // test/e2e/identity-removal.spec.ts tests what its token must be.
  'an identity provider': 'POST /login/company/logout',
  // test/e2e/console.spec.ts tests who they are.
  'an operator': 'GET /operator /operator/done /operator/:page /operator/act/:act\nPOST /operator/act/:act',
  'a browser that is signed in': `
    GET+POST /consent /logout /dashboard/confirm /dashboard/security/password /dashboard/security/email /dashboard/security/email/confirm
    GET /dashboard /dashboard/events /dashboard/account /dashboard/history /dashboard/history/csv /dashboard/history/:id
    POST /dashboard/history/:id/approve /dashboard/history/:id/deny
    GET+POST /dashboard/account/delete
    GET /dashboard/account/export
    POST /dashboard/account/currency /dashboard/account/username /dashboard/account/language /dashboard/account/wallet
    GET+POST /dashboard/activity
    GET+POST /dashboard/security/pause
    GET+POST /dashboard/receive /dashboard/send /dashboard/send/review /dashboard/convert /dashboard/convert/review
    GET /dashboard/receive/invoices /dashboard/receive/:hash
    POST /dashboard/receive/:hash/cancel /dashboard/receive/:hash/address
    GET /dashboard/security
    GET+POST /dashboard/security/totp /dashboard/security/totp/remove /dashboard/security/codes /dashboard/security/sessions /dashboard/security/passkeys /dashboard/security/passkeys/:id/remove
    POST /dashboard/security/sessions/:id/end
    GET+POST /dashboard/keys /dashboard/keys/:id/limits /dashboard/keys/:id/revoke
    GET /dashboard/keys/new /dashboard/keys/:id /dashboard/keys/:id/created
    POST /dashboard/keys/:id/roll /dashboard/keys/:id/ask /dashboard/apps/:id/ask
    GET+POST /dashboard/apps/:id/limits /dashboard/apps/:id/disconnect
    GET /dashboard/apps /dashboard/apps/:id
    GET+POST /dashboard/developer /dashboard/developer/:id /dashboard/developer/:id/secrets/:secret/end
    GET /dashboard/developer/new /dashboard/developer/:id/edit /dashboard/developer/:id/credentials
    POST /dashboard/developer/:id/submit /dashboard/developer/:id/test /dashboard/developer/:id/secrets
    GET+POST /dashboard/webhooks /dashboard/webhooks/:id/delete
    GET /dashboard/webhooks/new /dashboard/webhooks/:id /dashboard/webhooks/:id/secret
    POST /dashboard/webhooks/:id/rotate /dashboard/webhooks/:id/enable /dashboard/webhooks/:id/test /dashboard/webhooks/:id/deliveries/:delivery/replay`,
} as const;
const rowsOf = (whom: keyof typeof ROUTES): string[] =>
  ROUTES[whom]
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [methods = '', ...paths] = line.trim().split(' ');
      return methods.split('+').flatMap((method) => paths.map((path) => `${method} ${path}`));
    });

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
    expect((Object.keys(ROUTES) as (keyof typeof ROUTES)[]).flatMap(rowsOf).sort()).toEqual(routesOf(app).sort());
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
