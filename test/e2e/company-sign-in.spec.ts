import { IdentityProvider, IdentitySignIn, type IdentityOutcome, type IdentityStart } from '../../src/access/identity/index.js';
import { OpenIdProvider } from '../../src/access/identity/openid-provider.js';
import { createTestApp, freePort, type TestApp } from '../support/app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { Fixture, type Person } from '../support/fixture.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';

/** One Sluice is the company's OpenID provider, and signs people in to another one. */
let provider: TestApp;
let app: TestApp;
let staff: Fixture;
let fixture: Fixture;
let client: OAuthApp;

beforeAll(async () => {
  provider = await createTestApp();
  staff = new Fixture(provider);
  const port = await freePort();
  const redirectUris = [`http://localhost:${port}/login/company/callback`];
  client = await newOAuthApp(provider, { scopes: ['openid', 'email', 'profile'], redirectUris });
  app = await createTestApp({
    env: {
      PORT: String(port),
      IDENTITY_ISSUER: provider.url,
      IDENTITY_CLIENT_ID: client.client.id,
      IDENTITY_CLIENT_SECRET: client.secret,
      IDENTITY_NAME: 'Example SSO',
      IDENTITY_LINK_BY_EMAIL: '1',
    },
  });
  fixture = new Fixture(app);
});
afterEach(() => fixture.expectBalanced());
afterAll(async () => {
  await app?.close();
  await provider?.close();
});

const VERIFY = 'UPDATE app_user SET email_verified_at = now() WHERE id = $1';
const rows = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => (await app.pool.query(text, values)).rows as Row[];
async function employee(isVerified = true): Promise<Person> {
  const person = await staff.user();
  if (isVerified) await provider.pool.query(VERIFY, [person.userId]);
  return person;
}
/** From the redirect to the provider to the address that it leads back to. */
const back = async ({ location }: Visit, person: Person, there = new BrowserSession(provider.url)): Promise<string> =>
  client.allow(person, await there.get(location), there);
const signIn = async (browser: BrowserSession, person: Person, path = '/login/company', there?: BrowserSession): Promise<Visit> =>
  browser.get(await back(await browser.get(path), person, there));
const codeOf = ({ text }: Visit): string => /data-code="(\w+)"/.exec(text)?.[1] ?? '';
const isIn = async (browser: BrowserSession): Promise<boolean> => (await browser.get('/dashboard')).status === 200;
const userOf = async ({ email }: Person): Promise<{ id: string; username: string; email_verified_at: Date | null }[]> =>
  rows('SELECT id, username, email_verified_at FROM app_user WHERE email = $1', [email]);

/** Knows one person. */
class Directory extends IdentityProvider {
  readonly name = 'Directory';
  start = (): Promise<IdentityStart> => Promise.resolve({ kind: 'redirect', to: 'https://directory.example/', state: 'x' });
  override finish = (): Promise<IdentityOutcome> => {
    const person = { issuer: 'directory', subject: 'mallory', email: 'mallory@directory.example' };
    return Promise.resolve({ kind: 'proved', identity: { ...person, emailVerified: true, authTime: new Date(), amr: [] } });
  };
}

async function usingProvider<Result>(other: IdentityProvider, work: (provider: IdentityProvider) => Promise<Result>): Promise<Result> {
  const signIns = app.get(IdentitySignIn);
  const working = signIns.provider;
  signIns.use(other);
  return work(other).finally(() => working && signIns.use(working));
}

