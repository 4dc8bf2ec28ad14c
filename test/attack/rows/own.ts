import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createLocalJWKSet,
  exportSPKI,
  exportJWK,
  generateKeyPair,
  SignJWT,
  jwtVerify,
  UnsecuredJWT,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose';
import { isWellFormedToken } from '../../../src/platform/kernel/token.js';
import { eventually } from '../../../src/testing/eventually.js';
import { BrowserSession, formAction, hiddenFields, type Visit } from '../../support/browser-session.js';
import { personIn } from '../../support/demo-person.js';
import { post, request, type HttpAnswer } from '../../support/http.js';
import { PAYLOADS } from './clients.js';
import { because, newApp, type OwnRow } from './money.js';
import type { Sluice } from './servers.js';
import { type App, outcomeOf, REFUSED, saidBy, type Site, type Tokens } from './target.js';

const EVIL = '"><svg onload=alert(1)>';

/** A new app, and the consent page to which it has sent alice. */
async function asking(site: Site, sluice: Sluice, scope = 'read write'): Promise<{ app: App; browser: BrowserSession; page: Visit }> {
  const [app, browser] = [await newApp(site, sluice), await site.personsBrowser()];
  return { app, browser, page: await site.pageAfterSignIn(await browser.get(app.url({ scope })), browser) };
}
/** Without a grant, an app is not answered without asking. */
const isGranted = async (app: App): Promise<boolean> =>
  outcomeOf(await (await app.site.personsBrowser()).get(app.url({ prompt: 'none', scope: 'read' }))) !== 'consent_required';

const signIn = async (browser: BrowserSession, { email, password }: { email: string; password: string }): Promise<Visit> =>
  browser.submit(await browser.get('/login?switch=1'), { email, password });
const isIn = async (site: Site, cookie: string): Promise<boolean> => {
  const browser = site.browser();
  browser.cookies.set('sluice', cookie);
  return (await browser.get('/dashboard')).status === 200;
};

const ASSERTED = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const now = (): number => Math.floor(Date.now() / 1000);
const claimsOf = ({ registered: { id } }: App, more: JWTPayload = {}): JWTPayload => ({
  iss: id,
  sub: id,
  aud: 'https://localhost',
  jti: crypto.randomUUID(),
  iat: now(),
  exp: now() + 60,
  ...more,
});

