import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as client from 'openid-client';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { post } from '../support/http.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { itWithGo, itWithPython, runGoClient, runPythonClient } from '../support/other-clients.js';
import { PROJECT, run } from '../support/server-process.js';
import { Updates } from '../support/updates.js';
import { WalletClient } from '../support/wallet-client.js';

const CALLBACK = 'http://localhost:5555/callback';
const SCOPE = 'openid read offline';
const EVERYTHING = 'openid offline read receive write';

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
let confidential: OAuthApp;
let publicClient: OAuthApp;

beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ sats: 50_000 }), await fixture.user({ sats: 50_000 })];
});
afterAll(async () => {
  await fixture.expectBalanced();
  await app.close();
});

const accountOf = ({ email }: Person): { email: string; password: string } => ({ email, password: PASSWORD });
/** A person's wallet with an access token for everything. */
const walletWith = ({ wallets }: Person, token: string): WalletClient =>
  new WalletClient(app.url, wallets.BTC, () => ({ 'Oauth2-Token': token }));
const withKeys = (person: Person): WalletClient => new WalletClient(app.url, person.wallets.BTC, (key) => person.as(key));

/**
 * Each signs a person in, exchanges the code, calls the API with the token, refreshes, calls again, revokes, and is then refused; as released
 * and unchanged. Programs on Node share a process, because its start costs more than what each of them does.
 */
describe('OAuth clients of other people, as released', () => {
  let results: Readonly<Record<string, unknown>>;
  let browser: Server;
  let given: object;
  const expected = (): object => ({ username: alice.username, refreshed: alice.username, isRotated: true, revoked: 401 });

  beforeAll(async () => {
    const port = await freePort();
    const own = ['/api/auth/callback/sluice', '/auth/callback/sluice'].map((path) => `http://localhost:${port}${path}`);
    confidential = await newOAuthApp(app, { redirectUris: [CALLBACK, ...own] });
    publicClient = await newOAuthApp(app, { redirectUris: [CALLBACK], confidential: false });
    browser = createServer(
      (request, response) =>
        void new BrowserSession(app.url)
          .allow(new URL(request.url ?? '', app.url).searchParams.get('url') ?? '', accountOf(alice), ['read', 'offline'])
          .then(({ href }) => response.end(href))
          .catch((error: unknown) => response.writeHead(500).end(String(error))),
    );
    await new Promise<void>((listening) => browser.listen(0, listening));
    given = {
      issuer: app.url,
      browser: `http://localhost:${(browser.address() as AddressInfo).port}`,
      scope: SCOPE,
      port,
      callback: CALLBACK,
      confidential: { id: confidential.client.id, secret: confidential.secret },
      publicClient: { id: publicClient.client.id },
    };
    // Two of them use what Node deprecates.
    const args = ['--no-deprecation', join(PROJECT, 'test/client/oauth/main.mjs'), JSON.stringify(given)];
    const { stdout, stderr } = await run(process.execPath, args, {});
    expect(stderr).toBe('');
    results = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  });
  afterAll(() => browser?.close());

  it.each([
    ['openid-client 5'],
    ['oauth4webapi with DPoP'],
    ['next-auth 4'],
    ['Auth.js 5'],
    ['passport-oauth2'],
    ['passport-openidconnect'],
    ['simple-oauth2'],
    ['oidc-client-ts'],
    ['arctic'],
  ])('%s', (name) => expect(results[name]).toEqual(expected()));

  itWithPython('authlib')('Authlib', async () => expect(await runPythonClient('authlib', given)).toEqual(expected()));
  itWithGo('golang.org/x/oauth2', async () => expect(await runGoClient(given)).toEqual(expected()));
});

/** By default next-auth 4 checks `state` only, sends no PKCE, and calls userinfo with a token that lacks the scope `openid`. */
it('userinfo distinguishes people by sub, without the scope openid', async () => {
  const subjects = await Promise.all(
    [alice, alice, bob].map(async (person) => {
      const { access_token: token } = await confidential.connect(person, { scope: 'read' });
      return ((await confidential.userinfo(token)).body as { sub: string }).sub;
    }),
  );
  expect(subjects[0]).toBe(subjects[1]);
  expect(new Set(subjects).size).toBe(2);
});

