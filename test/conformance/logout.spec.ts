import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWTVerifyResult,
} from 'jose';
import { AppService, ClientService, SigningKeys, type ClientProfile } from '../../src/access/oauth/index.js';
import { SessionService } from '../../src/access/session/index.js';
import { UserService } from '../../src/access/user/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { request } from '../support/http.js';
import { newOAuthApp, type OAuthApp, type RegisteredApp } from '../support/oauth-app.js';
import { WebhookReceiver, type ReceivedDelivery } from '../support/webhook-receiver.js';

/** Named after the modules of the OpenID Foundation's conformance suite, as far as they have one. */
const ISSUER = 'https://issuer.example.test';
const ENDPOINT = '/oauth2/sessions/logout';
const AFTER = 'https://app.example.test/signed-out';
const WITH_QUERY = `${AFTER}?from=sluice`;
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let server: TestApp;
let beside: TestApp;
let fixture: Fixture;
let shop: OAuthApp;
let receiver: WebhookReceiver;

beforeAll(async () => {
  const env = { THROTTLE_AUTHORIZATION_PAGE: '10000/60', ISSUER_URL: ISSUER };
  server = await createTestApp({ env });
  beside = await createTestApp({ beside: server, env });
  receiver = await WebhookReceiver.start();
  fixture = new Fixture(server);
  shop = await (await newOAuthApp(server)).profile({ postLogoutRedirectUris: [AFTER, WITH_QUERY, 'com.corner.app:/bye'] });
});
beforeEach(() => (receiver.answer = () => 204));
afterAll(async () => {
  receiver.stop();
  await beside.close();
  await server.close();
});

interface SignedIn {
  readonly person: Person;
  readonly browser: BrowserSession;
  readonly idToken: string;
  readonly sid: string;
}

/** A person who has signed in to Sluice, and to these apps by it. */
async function signIn(apps: readonly OAuthApp[] = [shop], person?: Person): Promise<SignedIn> {
  const [somePerson, browser] = [person ?? (await fixture.user()), new BrowserSession(server.url)];
  let idToken = '';
  for (const app of apps) idToken = (await app.connect(somePerson, { scope: 'openid' }, browser)).id_token ?? '';
  return { person: somePerson, browser, idToken, sid: String(decodeJwt(idToken)['sid']) };
}

type Parameters = Readonly<Record<string, string>>;
const end = ({ browser }: Pick<SignedIn, 'browser'>, parameters: Parameters): Promise<Visit> =>
  browser.get(`${ENDPOINT}?${new URLSearchParams(parameters).toString()}`);
const isSignedIn = async ({ browser }: Pick<SignedIn, 'browser'>): Promise<boolean> => (await browser.get('/dashboard')).status === 200;
/** As the suite asks. */
const silently = async ({ browser }: SignedIn): Promise<string | null> =>
  new URL((await browser.get(shop.authorizeUrl({ scope: 'openid', prompt: 'none' }))).location).searchParams.get('error');

/** A page, and nothing has happened. */
async function expectRefused(visit: Visit, who: SignedIn, reason: string): Promise<void> {
  expect([visit.status, visit.headers.get('location')]).toEqual([400, null]);
  expect(visit.text).toContain('data-testid="error-logout"');
  expect(visit.text).toContain(`Its request was invalid: ${reason}.`);
  expect(await isSignedIn(who)).toBe(true);
}

/** The person is asked; the form signs out. */
async function expectAsked(visit: Visit, who: SignedIn): Promise<Visit> {
  expect([visit.status, visit.headers.get('location')]).toEqual([200, null]);
  expect(visit.text).toContain('data-testid="logout"');
  expect(await isSignedIn(who)).toBe(true);
  const left = await who.browser.submit(visit, {});
  expect([left.status, await isSignedIn(who)]).toEqual([303, false]);
  return left;
}

const SIGNED_OUT = /\/login\?signed-out=1$/;