describe('sign-in by OpenID Connect', () => {
  it('makes an account at the first sign-in, and finds it at the next one', async () => {
    const [person, browser] = [await employee(), new BrowserSession(app.url)];
    const page = await browser.get('/login?to=/dashboard/keys');
    expect(page.text).toContain('href="/login/company?to=%2Fdashboard%2Fkeys"');
    expect(page.text).toContain('Continue with Example SSO');
    const begun = await browser.get('/login/company?to=/dashboard/keys');
    const asked = Object.fromEntries(new URL(begun.location).searchParams);
    expect(asked).toMatchObject({ code_challenge_method: 'S256', scope: 'openid email profile', response_type: 'code' });
    expect([asked['state'], asked['nonce'], asked['code_challenge']]).toEqual(Array(3).fill(expect.stringMatching(/^[\w-]{43}$/)));
    expect(asked['prompt']).toBeUndefined();

    const done = await browser.get(await back(begun, person));

    expect([done.status, done.location]).toEqual([303, `${app.url}/dashboard/keys`]);
    expect((await browser.get('/dashboard')).text).toContain(person.email);
    const [user] = await userOf(person);
    expect(user).toEqual({ id: expect.any(String), username: person.username, email_verified_at: expect.any(Date) });
    const [session] = await rows('SELECT identity_issuer, identity_sid, auth_time <= now() AS past FROM session WHERE user_id = $1', [
      user?.id,
    ]);
    expect(session).toEqual({ identity_issuer: provider.url, identity_sid: expect.any(String), past: true });

    const again = new BrowserSession(app.url);
    expect((await signIn(again, person)).location).toBe(`${app.url}/dashboard`);
    expect(await rows('SELECT user_id FROM user_identity WHERE user_id = $1', [user?.id])).toHaveLength(1);
    expect(await rows('SELECT DISTINCT user_id FROM session WHERE user_id = $1', [user?.id])).toHaveLength(1);
  });

  it('chooses another username where the wished one is taken, and an unverified address stays so', async () => {
    const person = await employee(false);
    const { userId } = await fixture.user({ username: person.username });
    await app.pool.query('UPDATE app_user SET email = $2 WHERE id = $1', [userId, `other-${person.email}`]);
    const browser = new BrowserSession(app.url);
    await signIn(browser, person);
    expect(await isIn(browser)).toBe(true);
    const [user] = await userOf(person);
    expect(user?.username.startsWith(person.username)).toBe(true);
    expect([user?.username === person.username, user?.email_verified_at]).toEqual([false, null]);
  });

  it('links an account by an address that both sides have verified, once for each issuer', async () => {
    const person = await employee();
    const account = await fixture.user();
    await app.pool.query('UPDATE app_user SET email = $2 WHERE id = $1', [account.userId, person.email]);
    const browser = new BrowserSession(app.url);

    const refused = await signIn(browser, person);
    expect([refused.status, codeOf(refused), await isIn(browser)]).toEqual([409, 'EMAIL_TAKEN', false]);
    expect(await rows('SELECT 1 FROM user_identity WHERE user_id = $1', [account.userId])).toEqual([]);

    await app.pool.query(VERIFY, [account.userId]);
    await provider.pool.query('UPDATE app_user SET email_verified_at = NULL WHERE id = $1', [person.userId]);
    expect(codeOf(await signIn(browser, person))).toBe('EMAIL_TAKEN');

    await provider.pool.query(VERIFY, [person.userId]);
    await signIn(browser, person);
    expect(await isIn(browser)).toBe(true);
    expect(await rows('SELECT user_id FROM user_identity WHERE user_id = $1', [account.userId])).toHaveLength(1);
    expect(await rows("SELECT details FROM notice WHERE user_id = $1 AND kind = 'identity_linked'", [account.userId])).toEqual([
      { details: { name: 'Example SSO' } },
    ]);

    // The company gives the address to another person.
    const [next, other] = [await employee(), new BrowserSession(app.url)];
    await provider.pool.query('UPDATE app_user SET email = $2 WHERE id = $1', [person.userId, `former-${person.email}`]);
    await provider.pool.query('UPDATE app_user SET email = $2 WHERE id = $1', [next.userId, person.email]);
    expect(codeOf(await signIn(other, { ...next, email: person.email }))).toBe('EMAIL_TAKEN');
    expect(await isIn(other)).toBe(false);
  });

  it('asks for a fresh proof where the request of an app does, and the request continues', async () => {
    const [person, browser, there] = [await employee(), new BrowserSession(app.url), new BrowserSession(provider.url)];
    await signIn(browser, person, '/login/company', there);
    const shop = await newOAuthApp(app);
    const gate = await browser.get((await browser.get(shop.authorizeUrl({ prompt: 'login' }))).location);
    const href = /href="(\/login\/company\?login_challenge=[\w-]+)"/.exec(gate.text)?.[1] ?? '';
    const begun = await browser.get(href);
    expect(Object.fromEntries(new URL(begun.location).searchParams)).toMatchObject({ prompt: 'login', max_age: '0' });
    expect((await there.get(begun.location)).location).toContain('/login?login_challenge=');

    const done = await browser.get(await back(begun, person, there));

    expect(done.location).toContain('/consent?consent_challenge=');
    const allowed = await browser.submit(await browser.get(done.location), { decision: 'allow', scope: ['read'] });
    expect(new URL(allowed.location).searchParams.get('code')).toEqual(expect.any(String));
  });

  it('is the proof for a change, of the same person and from the last minutes', async () => {
    const [person, browser] = [await employee(), new BrowserSession(app.url)];
    await signIn(browser, person);
    const [user] = await userOf(person);
    await app.pool.query("UPDATE session SET factor_at = now() - interval '11 minutes' WHERE user_id = $1", [user?.id]);
    const asked = await browser.get('/dashboard/security/passkeys');
    const href =
      /href="(\/login\/company\?confirm=1[^"]*)"/.exec((await browser.get(asked.location)).text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const other = await signIn(browser, await employee(), href);
    expect([other.status, codeOf(other)]).toEqual([403, 'OTHER_PERSON']);
    expect((await browser.get('/dashboard/security/passkeys')).location).toContain('/dashboard/confirm');

    const before = browser.cookies.get('sluice');
    const done = await signIn(browser, person, href);

    expect([done.status, done.location]).toEqual([303, `${app.url}/dashboard/security/passkeys`]);
    expect(browser.cookies.get('sluice')).not.toBe(before);
    expect((await browser.get('/dashboard/security/passkeys')).status).toBe(200);
  });
});