describe('an app with openid-client 6', () => {
  let config: client.Configuration;

  beforeAll(async () => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out: plain http is for loopback alone
    const options = { execute: [client.allowInsecureRequests] };
    config = await client.discovery(new URL(app.url), confidential.client.id, confidential.secret, undefined, options);
  });

  /** Sends a person through the real pages and exchanges what comes back. */
  async function connect(
    person: Person,
    scope: string,
    ticked = scope.split(' '),
  ): Promise<Awaited<ReturnType<typeof client.authorizationCodeGrant>>> {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    });
    const back = await new BrowserSession(app.url).allow(url.href, accountOf(person), ticked);
    expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
    return client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
  }

  it('gets an access token, a valid ID token and the profile', async () => {
    const tokens = await connect(alice, EVERYTHING);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: expect.stringMatching(/write/), refresh_token: expect.any(String) });
    const subject = tokens.claims()?.sub ?? '';
    expect(tokens.claims()).toMatchObject({ iss: app.url, aud: confidential.client.id });
    expect(await client.fetchUserInfo(config, tokens.access_token, subject)).toMatchObject({ sub: subject });
  });

  it('creates an invoice, pays and subscribes with its token', async () => {
    const { access_token: token } = await connect(alice, EVERYTHING);
    const wallet = walletWith(alice, token);
    const updates = await Updates.open(wallet, { 'Oauth2-Token': token }, withKeys(bob));
    const before = await wallet.sats();

    const { paymentRequest, paymentHash } = await wallet.invoice(4_200);
    expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await updates.about(paymentHash)).toMatchObject({
      __typename: 'LnUpdate',
      transaction: { direction: 'RECEIVE', settlementAmount: 4_200, initiationVia: { paymentHash } },
    });
    expect(await wallet.sats()).toBe(before + 4_200);

    const outside = await wallet.pay((await fixture.outside(100)).paymentRequest);
    expect(outside).toMatchObject({ status: 'SUCCESS', transaction: { direction: 'SEND' } });
    expect(await wallet.sats()).toBe(before + 4_200 + outside.transaction.settlementAmount);
    updates.close();
  });

  it('is refused what the person did not grant', async () => {
    const { access_token: token, scope } = await connect(bob, 'read write', ['read']);
    expect(scope).toBe('read');
    const wallet = walletWith(bob, token);
    expect(await wallet.sats()).toBeGreaterThan(0);
    await expect(wallet.pay((await alice.invoice(10)).paymentRequest)).rejects.toThrow(/INSUFFICIENT_SCOPE/);
  });

  it('gets access_denied when the person denies access', async () => {
    const expectedState = client.randomState();
    const url = client.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'receive', state: expectedState });
    const browser = new BrowserSession(app.url);
    const asked = await browser.signInOnTheWay(await browser.get(url.href), accountOf(bob));
    const { location } = await browser.submit(asked, { decision: 'deny' });
    await expect(client.authorizationCodeGrant(config, new URL(location), { expectedState })).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('refreshes, and revokes the grant: tokens and open sockets end at once', async () => {
    const first = await connect(alice, EVERYTHING);
    const { access_token: token, refresh_token: refreshToken = '' } = await client.refreshTokenGrant(config, first.refresh_token ?? '');
    expect(refreshToken).not.toBe(first.refresh_token);
    const updates = await Updates.open(walletWith(alice, token), { 'Oauth2-Token': token }, withKeys(bob));
    await client.tokenRevocation(config, refreshToken);
    expect(await updates.closedWith()).toBe(4401);
    const { status, body } = await post(`${app.url}/graphql`, { query: '{ __typename }' }, { 'Oauth2-Token': token });
    expect([status, body.error]).toEqual([401, { code: 401, status: 'Unauthorized', message: 'Access credentials are invalid' }]);
    await expect(client.refreshTokenGrant(config, refreshToken)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});