describe('oidcc-rp-initiated-logout-certification-test-plan', () => {
  it('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
    for (const document of ['openid-configuration', 'oauth-authorization-server'])
      expect((await request(`${server.url}/.well-known/${document}`)).body).toMatchObject({
        end_session_endpoint: `${ISSUER}${ENDPOINT}`,
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
      });
  });

  it('oidcc-rp-initiated-logout', async () => {
    const who = await signIn();
    const state = 'x'.repeat(128);
    const visit = await end(who, { id_token_hint: who.idToken, post_logout_redirect_uri: AFTER, state });
    expect([visit.status, visit.headers.get('location')]).toEqual([303, `${AFTER}?state=${state}`]);
    expect(visit.headers.get('access-control-allow-origin')).toBeNull();
    expect([await silently(who), await isSignedIn(who)]).toEqual(['login_required', false]);
  });

  it('oidcc-rp-initiated-logout-no-state', async () => {
    const who = await signIn();
    expect((await end(who, { id_token_hint: who.idToken, post_logout_redirect_uri: AFTER })).headers.get('location')).toBe(AFTER);
    expect(await silently(who)).toBe('login_required');
  });

  it('oidcc-rp-initiated-logout-bad-id-token-hint', async () => {
    const who = await signIn();
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const kid = decodeProtectedHeader(who.idToken).kid ?? '';
    const jwk = await exportJWK(publicKey);
    const header = { alg: 'RS256', kid, typ: 'JWT', jwk };
    const forged = await new SignJWT(decodeJwt(who.idToken)).setProtectedHeader(header).sign(privateKey);
    for (const hint of [forged, 'nonsense', `${who.idToken}x`, 'a.b.c', '\u00e9'])
      await expectRefused(
        await end(who, { id_token_hint: hint, post_logout_redirect_uri: AFTER }),
        who,
        'id_token_hint is not an ID token of this server',
      );
  });

  it('oidcc-rp-initiated-logout-modified-id-token-hint', async () => {
    const who = await signIn();
    const [header = '', payload = '', signature = ''] = who.idToken.split('.');
    const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    const claims = decodeJwt(who.idToken);
    // One that Sluice has signed, for another purpose.
    const logoutToken = await server
      .get(SigningKeys)
      .sign({ aud: shop.client.id, sub: who.person.userId, sid: who.sid }, 'RS256', 'logout+jwt');
    for (const hint of [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'none' })}.${payload}.${signature}`,
      `${header}.${encode({ ...claims, sid: crypto.randomUUID() })}.${signature}`,
      logoutToken,
    ])
      await expectRefused(
        await end(who, { id_token_hint: hint, post_logout_redirect_uri: AFTER }),
        who,
        'id_token_hint is not an ID token of this server',
      );
  });

  it('oidcc-rp-initiated-logout-no-id-token-hint', async () => {
    const who = await signIn();
    await expectRefused(
      await end(who, { post_logout_redirect_uri: AFTER, state: 'a-state' }),
      who,
      'post_logout_redirect_uri needs the app that it is of, as id_token_hint or client_id',
    );
    // With the app alone, the person decides.
    const asked = await end(who, { post_logout_redirect_uri: AFTER, client_id: shop.client.id, state: 'a-state' });
    expect(asked.text).toContain('Corner Coffee');
    expect((await expectAsked(asked, who)).headers.get('location')).toBe(`${AFTER}?state=a-state`);
  });

  it('oidcc-rp-initiated-logout-no-params', async () => {
    const who = await signIn();
    expect((await expectAsked(await end(who, {}), who)).location).toMatch(SIGNED_OUT);
    // Without a session, nothing is left to ask.
    expect((await end(who, {})).location).toMatch(SIGNED_OUT);
    expect((await who.browser.get('/login?signed-out=1')).text).toContain('You are signed out');
  });

  it('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async () => {
    const who = await signIn();
    const visit = await end(who, { id_token_hint: who.idToken, state: 'a-state' });
    expect([visit.status, await isSignedIn(who)]).toEqual([303, false]);
    expect(visit.location).toMatch(SIGNED_OUT);
  });

  it('oidcc-rp-initiated-logout-only-state', async () => {
    const who = await signIn();
    expect((await expectAsked(await end(who, { state: 'a-state' }), who)).location).toMatch(SIGNED_OUT);
  });

  it('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri, -query-added-to-post-logout-redirect-uri', async () => {
    const who = await signIn();
    const others = ['https://evil.example/', `${AFTER}?foo=bar`, `${AFTER}?`, `${AFTER}/`, `${AFTER}#`, `${AFTER} `, `${WITH_QUERY}&a=b`];
    const alike = [
      'https://APP.example.test/signed-out',
      'https://app.example.test:443/signed-out',
      'https://app.example.test/x/../signed-out',
    ];
    const [callback = ''] = shop.client.redirectUris;
    for (const uri of [...others, ...alike, callback, 'javascript:alert(1)', '//evil.example', 'com.corner.app:/bye?x'])
      for (const visit of [
        await end(who, { id_token_hint: who.idToken, post_logout_redirect_uri: uri, state: 'a-state' }),
        await who.browser.post(ENDPOINT, { id_token_hint: who.idToken, post_logout_redirect_uri: uri }),
      ])
        await expectRefused(visit, who, 'post_logout_redirect_uri is not registered for the app');
    const refused = await server.get(ClientService).refusals([shop.client.id]);
    expect(refused).toContainEqual(expect.objectContaining({ operation: ENDPOINT, outcome: 'redirect_uri', registered: AFTER }));
  });
});