describe('attacks on sign-in by OpenID Connect', () => {
  it('refuses a callback in another browser, a second time, and after the cookie was put back', async () => {
    const [person, browser, thief] = [await employee(), new BrowserSession(app.url), new BrowserSession(app.url)];
    const callback = await back(await browser.get('/login/company'), person);
    const stolen = await thief.get(callback);
    expect([stolen.status, codeOf(stolen), await isIn(thief)]).toEqual([400, 'EXPIRED', false]);
    const kept = browser.clone();
    await browser.get(callback);
    expect(await isIn(browser)).toBe(true);
    const replayed = new BrowserSession(app.url);
    expect(codeOf(await replayed.get(callback))).toBe('EXPIRED');
    expect(codeOf(await kept.get(callback))).toBe('DENIED');
    expect(await isIn(kept)).toBe(false);
    // A thief's own journey does not take the callback of another.
    await thief.get('/login/company');
    expect(codeOf(await thief.get(callback))).toBe('DENIED');
  });

  it('refuses another issuer (RFC 9207), another state, a missing code and an error', async () => {
    const person = await employee();
    const wrong: ((url: URL) => void)[] = [
      ({ searchParams }) => searchParams.set('iss', 'https://other.example'),
      ({ searchParams }) => searchParams.delete('iss'),
      ({ searchParams }) => searchParams.set('state', 'x'),
      ({ searchParams }) => searchParams.append('state', 'x'),
      ({ searchParams }) => searchParams.delete('code'),
      ({ searchParams }) => searchParams.set('error', 'access_denied'),
    ];
    for (const change of wrong) {
      const browser = new BrowserSession(app.url);
      const url = new URL(await back(await browser.get('/login/company'), person));
      change(url);
      const page = await browser.get(url.href);
      expect([page.status, codeOf(page), await isIn(browser)]).toEqual([403, 'DENIED', false]);
    }
    expect(app.logs.some((line) => line.includes('"event":"identity_refused"') && line.includes('"reason":"denied"'))).toBe(true);
  });

  it('says so with 503 while the provider is away, and works again after it', async () => {
    const signIns = app.get(IdentitySignIn);
    const working = signIns.provider;
    signIns.use(new OpenIdProvider('Example SSO', `http://localhost:${await freePort()}`, 'x', undefined));
    const page = await new BrowserSession(app.url).get('/login/company');
    expect([page.status, codeOf(page), page.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '10']);
    if (working) signIns.use(working);
    expect((await new BrowserSession(app.url).get('/login/company')).location).toContain(`${provider.url}/oauth2/auth?`);
  });

  it('says to the operator what the provider answered', async () => {
    const [person, browser] = [await employee(), new BrowserSession(app.url)];
    const callback = await back(await browser.get('/login/company'), person);
    const outcome = await usingProvider(new OpenIdProvider('SSO', provider.url, client.client.id, 'wrong'), async (wrong) => {
      const begun = await wrong.start({
        headers: {},
        peerAddress: '',
        returnUrl: new URL('/login/company/callback', app.url).href,
        fresh: false,
      });
      const { state } = begun as { state: string };
      const url = new URL(callback);
      url.searchParams.set('state', (JSON.parse(state) as { state: string }).state);
      return wrong.finish?.(url, state);
    });
    expect(outcome).toMatchObject({ reason: 'denied', detail: expect.stringContaining('invalid_client') as string });
    const typo = new OpenIdProvider('SSO', `${provider.url}/realms/stuff`, 'x', undefined);
    const away = await typo.start({ headers: {}, peerAddress: '', returnUrl: app.url, fresh: false });
    expect(away).toMatchObject({
      reason: 'unavailable',
      detail: expect.stringContaining(`: 404 from ${provider.url}/realms/stuff/`) as string,
    });
  });

  it('counts a provider that throws as away, and logs its words', async () => {
    const failing = new (class extends IdentityProvider {
      readonly name = 'LDAP';
      start(): Promise<IdentityStart> {
        throw new Error('the directory does not answer');
      }
    })();
    const page = await usingProvider(failing, () => new BrowserSession(app.url).get('/login/company'));
    expect([page.status, codeOf(page)]).toEqual([503, 'UNAVAILABLE']);
  });

  it('refuses a disabled user', async () => {
    const [person, browser] = [await employee(), new BrowserSession(app.url)];
    await signIn(browser, person);
    await app.pool.query('UPDATE app_user SET disabled_at = now() WHERE email = $1', [person.email]);
    const page = await signIn(new BrowserSession(app.url), person);
    expect([page.status, codeOf(page)]).toEqual([403, 'DISABLED']);
    // The operator, whom the page names, finds each kind of refusal in the log.
    for (const reason of ['disabled', 'email_taken'])
      expect(app.logs.some((line) => line.includes('"event":"identity_refused"') && line.includes(`"reason":"${reason}"`))).toBe(true);
  });

  it('A-22: a journey that a neighbouring host puts into a browser signs no person in', async () => {
    const port = String(await freePort());
    const guarded = await createTestApp({ env: { PUBLIC_URL: 'https://localhost', PORT: port } });
    try {
      guarded.get(IdentitySignIn).use(new Directory());
      const [thief, victim] = [new BrowserSession(`http://127.0.0.1:${port}`), new BrowserSession(`http://127.0.0.1:${port}`)];
      await thief.get('/login/company');
      // Browsers let another host of the domain set every cookie whose name does not begin with `__Host-`.
      for (const [name, value] of thief.cookies) if (!name.startsWith('__Host-')) victim.cookies.set(name, value);
      const page = await victim.get('/login/company/callback');
      expect([page.status, codeOf(page), victim.cookies.has('__Host-sluice')]).toEqual([400, 'EXPIRED', false]);
      await thief.get('/login/company/callback');
      expect(thief.cookies.has('__Host-sluice')).toBe(true);
    } finally {
      await guarded.close();
    }
  });
});
