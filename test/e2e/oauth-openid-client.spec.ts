import * as oidc from 'openid-client';
import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;

beforeAll(async () => {
  server = await createTestApp();
  alice = await new Fixture(server).user();
  shop = await newOAuthApp(server, { requirePkce: true });
});
afterAll(() => server.close());

/** openid-client 6, configured as its README says. */
const configured = (auth?: oidc.ClientAuth): Promise<oidc.Configuration> =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so as to stand out; plain http is for tests
  oidc.discovery(new URL(server.url), shop.client.id, shop.secret, auth, { execute: [oidc.allowInsecureRequests] });

async function callback(config: oidc.Configuration): Promise<{ url: URL; checks: oidc.AuthorizationCodeGrantChecks }> {
  const [pkceCodeVerifier, expectedState, expectedNonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: shop.redirectUri,
    scope: 'openid read write offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  });
  const browser = new BrowserSession(server.url);
  const back = await shop.allow(alice, await browser.get(url.href), browser);
  return { url: new URL(back), checks: { pkceCodeVerifier, expectedState, expectedNonce } };
}

it.each([
  ['client_secret_post, its default', undefined],
  ['client_secret_basic', (): oidc.ClientAuth => oidc.ClientSecretBasic(shop.secret)],
] as const)('openid-client completes the flow: %s', async (_what, auth) => {
  const config = await configured(auth?.());
  const { url, checks } = await callback(config);
  const tokens = await oidc.authorizationCodeGrant(config, url, checks);
  expect(tokens.claims()?.sub).toBe(alice.userId);
  expect(await oidc.fetchUserInfo(config, tokens.access_token, alice.userId)).toEqual({ sub: alice.userId });
  const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.claims()?.sub).toBe(alice.userId);
  await oidc.tokenRevocation(config, refreshed.refresh_token ?? '');
  await expect(oidc.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
});

it('A-15: openid-client refuses a response with another issuer', async () => {
  const config = await configured();
  const { url, checks } = await callback(config);
  url.searchParams.set('iss', 'https://evil.example');
  await expect(oidc.authorizationCodeGrant(config, url, checks)).rejects.toMatchObject({
    cause: expect.objectContaining({ message: expect.stringContaining('"iss"') }),
  });
});
