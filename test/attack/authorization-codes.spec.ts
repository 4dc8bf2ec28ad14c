import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql } from '../support/graphql.js';
import type { HttpAnswer } from '../support/http.js';
import { newOAuthApp, newPkce, type OAuthApp } from '../support/oauth-app.js';
import { BrowserSession } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';

let server: TestApp;
let alice: Person;
let shop: OAuthApp;
let careful: OAuthApp;
let browser: BrowserSession;

beforeAll(async () => {
  server = await createTestApp({ env: { THROTTLE_AUTHORIZATION_PAGE: '10000/60' } });
  alice = await new Fixture(server).user();
  [shop, careful] = [await newOAuthApp(server), await newOAuthApp(server, { requirePkce: true })];
  browser = new BrowserSession(server.url);
  await shop.code(alice, {}, browser);
});
afterAll(() => server.close());

const works = async (accessToken: string): Promise<boolean> =>
  (await graphql(server.url, '{ me { id } }', {}, { 'oauth2-token': accessToken })).data != null;
const refused = (answer: HttpAnswer): readonly [number, string] => [answer.status, answer.body.error];
const REFUSED = [400, 'invalid_grant'];

describe('A-09 to A-15: authorization codes', () => {
  it('A-09: a code injected into another client is refused there, and stays valid for its own', async () => {
    const thief = await newOAuthApp(server);
    const code = await shop.code(alice, {}, browser);
    expect(refused(await thief.exchange(code))).toEqual(REFUSED);
    const tokens = await shop.exchange(code);
    expect(tokens.status).toBe(200);
    // After the code's use, another client's attempt must not end anything either.
    expect(refused(await thief.exchange(code))).toEqual(REFUSED);
    expect(await works(tokens.body.access_token)).toBe(true);
  });

  it('A-10: a replayed code revokes every token that was issued for it', async () => {
    const code = await shop.code(alice, { scope: 'read offline', prompt: 'consent' }, browser);
    const { body } = await shop.exchange(code);
    expect(await works(body.access_token)).toBe(true);
    const next = (await shop.refresh(body.refresh_token)).body;
    expect(refused(await shop.exchange(code))).toEqual(REFUSED);
    await eventually(async () => !(await works(body.access_token)) && !(await works(next.access_token)));
    for (const token of [body.refresh_token, next.refresh_token]) expect(refused(await shop.refresh(token))).toEqual(REFUSED);
    expect((await shop.userinfo(next.access_token)).status).toBe(401);
  });

  it('A-11: at most one of fifty simultaneous redemptions on two processes gets tokens, and those are revoked', async () => {
    const beside = await createTestApp({ beside: server });
    try {
      const code = await shop.code(alice, {}, browser);
      const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: shop.redirectUri });
      const init = { method: 'POST', headers: { authorization: shop.basic }, body };
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => fetch(`${index % 2 ? beside.url : server.url}/oauth2/token`, init)),
      );
      const right = answers.filter(({ status }) => status === 200);
      expect(right.length).toBeLessThanOrEqual(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(50 - right.length);
      for (const answer of right) {
        const { access_token: token } = (await answer.json()) as { access_token: string };
        await eventually(async () => !(await works(token)));
      }
      const { rows } = await server.pool.query(
        `SELECT count(*)::int AS n FROM oauth_access_token t JOIN oauth_grant g ON g.id = t.grant_id JOIN oauth_code k ON k.grant_id = g.id
        WHERE g.revoked_at IS NULL AND k.used_at > now() - interval '10 seconds' AND g.created_at > now() - interval '10 seconds' AND k.hash = sha256($1::bytea)`,
        [Buffer.from(code)],
      );
      expect(rows).toEqual([{ n: 0 }]);
    } finally {
      await beside.close();
    }
  });

  it('A-12: PKCE can be neither removed nor added', async () => {
    const bound = await careful.code(alice, {}, browser);
    const without = await careful.exchange(bound, { code_verifier: undefined });
    expect(refused(without)).toEqual(REFUSED);
    expect(without.body.error_description).toContain('code_verifier is missing');
    // A request without a verifier guesses nothing: the code stays valid, so that the client can correct its mistake.
    expect((await careful.exchange(bound)).status).toBe(200);
    const free = await shop.code(alice, {}, browser);
    expect(refused(await shop.exchange(free, { code_verifier: newPkce().verifier }))).toEqual(REFUSED);
    // A client that need not use PKCE but sends a challenge must send the verifier too.
    const optional = await shop.code(alice, { code_challenge: newPkce().challenge, code_challenge_method: 'S256' }, browser);
    expect(refused(await shop.exchange(optional))).toEqual(REFUSED);
  });

  it.each(['plain', undefined, 's256', 'S256 ', ' S256', 'S512', 'none'])('A-13: the method %j is refused', async (method) => {
    const { location } = await browser.get(careful.authorizeUrl({ code_challenge: 'a'.repeat(43), code_challenge_method: method }));
    expect(new URL(location).searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    ['42 characters', 'a'.repeat(42)],
    ['129 characters', 'a'.repeat(129)],
    ['characters it may not have', `${'a'.repeat(42)}!`],
    ['another', newPkce().verifier],
    ['the challenge itself', undefined],
  ])('A-14: a wrong verifier (%s) is refused and invalidates the code', async (_what, verifier) => {
    const code = await careful.code(alice, {}, browser);
    expect(refused(await careful.exchange(code, { code_verifier: verifier ?? careful.pkce.challenge }))).toEqual(REFUSED);
    expect(refused(await careful.exchange(code))).toEqual(REFUSED);
  });

  it('A-15: every response has iss, byte for byte as in discovery', async () => {
    const discovery = (await (await fetch(`${server.url}/.well-known/openid-configuration`)).json()) as { issuer: string };
    for (const more of [{}, { scope: 'nothing' }, { prompt: 'none', scope: 'write' }]) {
      const { location } = await browser.get(shop.authorizeUrl(more));
      expect(new URL(location).searchParams.getAll('iss')).toEqual([discovery.issuer]);
    }
  });
});
