import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { request } from '../support/http.js';
import { newOAuthApp, type OAuthApp, type Tokens } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { RawSocket } from '../support/raw-socket.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
let shop: OAuthApp;

beforeAll(async () => {
  server = await createTestApp();
  fixture = new Fixture(server);
  [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
  shop = await newOAuthApp(server);
});
afterAll(() => server.close());
afterEach(() => fixture.expectBalanced());

const READ = '{ me { defaultAccount { wallets { balance } } } }';
const RECEIVE = 'mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash } } }';
const WRITE = 'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }';

/** Which of reading, receiving and sending a token permits. */
async function powers(accessToken: string): Promise<string[]> {
  const as = { 'oauth2-token': accessToken };
  const { paymentRequest } = await bob.invoice(1);
  const done: string[] = [];
  if ((await graphql(server.url, READ, {}, as)).data?.me?.defaultAccount) done.push('read');
  if ((await graphql(server.url, RECEIVE, { input: { walletId: alice.wallets.BTC, amount: 1 } }, as)).data?.lnInvoiceCreate?.invoice)
    done.push('receive');
  if (
    (await graphql(server.url, WRITE, { input: { walletId: alice.wallets.BTC, paymentRequest } }, as)).data?.lnInvoicePaymentSend
      ?.status === 'SUCCESS'
  )
    done.push('write');
  return done;
}

describe('A-30: empty, foreign and lost scopes', () => {
  it.each([
    ['read', ['read']],
    ['receive', ['receive']],
    ['write', ['receive', 'write']],
    ['offline', []],
    ['openid', []],
    ['openid offline', []],
  ])('a token for %j is permitted %j', async (scope, can) => {
    const { access_token: token } = await shop.connect(alice, { scope }, new BrowserSession(server.url));
    expect(await powers(token)).toEqual(can);
  });

  it('a scope that was not requested cannot be granted on the consent page', async () => {
    const browser = new BrowserSession(server.url);
    const page = await shop.consentPage(alice, await browser.get(shop.authorizeUrl({ scope: 'read receive', prompt: 'consent' })), browser);
    const { location } = await browser.submit(page, { decision: 'allow', scope: ['read', 'write', 'admin', '__proto__'] });
    const tokens = (await shop.exchange(new URL(location).searchParams.get('code') ?? '')).body as Tokens;
    expect(tokens.scope).toBe('read');
    expect(await powers(tokens.access_token)).toEqual(['read']);
  });

  it('a consent to only scopes that were not requested grants nothing', async () => {
    const browser = new BrowserSession(server.url);
    const page = await shop.consentPage(alice, await browser.get(shop.authorizeUrl({ scope: 'read receive', prompt: 'consent' })), browser);
    const answer = await browser.submit(page, { decision: 'allow', scope: ['write', 'keys'] });
    expect([answer.status, answer.location]).toEqual([422, '']);
    expect(answer.text).toContain('Choose at least one permission');
  });

  it('scopes that a client has lost are removed from its tokens, old and new', async () => {
    const app = await newOAuthApp(server);
    const tokens = await app.connect(alice, { scope: 'read write offline' }, new BrowserSession(server.url));
    await server.pool.query(`UPDATE oauth_client SET scopes = '{offline}' WHERE id = $1`, [app.client.id]);
    const refreshed = (await app.refresh(tokens.refresh_token ?? '')).body as Tokens;
    expect(await powers(refreshed.access_token)).toEqual([]);
    expect(await powers(tokens.access_token)).toEqual([]);
  });

  it('the database refuses an empty grant', async () => {
    await expect(server.pool.query(`UPDATE oauth_grant SET scopes = '{}' WHERE id = (SELECT id FROM oauth_grant LIMIT 1)`)).rejects.toThrow(
      /oauth_grant_scopes_some/,
    );
  });
});

describe('A-32: one kind of secret sent as another', () => {
  const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (
      await request(`${server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"query":"{ __typename }"}',
      })
    ).status;

  it('only an access token is accepted as Oauth2-Token, or as Bearer', async () => {
    const code = await shop.code(alice, { scope: 'openid read offline' }, new BrowserSession(server.url));
    const browser = new BrowserSession(server.url);
    const tokens = (await shop.connect(alice, { scope: 'openid read offline' }, browser)) as Required<Tokens>;
    const session = browser.cookies.get('sluice') ?? '';
    expect(await status({ 'oauth2-token': tokens.access_token })).toBe(200);
    expect(await status({ authorization: `Bearer ${tokens.access_token}` })).toBe(200);
    for (const wrong of [tokens.refresh_token, tokens.id_token, code, shop.secret, alice.keys.all, session, `${tokens.access_token}x`]) {
      expect(await status({ 'oauth2-token': wrong })).toBe(401);
      expect(await status({ authorization: `Bearer ${wrong}` })).toBe(401);
    }
    expect(await status({ 'x-api-key': tokens.access_token })).toBe(401);
    for (const scheme of ['', 'Token ', 'Basic ', 'Bearer Bearer ', 'Bearer, '])
      expect(await status({ authorization: `${scheme}${tokens.access_token}` })).toBe(401);
    // One token by two ways is two credentials (RFC 6750 section 2).
    expect(await status({ 'oauth2-token': tokens.access_token, authorization: `Bearer ${tokens.access_token}` })).toBe(400);
  });

  it('a socket takes the same ones', async () => {
    const init = async (payload: CredentialHeaders): Promise<RawSocket> => {
      const raw = await RawSocket.open(server.url);
      raw.send({ type: 'connection_init', payload });
      return raw;
    };
    const { access_token: token, refresh_token: wrong } = await shop.connect(
      alice,
      { scope: 'read offline' },
      new BrowserSession(server.url),
    );
    const raw = await init({ Authorization: `Bearer ${token}` });
    expect(await raw.next()).toEqual({ type: 'connection_ack' });
    raw.subscribe('1', 'subscription { myUpdates { errors { message } } }');
    raw.send({ type: 'ping' });
    expect((await raw.next()).type).toBe('pong');
    await raw.leave();
    expect((await (await init({ Authorization: `Bearer ${wrong}` })).closed).code).toBe(4401);
    expect((await (await init({ Authorization: `Bearer ${token}`, 'Oauth2-Token': token })).closed).code).toBe(4400);
  });

  it('only a refresh token can be refreshed, only a code redeemed', async () => {
    const tokens = (await shop.connect(alice, { scope: 'openid read offline' }, new BrowserSession(server.url))) as Required<Tokens>;
    for (const wrong of [tokens.access_token, tokens.id_token, shop.secret]) {
      expect((await shop.refresh(wrong)).body.error).toBe('invalid_grant');
      expect((await shop.exchange(wrong)).body.error).toBe('invalid_grant');
    }
    expect((await shop.exchange(tokens.refresh_token)).body.error).toBe('invalid_grant');
  });
});
