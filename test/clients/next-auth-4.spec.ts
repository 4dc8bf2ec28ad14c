import { createRequire } from 'node:module';
import { join } from 'node:path';
import { demoPerson, personIn, withCredential } from '../support/demo-person.js';
import { post, request } from '../support/http.js';
import { PROJECT, ServerProcess } from '../support/server-process.js';
import { BrowserSession } from '../support/browser-session.js';

/** The part of openid-client 5 that next-auth 4 calls; its types are not installed in this project. */
interface OpenidClient5 {
  readonly Issuer: {
    discover(url: string): Promise<{ readonly Client: new (metadata: Readonly<Record<string, unknown>>) => Client5 }>;
  };
  readonly generators: { state(): string };
}

interface Tokens5 {
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly scope?: string;
}

interface Client5 {
  authorizationUrl(parameters: Readonly<Record<string, string>>): string;
  callbackParams(request: Readonly<Record<string, unknown>>): Record<string, string>;
  oauthCallback(redirectUri: string, parameters: Record<string, string>, checks: { readonly state: string }): Promise<Tokens5>;
  userinfo(tokens: Tokens5): Promise<{ readonly sub: string }>;
}

const { Issuer, generators } = createRequire(join(PROJECT, 'test/client/package.json'))('openid-client') as OpenidClient5;

/**
 * An app on next-auth 4 with `{ type: 'oauth', wellKnown, idToken: false, authorization: { params: { scope: 'read write' } } }`. By default
 * next-auth checks `state` only, sends no PKCE, authenticates by Basic, and calls userinfo with a token that lacks the scope `openid`.
 */
describe('an app with next-auth 4', () => {
  const callbackUrl = 'http://localhost:3000/api/auth/callback/blink';
  let server: ServerProcess;
  let client: Client5;

  beforeAll(async () => {
    server = await ServerProcess.start();
    const { clientId, clientSecret } = server.demo.oauthClient;
    const issuer = await Issuer.discover(`${server.url}/.well-known/openid-configuration`);
    client = new issuer.Client({ client_id: clientId, client_secret: clientSecret, redirect_uris: [callbackUrl] });
  });
  afterAll(() => server?.close());

  async function signIn(name: 'alice' | 'bob', scope = 'read write'): Promise<{ tokens: Tokens5; profile: { readonly sub: string } }> {
    const state = generators.state();
    const back = await new BrowserSession(server.url).allow(
      client.authorizationUrl({ scope, state }),
      personIn(server, name),
      scope.split(' '),
    );
    const parameters = client.callbackParams({ url: `http://n${back.search}`, method: 'GET' });
    const tokens = await client.oauthCallback(callbackUrl, parameters, { state });
    return { tokens, profile: await client.userinfo(tokens) };
  }

  it('signs people in, and identifies them by sub', async () => {
    const [alice, again, bob] = [await signIn('alice'), await signIn('alice'), await signIn('bob')];
    expect(alice.profile.sub).toEqual(expect.stringMatching(/./));
    expect(again.profile.sub).toBe(alice.profile.sub);
    expect(bob.profile.sub).not.toBe(alice.profile.sub);
    expect(alice.tokens.scope?.split(' ').sort()).toEqual(['read', 'write']);
    expect(alice.tokens).not.toHaveProperty('id_token');
    expect(alice.tokens).not.toHaveProperty('refresh_token');
  });

  it('reads the balance and pays for the person who signed in', async () => {
    const { tokens } = await signIn('bob');
    const bob = withCredential(demoPerson(server, 'bob'), { 'Oauth2-Token': tokens.access_token ?? '' });
    const before = await bob.sats();
    const { paymentRequest } = await demoPerson(server, 'alice').invoice(1_234);
    expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS', errors: [] });
    expect(await bob.sats()).toBe(before - 1_234);
    expect(await server.sluice('audit')).toMatch(/^Ledger OK /);
  });

  it('refreshes as its documentation shows: by hand, with client_secret in the body', async () => {
    const { tokens } = await signIn('bob', 'read offline');
    const { clientId, clientSecret } = server.demo.oauthClient;
    const { status, body } = await request(`${server.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token ?? '',
      }),
    });
    expect(status).toBe(200);
    const me = await post(`${server.url}/graphql`, { query: '{ me { username } }' }, { 'Oauth2-Token': body.access_token });
    expect(me.body).toEqual({ data: { me: { username: 'bob' } } });
  });
});