describe('the end session endpoint', () => {
  it('accepts an expired hint, and asks where it names another session', async () => {
    const who = await signIn();
    const claims = { ...decodeJwt(who.idToken), iat: 1_700_000_000, exp: 1_700_003_600 };
    const old = await server.get(SigningKeys).sign({ ...claims, sid: crypto.randomUUID() });
    await expectAsked(await end(who, { id_token_hint: old }), who);
    const again = await signIn([shop], who.person);
    const expired = await server.get(SigningKeys).sign({ ...claims, sid: again.sid });
    expect((await end(again, { id_token_hint: expired })).status).toBe(303);
    expect(await isSignedIn(again)).toBe(false);
  });

  it('ends only the session of the browser, whatever the hint names', async () => {
    const [alice, bob] = [await signIn(), await signIn()];
    expect((await expectAsked(await end(bob, { id_token_hint: alice.idToken }), bob)).status).toBe(303);
    expect(await isSignedIn(alice)).toBe(true);
    expect((await end({ browser: new BrowserSession(server.url) }, { id_token_hint: alice.idToken })).status).toBe(303);
    expect(await isSignedIn(alice)).toBe(true);
  });

  it('takes the form of an app, and asks by a page that no other page can answer', async () => {
    const who = await signIn();
    const parameters = { id_token_hint: who.idToken, post_logout_redirect_uri: AFTER, state: 'ä+% &' };
    // The browser keeps the cookie back from a post of another site, and sends it with the redirect.
    const posted = await new BrowserSession(server.url).post(ENDPOINT, parameters, { 'sec-fetch-site': 'cross-site' });
    expect([posted.status, posted.location.startsWith(`${server.url}${ENDPOINT}?`)]).toEqual([303, true]);
    expect((await who.browser.get(posted.location)).headers.get('location')).toBe(`${AFTER}?state=%C3%A4%2B%25%20%26`);
    const other = await signIn();
    const asked = await end(other, { client_id: shop.client.id, post_logout_redirect_uri: AFTER });
    const { csrf = '' } = hiddenFields(asked);
    for (const [fields, site] of [
      [{ csrf }, 'cross-site'],
      [{ csrf }, 'same-site'],
      [{ csrf: '' }, 'same-origin'],
      [{ csrf: hiddenFields(await end(await signIn(), {})).csrf ?? '' }, 'same-origin'],
    ] as const) {
      const answer = await other.browser.post(ENDPOINT, { ...hiddenFields(asked), ...fields }, { 'sec-fetch-site': site });
      expect([answer.status, answer.location.startsWith(`${server.url}${ENDPOINT}?`), await isSignedIn(other)]).toEqual([303, true, true]);
    }
    const policy = asked.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https:");
    expect(asked.headers.get('x-frame-options')).toBe('DENY');
    const native = await end(other, { client_id: shop.client.id, post_logout_redirect_uri: 'com.corner.app:/bye' });
    expect(native.headers.get('content-security-policy')).toContain("form-action 'self' https: com.corner.app:");
  });

  it.each(['ü', 'a+b', '100 %', '%zz', '&state=x', '=', '\u{1f600}', '"><svg onload=alert(1)>', 'x'.repeat(2_048)])(
    'returns the state %j',
    async (state) => {
      const { browser } = await signIn();
      const visit = await end({ browser }, { client_id: shop.client.id, post_logout_redirect_uri: WITH_QUERY, state });
      const location = new URL((await browser.submit(visit, {})).location);
      expect([location.href.startsWith(`${WITH_QUERY}&state=`), location.searchParams.get('state')]).toEqual([true, state]);
      expect(visit.text).not.toContain('<svg');
    },
  );

  it('refuses bad input on a page, exactly', async () => {
    const who = await signIn();
    const hint = `id_token_hint=${who.idToken}`;
    const after = `post_logout_redirect_uri=${encodeURIComponent(AFTER)}`;
    const other = await newOAuthApp(server);
    const suspended = await signIn([await newOAuthApp(server)], who.person);
    await server.get(ClientService).suspend(String(decodeJwt(suspended.idToken)['aud']));
    const unknown = 'the app is unknown or not active on this server';
    const rows: readonly (readonly [query: string, reason: string])[] = [
      [`${hint}&${hint}`, 'id_token_hint must not be repeated'],
      [`${hint}&${after}&${after}`, 'post_logout_redirect_uri must not be repeated'],
      ['state=a&state=a', 'state must not be repeated'],
      [`client_id=${shop.client.id}&client_id=${shop.client.id}`, 'client_id must not be repeated'],
      [`${hint}&client_id=${other.client.id}`, 'client_id is not the app of id_token_hint'],
      ['client_id=unknown', unknown],
      ['client_id=%zz', unknown],
      [`client_id=${'x'.repeat(10_000)}`, unknown],
      [`id_token_hint=${suspended.idToken}`, unknown],
      ['client_id=%00', 'it has the character U+0000'],
      ['state=%00', 'it has the character U+0000'],
      [`state=${'x'.repeat(2_049)}`, 'state must have at most 2048 bytes'],
      ['id_token_hint=%00', 'it has the character U+0000'],
      [`id_token_hint=${'x'.repeat(12_000)}`, 'id_token_hint is not an ID token of this server'],
      ['id_token_hint=%ff%fe', 'id_token_hint is not an ID token of this server'],
    ];
    for (const [query, reason] of rows) {
      await expectRefused(await who.browser.get(`${ENDPOINT}?${query}`), who, reason);
      const posted = await request(`${server.url}${ENDPOINT}`, { method: 'POST', body: new URLSearchParams(query) });
      expect([query, posted.status, posted.text.includes(reason)]).toEqual([query, 400, true]);
    }
    const bodies: readonly (readonly [type: string, body: string, query?: string])[] = [
      ['application/json', JSON.stringify({ id_token_hint: who.idToken })],
      ['text/plain', hint],
      ['multipart/form-data; boundary=x', '--x--'],
      ['application/x-www-form-urlencoded', `state=${'x'.repeat(17_000)}`],
      ['application/x-www-form-urlencoded', 'state=a', '?state=a'],
    ];
    for (const [type, body, query = ''] of bodies) {
      const answer = await request(`${server.url}${ENDPOINT}${query}`, { method: 'POST', headers: { 'content-type': type }, body });
      expect([type, answer.status, answer.headers.get('location')]).toEqual([type, 400, null]);
      expect(answer.text).toContain('data-testid="error-logout"');
    }
    const json = await request(`${server.url}${ENDPOINT}?client_id=unknown`, { headers: { accept: 'application/json' } });
    expect([json.status, json.body.error, json.body.error_description]).toEqual([400, 'invalid_request', expect.stringContaining(unknown)]);
    // Empty is absent, and unknown names count for nothing.
    const rest = 'id_token_hint=&client_id=&post_logout_redirect_uri=&state=&logout_hint=x&ui_locales=de&id_token_hint[]=x&__proto__=x';
    expect((await expectAsked(await who.browser.get(`${ENDPOINT}?${rest}`), who)).location).toMatch(SIGNED_OUT);
    expect((await request(`${server.url}${ENDPOINT}`, { method: 'PUT' })).status).toBe(405);
  });
});

