import { createTestApp, type TestApp } from '../support/app.js';
import { request } from '../support/http.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;
let token: string;

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server);
  token = (await shop.connect(alice, { scope: 'read' })).access_token;
});
afterAll(() => server.close());

const userinfo = (init: RequestInit = {}, query = ''): ReturnType<typeof request> => request(`${server.url}/userinfo${query}`, init);

describe('/userinfo', () => {
  it.each([
    ['GET with a header', { headers: { authorization: 'Bearer $' } }],
    ['POST with a header', { method: 'POST', headers: { authorization: 'bearer  $' } }],
    ['POST with a form', { method: 'POST', body: new URLSearchParams({ access_token: '$' }) }],
  ] as readonly (readonly [string, RequestInit])[])('returns sub, without openid too: %s', async (_what, init) => {
    const filled = JSON.parse(JSON.stringify(init.headers ?? {}).replace('$', token)) as Record<string, string>;
    const body = init.body ? new URLSearchParams({ access_token: token }) : undefined;
    const answer = await userinfo({ ...init, headers: filled, ...(body && { body }) });
    expect([answer.status, answer.body]).toEqual([200, { sub: alice.userId }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('answers 401 without an error code when there is no token', async () => {
    const answer = await userinfo();
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, `Bearer realm="${server.url}"`]);
  });

  it('refuses texts that are no access token', async () => {
    const tokens = await shop.connect(alice, { scope: 'read offline openid' });
    for (const wrong of ['x', `${token}x`, tokens.refresh_token, tokens.id_token, alice.keys.all, 'a b', '']) {
      const answer = await userinfo({ headers: { authorization: `Bearer ${wrong}` } });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, `Bearer realm="${server.url}", error="invalid_token"`]);
    }
    expect((await userinfo({ headers: { authorization: `Basic ${token}` } })).status).toBe(401);
  });

  it('accepts one token, and none in the address', async () => {
    expect((await userinfo({}, `?access_token=${token}`)).status).toBe(400);
    expect((await userinfo({ headers: { authorization: `Bearer ${token}` } }, `?access_token=${token}`)).status).toBe(400);
    const twice = await userinfo({
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ access_token: token }),
    });
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request']);
  });

  it('ignores the Oauth2-Token header of the wallet API', async () => {
    expect((await userinfo({ headers: { 'oauth2-token': token } })).status).toBe(401);
  });
});