export const OWN: readonly OwnRow[] = [
  [
    'A-04: a client with a secret has one address, with its port',
    async (site, sluice) => {
      const app = await newApp(site, sluice, '--redirect-uri', 'http://127.0.0.1/cb');
      const browser = await site.personsBrowser();
      expect(outcomeOf(await browser.get(app.url({ redirect_uri: 'http://127.0.0.1:51004/cb' })))).toBe('page');
      const native = await newApp(site, sluice, '--public', '--redirect-uri', 'http://localhost:3000/cb');
      const at = async (uri: string): Promise<string> => outcomeOf(await browser.get(native.url({ redirect_uri: uri })));
      expect([await at('http://localhost:3001/cb'), await at('http://localhost:3001/other'), await at('http://127.0.0.1:3000/cb')]).toEqual(
        ['asked', 'page', 'page'],
      );
      // An error goes to the port that was asked for.
      const back = { redirect_uri: 'http://127.0.0.1:51004/cb?a=1', scope: 'nothing' };
      expect((await browser.get(site.native.url(back))).location).toMatch(/^http:\/\/127\.0\.0\.1:51004\/cb\?a=1&error=invalid_scope/);
    },
  ],
  [
    'A-07: an address that contains a parameter of ours is not registered',
    async (_site, { one }) => {
      const uris = ['code', 'state', 'iss', 'error'].flatMap((name) => ['--redirect-uri', `https://app.example.test/cb?${name}=1`]);
      const { code, stderr } = await one.command('client', 'register', '--name', 'x y', '--scope', 'read', ...uris);
      expect(code).toBe(1);
      for (const name of ['code', 'state', 'iss', 'error']) expect(stderr).toContain(`the parameter ${name}:`);
    },
  ],
  [
    'A-12: a verifier that is missing is named, and burns nothing',
    async (site) => {
      const code = await site.client.code();
      const without = await site.client.exchange(code, { code_verifier: undefined });
      expect([...saidBy(without), (without.body as { error_description: string }).error_description]).toEqual([
        ...REFUSED,
        expect.stringContaining('code_verifier is missing'),
      ]);
      expect((await site.client.exchange(code)).status).toBe(200);
    },
  ],
  [
    'A-16: the person sees who asks for what, and a public client is never approved without the page',
    async (site, sluice) => {
      const { page } = await asking(site, sluice);
      for (const text of [
        'Corner Coffee',
        'app.example.test',
        personIn(sluice.one, 'alice').username,
        'The operator hasn’t verified its developer.',
      ])
        expect(page.text).toContain(text);
      await site.native.code({ scope: 'read' });
      const browser = await site.personsBrowser();
      const again = await browser.get(site.native.url({ scope: 'read', prompt: undefined, redirect_uri: 'http://127.0.0.1:6666/cb?a=1' }));
      expect(again.location).toContain('/consent?');
    },
  ],
  [
    'A-17: a consent with the token of no page or of another one grants nothing; one as a browser sends it does',
    async (site, sluice) => {
      const { app, browser, page } = await asking(site, sluice);
      const other = await site.page(await browser.get(app.url({ scope: 'read' })), browser);
      const answer = { decision: 'allow', scope: ['read', 'write'] };
      for (const fields of [{}, { csrf: 'A'.repeat(59) }, hiddenFields(other)]) {
        const { status, location } = await browser.post(formAction(page), { ...fields, ...answer });
        expect([status, location]).toEqual([403, '']);
      }
      for (const headers of [{ 'sec-fetch-site': 'none' }, { origin: 'null' }, {}] as Record<string, string>[]) {
        const { status, location } = await browser.post(formAction(page), { ...hiddenFields(page), ...answer }, headers);
        expect([status, location]).toEqual([403, '']);
      }
      expect(await isGranted(app)).toBe(false);
      expect((await browser.submit(page, { decision: 'allow', scope: 'read' })).location).toContain('code=');
      expect(await isGranted(app)).toBe(true);
    },
  ],
  [
    'A-19: a consent page needs the cookie of its own request',
    async (site, sluice) => {
      const { app, browser, page } = await asking(site, sluice);
      const own = [...browser.cookies.keys()].filter((name) => name.startsWith('sluice-i-')).at(-1) ?? '';
      const other = await asking(site, sluice);
      const foreign = [...other.browser.cookies].filter(([name]) => name.startsWith('sluice-i-')).at(-1)?.[1] ?? '';
      const bare = browser.clone();
      bare.cookies.delete(own);
      expect((await bare.submit(page, { decision: 'allow', scope: 'read' })).location).toBe('');
      bare.cookies.set(own, foreign);
      expect((await bare.submit(page, { decision: 'allow', scope: 'read' })).location).toBe('');
      expect(await isGranted(app)).toBe(false);
    },
  ],
  [
    'A-21: a session that was planted before is not signed in, and one that ended is over at the server',
    async (site, { one }) => {
      const [alice, bob] = [personIn(one, 'alice'), personIn(one, 'bob')];
      const planted = `sluice_st_${'a'.repeat(49)}`;
      const browser = site.browser();
      browser.cookies.set('sluice', planted);
      const login = await browser.get('/login');
      await browser.submit(login, { email: alice.email, password: alice.password });
      const session = browser.cookies.get('sluice') ?? '';
      expect([session === planted, await isIn(site, session), await isIn(site, planted)]).toEqual([false, true, false]);
      // A token of a form from before the sign-in, and one of another session, are no tokens of this one.
      const before = hiddenFields(login)['csrf'] ?? '';
      const theirs = site.browser();
      await signIn(theirs, bob);
      const stranger = hiddenFields(await theirs.get('/logout'))['csrf'] ?? '';
      for (const csrf of [before, stranger]) expect((await browser.post('/logout', { csrf })).status).toBe(403);
      // Alice signs in over the session of bob, who keeps his own.
      const over = site.browser();
      over.cookies.set('sluice', theirs.cookies.get('sluice') ?? '');
      await signIn(over, alice);
      expect(over.cookies.get('sluice')).not.toBe(theirs.cookies.get('sluice'));
      expect((await theirs.get('/dashboard')).text).not.toContain(alice.email);
      expect((await over.get('/dashboard')).text).toContain(alice.email);
      // The token of a script's session is no cookie.
      const script = await post(`${one.url}/auth/login`, { email: alice.email, password: alice.password }, site.target.elsewhere());
      expect(await isIn(site, (script.body as { result: { authToken: string } }).result.authToken)).toBe(false);
      await browser.submit(await browser.get('/logout'), {});
      expect([browser.cookies.has('sluice'), await isIn(site, session)]).toEqual([false, false]);
    },
  ],
  [
    'A-22: every cookie is bound to this host, and one of a neighbour is ignored',
    async (site, sluice) => {
      const guard = await sluice.guard();
      const [origin, alice] = [`http://127.0.0.1:${guard.port}`, personIn(sluice.one, 'alice')];
      const browser = new BrowserSession(origin);
      const set: string[] = [];
      const note = (visit: Visit): Visit => (set.push(...visit.headers.getSetCookie()), visit);
      const { pathname, search } = new URL(site.client.url());
      note(await browser.get(`${pathname}${search}`));
      note(await browser.submit(note(await browser.get('/login')), { email: alice.email, password: alice.password }));
      expect(set.length).toBeGreaterThanOrEqual(3);
      for (const cookie of set) {
        expect(cookie).toMatch(/^__Host-sluice/);
        for (const attribute of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']) expect(cookie.split('; ')).toContain(attribute);
        expect(cookie).not.toMatch(/Domain=/i);
      }
      expect((await browser.get('/dashboard')).status).toBe(200);
      const tossed = new BrowserSession(origin);
      tossed.cookies.set('sluice', browser.cookies.get('__Host-sluice') ?? '');
      expect((await tossed.get('/dashboard')).location).toBe(`${origin}/login`);
      tossed.cookies.set('sluice-presession', browser.cookies.get('__Host-sluice-presession') ?? '');
      const page = await browser.get('/login?switch=1');
      expect((await tossed.submit(page, { email: alice.email, password: alice.password })).status).toBe(403);
    },
  ],
  [
    'A-23: the name of an app is escaped',
    async (site, sluice) => {
      const app = await newApp(site, sluice, '--name', EVIL);
      const browser = site.browser();
      const login = await site.page(await browser.get(app.url()), browser);
      const consent = await site.pageAfterSignIn(await browser.get(app.url()), browser);
      for (const { text } of [login, consent])
        expect([text.includes('<svg onload'), text.includes('&lt;svg onload')]).toEqual([false, true]);
    },
  ],
  [
    'A-26: a replay inside the window gets the owner’s pair, and the next rotation by either reveals it',
    async (site) => {
      const { refresh_token: stolen } = await site.client.connect();
      const owner = (await site.client.refresh(stolen)).body as Tokens;
      const thief = (await site.client.refresh(stolen, {}, 1)).body as Tokens;
      expect(thief.refresh_token).toBe(owner.refresh_token);
      const next = (await site.client.refresh(thief.refresh_token)).body as Tokens;
      await site.target.pass(61);
      expect(saidBy(await site.client.refresh(owner.refresh_token))).toEqual(REFUSED);
      await eventually(async () => !(await site.works(next.access_token)));
    },
  ],
  [
    'A-28: the window lasts a minute',
    async (site) => {
      const { refresh_token: first } = await site.client.connect();
      const second = (await site.client.refresh(first)).body as Tokens;
      await site.target.pass(45);
      expect(((await site.client.refresh(first)).body as Tokens).refresh_token).toBe(second.refresh_token);
      await site.target.pass(15);
      for (const token of [first, second.refresh_token]) expect(saidBy(await site.client.refresh(token))).toEqual(REFUSED);
    },
  ],
  [
    'A-33: a refusal asks for credentials where none were in the body',
    async (site) => {
      const { id } = site.second.registered;
      const challenge = `Basic realm="${site.target.issuer}", charset="UTF-8"`;
      const asked = async (headers: Record<string, string>, body: string): Promise<readonly unknown[]> => {
        const answer = await site.post(site.endpoint('token'), body, { ...headers, ...site.target.elsewhere() });
        return [...saidBy(answer), answer.headers.get('www-authenticate')];
      };
      for (const text of ['unknown:x', `${id}:x`, `${id}:`])
        expect(await asked({ authorization: `Basic ${btoa(text)}` }, 'grant_type=x')).toEqual([401, 'invalid_client', challenge]);
      expect(await asked({}, 'grant_type=x')).toEqual([401, 'invalid_client', challenge]);
      expect(await asked({}, `grant_type=x&client_id=${id}&client_secret=wrong`)).toEqual([401, 'invalid_client', null]);
    },
  ],
  [
    'A-34: a secret is guarded by address and by client; what is no guess is counted too, and logged once a minute',
    async (site, { one }) => {
      const ask = (headers: Readonly<Record<string, string>>, body: string): Promise<HttpAnswer> =>
        site.post(site.endpoint('token'), body, headers);
      const statuses: number[] = [];
      for (let n = 0; n < 30; n++)
        statuses.push(
          (await ask({ ...site.target.elsewhere(), authorization: `Basic ${btoa(`${site.second.registered.id}:x`)}` }, 'grant_type=x'))
            .status,
        );
      expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
      expect((await ask({ authorization: site.second.basic }, 'grant_type=x')).status).toBe(400);
      const here = site.target.elsewhere();
      for (let n = 0; n < 10; n++) expect((await ask({ ...here, authorization: site.client.basic }, 'grant_type=x')).status).toBe(400);
      let slowed = await ask({ ...here, authorization: 'Basic eDp4' }, 'grant_type=x');
      for (let n = 0; n < 5; n++) slowed = await ask({ ...here, authorization: 'Basic eDp4' }, 'grant_type=x');
      expect([saidBy(slowed), slowed.headers.get('ratelimit')]).toEqual([
        [429, 'temporarily_unavailable'],
        expect.stringContaining('"token-address";r=0'),
      ]);
      expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
      const logged = (): number => one.lines.filter((line) => line.includes('"oauth_client_rejected"')).length;
      const before = logged();
      for (const body of ['', 'client_id=unknown', Array.from({ length: 2_000 }, (_, n) => `k${n}=`).join('&')]) {
        const there = site.target.elsewhere();
        const said: number[] = [];
        for (let n = 0; n < 10; n++) said.push((await ask(there, body)).status);
        expect(said).toEqual([...Array<number>(5).fill(401), ...Array<number>(5).fill(429)]);
        expect((await ask({ ...there, authorization: site.client.basic }, 'grant_type=x')).status).toBe(400);
      }
      expect(logged() - before).toBeLessThanOrEqual(6);
    },
  ],
  [
    'A-36: an assertion of a client (private_key_jwt) is for this server, once, soon, and signed by its key',
    async (site, sluice) => {
      const guard = await sluice.guard();
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const other = await generateKeyPair('ES256');
      const jwk = { ...(await exportJWK(publicKey)), kid: 'first', use: 'sig', alg: 'ES256' };
      const bank = await newApp(site, sluice);
      await sluice.one.sluice(
        'client',
        'profile',
        bank.registered.id,
        '--auth-method',
        'private_key_jwt',
        '--jwks',
        JSON.stringify({ keys: [jwk] }),
        ...because,
      );
      const send = async (assertion: string): Promise<readonly unknown[]> => {
        const body = { grant_type: 'x', client_assertion_type: ASSERTED, client_assertion: assertion };
        return saidBy(await site.post(`http://127.0.0.1:${guard.port}/oauth2/token`, body, site.target.elsewhere()));
      };
      const sign = (more: JWTPayload = {}, key = privateKey): Promise<string> =>
        new SignJWT(claimsOf(bank, more)).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(key);
      const right = await sign();
      expect(await send(right)).toEqual([400, 'unsupported_grant_type']);
      const spki = new TextEncoder().encode(await exportSPKI(publicKey));
      const wrong = {
        again: right,
        'aud in a list': await sign({ aud: ['https://localhost'] }),
        'aud of the endpoint': await sign({ aud: 'https://localhost/oauth2/token' }),
        'aud of another server': await sign({ aud: 'https://evil.example' }),
        'alg none': new UnsecuredJWT(claimsOf(bank)).encode(),
        'HS256 with the public key': await new SignJWT(claimsOf(bank)).setProtectedHeader({ alg: 'HS256', kid: 'first' }).sign(spki),
        'iat in the future': await sign({ iat: now() + 120 }),
        'exp in a year': await sign({ exp: now() + 31_536_000 }),
        'no jti': await sign({ jti: undefined }),
        'another key': await sign({}, other.privateKey),
      };
      for (const [what, assertion] of Object.entries(wrong))
        expect([what, ...(await send(assertion))]).toEqual([what, 401, 'invalid_client']);
    },
  ],
  [
    'A-37: text that a database could reject is no fault of a page either',
    async (site) => {
      for (const payload of PAYLOADS) {
        const [browser, text] = [site.browser(), Buffer.from(payload).toString()];
        for (const path of ['/login?login_challenge=', '/consent?consent_challenge=', '/oauth2/sessions/logout?id_token_hint='])
          expect([payload, path, (await browser.get(`${path}${encodeURIComponent(text)}`, site.target.elsewhere())).status < 500]).toEqual([
            payload,
            path,
            true,
          ]);
        const { pathname, searchParams } = new URL(site.client.url({ nonce: text, login_hint: text }));
        expect((await browser.post(pathname, Object.fromEntries(searchParams), site.target.elsewhere())).status).toBeLessThan(500);
      }
    },
  ],
  [
    'A-38: an account has ten guesses from an address, a refusal does not say who exists, and the owner still signs in',
    async (site, { two, one }) => {
      const alice = personIn(one, 'alice');
      const here = site.target.elsewhere()['x-forwarded-for'] ?? '';
      const there = site.target.elsewhere()['x-forwarded-for'] ?? '';
      const attempt = (email: string, password: string, address: string): Promise<Visit> =>
        new BrowserSession(two.url).signInFrom(address, { email, password });
      const plain = ({ text }: Visit): string => text.replaceAll(/(value|data-passkey|nonce)="[^"]*"/g, '');
      const wrong: Visit[] = [];
      for (let n = 0; n < 11; n++) wrong.push(await attempt(alice.email, 'not the password', here));
      expect([wrong[0]?.status, wrong[9]?.status, wrong[10]?.status]).toEqual([422, 422, 429]);
      const { headers } = wrong[10] as Visit;
      expect(headers.get('ratelimit')).toContain('"sign-in-account";r=0;');
      expect(headers.get('ratelimit-policy')).toContain('"sign-in-account";q=10;w=900');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await attempt(personIn(one, 'bob').email, 'not the password', here)).status).toBe(422);
      const unknown = await attempt('unknown@example.test', 'not the password', there);
      expect([unknown.status, plain(unknown)]).toEqual([422, plain(wrong[0] as Visit)]);
      for (const address of [here, there]) expect((await attempt(alice.email, alice.password, address)).status).toBe(303);
    },
  ],
  [
    'A-39: the sign-in page names the app and the host to which it returns, in the browser that was sent only',
    async (site) => {
      const browser = site.browser();
      const { location } = await browser.get(site.client.url());
      const { text } = await browser.get(location);
      for (const words of ['Corner Coffee', 'app.example.test']) expect(text).toContain(words);
      expect((await site.browser().get(location)).text).not.toContain('Corner Coffee');
    },
  ],
  [
    'A-40: keys of a client are fetched from no address inside',
    async (site, sluice) => {
      const guard = await sluice.guard();
      const app = await newApp(site, sluice);
      let asked = 0;
      const host = createServer((_request, response) => (asked++, response.end('{"keys":[]}'))).listen(0, '127.0.0.1');
      await new Promise((resolve) => host.once('listening', resolve));
      const { port } = host.address() as AddressInfo;
      const { privateKey } = await generateKeyPair('ES256');
      for (const uri of [
        `http://127.0.0.1:${port}/keys`,
        `https://localhost:${port}/keys`,
        'http://10.0.0.1/keys',
        'http://169.254.169.254/keys',
      ]) {
        await sluice.one.sluice('client', 'profile', app.registered.id, '--auth-method', 'private_key_jwt', '--jwks-uri', uri, ...because);
        const assertion = await new SignJWT(claimsOf(app)).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(privateKey);
        const body = { grant_type: 'x', client_assertion_type: ASSERTED, client_assertion: assertion };
        expect(saidBy(await site.post(`http://127.0.0.1:${guard.port}/oauth2/token`, body, site.target.elsewhere()))).toEqual([
          401,
          'invalid_client',
        ]);
      }
      host.close();
      expect(asked).toBe(0);
    },
  ],
  [
    'A-41: an address gets a limited number of pages a minute, and a browser a limited number of cookies',
    async (site, { pool }) => {
      const rows = async (): Promise<number> =>
        (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM oauth_interaction')).rows[0]?.n ?? NaN;
      const before = await rows();
      const flood = site.browser();
      const visits: Visit[] = [];
      for (let n = 0; n < 130; n++) visits.push(await flood.get(site.client.url()));
      const last = visits.at(-1) as Visit;
      expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(flood.cookies.size).toBeLessThanOrEqual(12);
      expect((await rows()) - before).toBeLessThanOrEqual(121);
      const between = await rows();
      for (let n = 0; n < 10; n++) await site.browser().get(site.client.url({ prompt: 'none' }), site.target.elsewhere());
      expect(await rows()).toBe(between);
    },
  ],
  [
    'A-42: an ID token is signed by the algorithm of its client, and is no less a hint',
    async (site, sluice) => {
      const keys = (await request(site.found.jwks_uri)).body as JSONWebKeySet;
      const app = await newApp(site, sluice);
      for (const [alg, hash, half] of [
        ['ES256', 'sha256', 16],
        ['EdDSA', 'sha512', 32],
      ] as const) {
        await sluice.one.sluice('client', 'profile', app.registered.id, '--id-token-alg', alg, ...because);
        const tokens = await app.connect({ scope: 'openid read' });
        const { payload, protectedHeader } = await jwtVerify(tokens.id_token, createLocalJWKSet(keys));
        expect(protectedHeader).toEqual({ alg, typ: 'JWT', kid: keys.keys.find((each) => each.alg === alg)?.kid });
        expect(payload['at_hash']).toBe(createHash(hash).update(tokens.access_token).digest().subarray(0, half).toString('base64url'));
        const hinted = app.url({ prompt: 'none', id_token_hint: tokens.id_token });
        expect(outcomeOf(await site.browser().get(hinted))).toBe('login_required');
      }
    },
  ],
  [
    'A-46: no endpoint of ours takes a token from the address',
    async (site, { two }) => {
      const { access_token: token } = await site.client.connect({ scope: 'read' });
      const query = new URLSearchParams({ query: '{ me { id } }', access_token: token, 'Oauth2-Token': token, token });
      expect((await request(`${two.url}/graphql?${query.toString()}`)).body.data?.me ?? null).toBeNull();
      const asked = await site.post(`${two.url}/oauth2/introspect?token=${token}`, { token }, { authorization: site.client.basic });
      expect(saidBy(asked)).toEqual([400, 'invalid_request']);
      expect((await request(`${two.url}/userinfo?access_token=${token}`)).status).toBe(400);
    },
  ],
  [
    'A-47: a token is recognised by its prefix and its checksum',
    async (site) => {
      const tokens = await site.client.connect();
      expect([isWellFormedToken(tokens.access_token, 'sluice_at'), isWellFormedToken(tokens.refresh_token, 'sluice_rt')]).toEqual([
        true,
        true,
      ]);
      expect(isWellFormedToken(tokens.access_token, 'sluice_rt')).toBe(false);
    },
  ],
  [
    'A-45: challenges and metadata name the issuer of the configuration',
    async (site, { two }) => {
      for (const { url } of [{ url: site.target.issuer }, two]) {
        expect((await request(`${url}/userinfo`)).headers.get('www-authenticate')).toBe(`Bearer realm="${url}"`);
        for (const path of ['openid-configuration', 'oauth-authorization-server'])
          expect((await request(`${url}/.well-known/${path}`)).body.issuer).toBe(url);
      }
    },
  ],
  [
    'A-49: a replay is still seen after the cleanup, which keeps what shows it and deletes what holds secrets',
    async (site, { one, pool }) => {
      const { refresh_token: first } = await site.client.connect();
      const second = (await site.client.refresh(first)).body as Tokens;
      await site.target.pass(40 * 86_400);
      await pool.query(`UPDATE oauth_interaction SET expires_at = expires_at - interval '2 days'`);
      const jobs = JSON.parse(await one.sluice('jobs', 'list', '--json')) as { id: string; task: string }[];
      await one.sluice('jobs', 'retry', jobs.find(({ task }) => task === 'oauth_cleanup')?.id ?? '', ...because);
      const blobs =
        'SELECT count(*) FILTER (WHERE replay_blob IS NOT NULL)::int AS blobs, count(*) > 0 AS kept FROM oauth_refresh_token WHERE replay_until < now()';
      await eventually(async () =>
        (await pool.query<{ blobs: number; kept: boolean }>(blobs)).rows.every((row) => row.blobs === 0 && row.kept),
      );
      expect((await pool.query('SELECT 1 FROM oauth_interaction')).rowCount).toBe(0);
      expect(saidBy(await site.client.refresh(first))).toEqual(REFUSED);
      expect(saidBy(await site.client.refresh(second.refresh_token))).toEqual(REFUSED);
    },
  ],
  // The last: it reads what all others have left.
  [
    'A-25: the log of both processes, and the metrics, contain no secret of any row above',
    async (site, { one, two }) => {
      const text = [...one.lines, ...two.lines, (await request(`${one.url}/metrics`)).text].join('\n');
      expect([one.lines.length > 100, two.lines.length > 20, site.target.seen.size > 300]).toEqual([true, true, true]);
      expect([...site.target.seen].filter((secret) => text.includes(secret))).toEqual([]);
    },
  ],
];