describe('oidcc-backchannel-rp-initiated-logout-certification-test-plan', () => {
  let paths = 0;
  const newReceiver = async (more: Partial<ClientProfile> = {}, wanted: Partial<RegisteredApp> = {}): Promise<[OAuthApp, string]> => {
    const path = `/app-${++paths}`;
    const app = await newOAuthApp(server, wanted);
    return [await app.profile({ backchannelLogoutUri: receiver.url(path), postLogoutRedirectUris: [AFTER], ...more }), path];
  };
  const tokenIn = ({ body }: ReceivedDelivery): string => new URLSearchParams(body).get('logout_token') ?? '';
  const verified = async (delivery: ReceivedDelivery, audience: string): Promise<JWTVerifyResult> => {
    const keys = (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
    return jwtVerify(tokenIn(delivery), createLocalJWKSet(keys), { issuer: ISSUER, audience, typ: 'logout+jwt', maxTokenAge: 120 });
  };
  const jobs = async (): Promise<{ attempts: number; error: string | null; failed: boolean; sid: string }[]> =>
    (
      await server.pool.query(
        `SELECT attempts, last_error AS error, is_failed AS failed, payload ->> 'sid' AS sid FROM job WHERE task = 'oauth_logout' ORDER BY id`,
      )
    ).rows;
  /** All is sent, and nothing is repeated. */
  const settled = (): Promise<unknown> => eventually(async () => (await jobs()).length === 0);
  const sidsAt = (path: string): unknown[] => receiver.at(path).map((delivery) => decodeJwt(tokenIn(delivery))['sid']);

  it.each(['RS256', 'ES256', 'EdDSA'] as const)('oidcc-backchannel-rp-initiated-logout: %s', async (idTokenAlg) => {
    const [app, path] = await newReceiver({ idTokenAlg });
    const who = await signIn([app]);
    expect((await end(who, { id_token_hint: who.idToken, post_logout_redirect_uri: AFTER })).headers.get('location')).toBe(AFTER);
    const [delivery] = await receiver.until(1, path);
    expect(delivery?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect([...new URLSearchParams(delivery?.body).keys()]).toEqual(['logout_token']);
    const { payload, protectedHeader } = await verified(delivery as ReceivedDelivery, app.client.id);
    expect(protectedHeader).toEqual({ alg: idTokenAlg, typ: 'logout+jwt', kid: expect.any(String) });
    const { iat = 0, exp, jti, ...claims } = payload;
    expect(claims).toEqual({ iss: ISSUER, aud: app.client.id, sub: who.person.userId, sid: who.sid, events: { [EVENT]: {} } });
    expect([exp, jti]).toEqual([iat + 120, expect.any(String)]);
    await settled();
    expect(receiver.at(path)).toHaveLength(1);
  });

  const signOut = async ({ browser }: SignedIn): Promise<void> => void (await browser.submit(await browser.get('/logout'), {}));
  it.each<[string, (who: SignedIn, app: OAuthApp) => Promise<unknown>]>([
    ['sign-out on the page', signOut],
    [
      'the page Security of another session',
      async ({ person }) => {
        const browser = new BrowserSession(server.url);
        await browser.signInOnTheWay(await browser.get('/dashboard'), { email: person.email, password: PASSWORD });
        const { csrf = '' } = hiddenFields(await browser.get('/dashboard/security/sessions'));
        await browser.post('/dashboard/security/sessions', { csrf });
      },
    ],
    ['a new password', ({ person }) => server.get(UserService).changePassword(person.userId, 'another horse battery')],
    ['the operator', ({ person }) => server.get(SessionService).endAll(person.userId, () => Promise.resolve())],
    [
      'the operator, who disables the person',
      ({ person }) => server.get(UserService).setDisabled(person.userId, true, () => Promise.resolve()),
    ],
    ['the app, disconnected', ({ person }, app) => server.get(AppService).revoke(person.userId, app.client.id)],
    ['the deletion of the account', ({ person }) => server.pool.query('DELETE FROM app_user WHERE id = $1', [person.userId])],
  ])('an end by %s is posted once, to each app of that sign-in', async (_how, ends) => {
    const [[app, path], [other, otherPath]] = [await newReceiver(), await newReceiver()];
    const silent = await newOAuthApp(server);
    const [who, elsewhere] = [await signIn([app, app, silent]), await signIn([other])];
    await ends(who, app);
    await receiver.until(1, path);
    await settled();
    expect([sidsAt(path), sidsAt(otherPath)]).toEqual([[who.sid], []]);
    await signOut(elsewhere);
    await receiver.until(1, otherPath);
    if (await isSignedIn(who)) await signOut(who);
    await server.get(AppService).revoke(who.person.userId, app.client.id);
    await settled();
    // What was disconnected before the sign-out has learned it then, and what is disconnected after it has learned that.
    expect([sidsAt(path), sidsAt(otherPath)]).toEqual([[who.sid], [elsewhere.sid]]);
  });

  it('an app that ends its own access needs no message', async () => {
    const [app, path] = await newReceiver();
    const who = await signIn([app]);
    const tokens = await app.connect(who.person, { scope: 'read offline' });
    await app.revoke(tokens.refresh_token ?? '');
    await signOut(who);
    await receiver.until(1, path);
    await settled();
    expect(sidsAt(path)).toEqual([who.sid]);
  });

  it('the job is of the transaction that ends the sign-in, so no crash comes between', async () => {
    const [app, path] = await newReceiver();
    const who = await signIn([app]);
    const client = await server.pool.connect();
    const count = async (): Promise<number> =>
      (await client.query(`SELECT FROM job WHERE task = 'oauth_logout' AND payload ->> 'sid' = $1`, [who.sid])).rows.length;
    for (const [change, values] of [
      ['UPDATE session SET ended_at = now() WHERE id = $1', [who.sid]],
      ['DELETE FROM session WHERE id = $1', [who.sid]],
      [`SELECT oauth_end_grants(ARRAY(SELECT id FROM oauth_grant WHERE session_id = $1), 'disconnected by the owner')`, [who.sid]],
    ] as const) {
      await client.query('BEGIN');
      await client.query(change, [...values]);
      expect([change, await count()]).toEqual([change, 1]);
      await client.query('ROLLBACK');
      expect([change, await count(), await isSignedIn(who)]).toEqual([change, 0, true]);
    }
    client.release();
    expect(receiver.at(path)).toEqual([]);
  });

  it('two processes post each end once', async () => {
    const [app, path] = await newReceiver();
    const person = await fixture.user();
    const sids: string[] = [];
    for (let nth = 0; nth < 12; nth++) sids.push((await signIn([app], person)).sid);
    await server.get(SessionService).endAll(person.userId, () => Promise.resolve());
    await receiver.until(sids.length, path);
    await settled();
    expect(sidsAt(path).sort()).toEqual(sids.sort());
  });

  const due = (): Promise<unknown> => server.pool.query(`UPDATE job SET run_at = now() WHERE task = 'oauth_logout' AND claim IS NULL`);
  const metric = async (): Promise<string> =>
    (await Promise.all([server, beside].map(async ({ url }) => (await request(`${url}/metrics`)).text))).join('\n');

  it.each<[string, number | 'hang up']>([
    ['503', 503],
    ['a redirect, which is not followed', 302],
    ['401', 401],
    ['no answer', 'hang up'],
  ])('%s is repeated, with a new token, until it succeeds', async (_what, status) => {
    const [app, path] = await newReceiver();
    const who = await signIn([app]);
    receiver.respond = (response) => {
      if (receiver.at(path).length > 2) return void response.writeHead(200).end();
      if (status === 'hang up') return void response.destroy();
      response.writeHead(status, { location: receiver.url('/elsewhere') }).end();
    };
    await signOut(who);
    for (const attempts of [1, 2]) {
      await eventually(async () => (await jobs()).some((job) => job.attempts === attempts && job.error !== null));
      await due();
    }
    await receiver.until(3, path);
    await settled();
    receiver.respond = undefined;
    expect(receiver.at('/elsewhere')).toEqual([]);
    const tokens = await Promise.all(receiver.at(path).map((delivery) => verified(delivery, app.client.id)));
    expect(new Set(tokens.map(({ payload }) => payload.jti)).size).toBe(3);
    expect(new Set(tokens.map(({ payload }) => payload['sid']))).toEqual(new Set([who.sid]));
  });

  it('400 is logged and not repeated', async () => {
    const [app, path] = await newReceiver();
    const who = await signIn([app]);
    receiver.answer = () => 400;
    await signOut(who);
    await receiver.until(1, path);
    await settled();
    const lines = [...server.logs, ...beside.logs].filter((line) => line.includes('oauth_backchannel_rejected'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([expect.objectContaining({ clientId: app.client.id })]);
    expect(receiver.at(path)).toHaveLength(1);
    expect(await metric()).toMatch(/^sluice_oauth_backchannel_total\{result="rejected"\} 1$/m);
  });

  it.each(['http://10.0.0.1/', 'https://169.254.169.254/latest', 'https://[fd00::1]/'])(
    'A-40: %s is not asked; the job waits, and fails for the operator after its last attempt',
    async (backchannelLogoutUri) => {
      const [app] = await newReceiver({ backchannelLogoutUri });
      const who = await signIn([app]);
      await signOut(who);
      const job = await eventually(async () => (await jobs()).find(({ error }) => error !== null));
      expect(job).toMatchObject({ sid: who.sid, attempts: 1, failed: false });
      expect(job.error).toMatch(new RegExp(`^Back-channel logout of the app ${app.client.id}: (address_not_public|not_https)$`));
      await server.pool.query(`UPDATE job SET attempts = 11, run_at = now() WHERE task = 'oauth_logout'`);
      await eventually(async () => (await jobs())[0]?.failed);
      // Without the address there is nothing to send.
      await app.profile({ backchannelLogoutUri: null });
      await server.pool.query(`UPDATE job SET is_failed = false, attempts = 0, run_at = now() WHERE task = 'oauth_logout'`);
      await settled();
    },
  );
});
