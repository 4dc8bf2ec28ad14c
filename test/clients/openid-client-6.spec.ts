import * as client from 'openid-client';
import { demoPerson, personIn, withCredential } from '../support/demo-person.js';
import { graphql } from '../support/graphql.js';
import { request } from '../support/http.js';
import { ServerProcess } from '../support/server-process.js';
import { Updates } from '../support/updates.js';
import { BrowserSession } from '../support/browser-session.js';

const CALLBACK = 'http://localhost:5555/callback';
const EVERYTHING = 'openid offline read receive write';

describe('an app with openid-client 6', () => {
  let server: ServerProcess;
  let config: client.Configuration;

  beforeAll(async () => {
    server = await ServerProcess.start();
    const { clientId, clientSecret } = server.demo.oauthClient;
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out: plain http is for loopback alone
    const options = { execute: [client.allowInsecureRequests] };
    config = await client.discovery(new URL(server.url), clientId, clientSecret, undefined, options);
  });
  afterAll(() => server?.close());

  /** Sends a person through the real pages and exchanges what comes back. */
  async function connect(
    name: 'alice' | 'bob',
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
    const back = await new BrowserSession(server.url).allow(url.href, personIn(server, name), ticked);
    expect(back.href.startsWith(`${CALLBACK}?`)).toBe(true);
    return client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
  }

  it('discovers every endpoint from the issuer', () => {
    expect(config.serverMetadata()).toMatchObject({
      issuer: server.url,
      authorization_endpoint: `${server.url}/oauth2/auth`,
      token_endpoint: `${server.url}/oauth2/token`,
      userinfo_endpoint: `${server.url}/userinfo`,
      revocation_endpoint: `${server.url}/oauth2/revoke`,
      jwks_uri: `${server.url}/.well-known/jwks.json`,
    });
  });

  it('gets an access token, a valid ID token and the profile', async () => {
    const tokens = await connect('alice', EVERYTHING);
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: expect.stringMatching(/write/), refresh_token: expect.any(String) });
    const subject = tokens.claims()?.sub ?? '';
    expect(tokens.claims()).toMatchObject({ iss: server.url, aud: server.demo.oauthClient.clientId });
    expect(await client.fetchUserInfo(config, tokens.access_token, subject)).toMatchObject({ sub: subject });
  });

  it('creates an invoice, pays and subscribes with its token', async () => {
    const bob = demoPerson(server, 'bob');
    const { access_token } = await connect('alice', EVERYTHING);
    const credential = { 'Oauth2-Token': access_token };
    const alice = withCredential(demoPerson(server, 'alice'), credential);
    const updates = await Updates.open(alice, credential, bob);
    const before = await alice.sats();

    const { paymentRequest, paymentHash } = await alice.invoice(4_200);
    expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await updates.about(paymentHash)).toMatchObject({
      __typename: 'LnUpdate',
      transaction: { direction: 'RECEIVE', settlementAmount: 4_200, initiationVia: { paymentHash } },
    });
    expect(await alice.sats()).toBe(before + 4_200);

    const outside = await alice.pay(await server.sluice('simulator', 'invoice', '--sats', '100'));
    expect(outside).toMatchObject({ status: 'SUCCESS', transaction: { direction: 'SEND' } });
    expect(await alice.sats()).toBe(before + 4_200 + outside.transaction.settlementAmount);
    updates.close();
    expect(await server.sluice('audit')).toMatch(/^Ledger OK /);
  });

  it('is refused what the person did not grant', async () => {
    const { access_token, scope } = await connect('bob', 'read write', ['read']);
    expect(scope).toBe('read');
    const bob = withCredential(demoPerson(server, 'bob'), { 'Oauth2-Token': access_token });
    expect(await bob.sats()).toBeGreaterThan(0);
    const { paymentRequest } = await demoPerson(server, 'alice').invoice(10);
    await expect(bob.pay(paymentRequest)).rejects.toThrow(/INSUFFICIENT_SCOPE/);
  });

  it('gets access_denied when the person denies access', async () => {
    const expectedState = client.randomState();
    const url = client.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'read', state: expectedState });
    const browser = new BrowserSession(server.url);
    const asked = await browser.signInOnTheWay(await browser.get(url.href), personIn(server, 'bob'));
    const { location } = await browser.submit(asked, { decision: 'deny' });
    await expect(client.authorizationCodeGrant(config, new URL(location), { expectedState })).rejects.toMatchObject({
      error: 'access_denied',
    });
  });

  it('refreshes, and works with the new tokens', async () => {
    const first = await connect('bob', 'read offline');
    const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
    expect(second.refresh_token).toEqual(expect.any(String));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const bob = withCredential(demoPerson(server, 'bob'), { 'Oauth2-Token': second.access_token });
    expect(await bob.sats()).toBeGreaterThan(0);
  });

  it('revokes the grant: tokens and open sockets end at once', async () => {
    const { access_token, refresh_token } = await connect('alice', EVERYTHING);
    const credential = { 'Oauth2-Token': access_token };
    const updates = await Updates.open(withCredential(demoPerson(server, 'alice'), credential), credential, demoPerson(server, 'bob'));
    await client.tokenRevocation(config, refresh_token ?? '');
    expect(await updates.closedWith()).toBe(4401);
    const { status, body } = await request(`${server.url}/graphql`, {
      method: 'POST',
      headers: { ...credential, 'content-type': 'application/json' },
      body: '{"query":"{ __typename }"}',
    });
    expect([status, body.error]).toEqual([401, { code: 401, status: 'Unauthorized', message: 'Access credentials are invalid' }]);
    await expect(client.refreshTokenGrant(config, refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await graphql(server.url, '{ globals { network } }')).errors).toBeUndefined();
  });
});
