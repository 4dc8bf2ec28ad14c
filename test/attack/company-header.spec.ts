import { get } from 'node:http';
import { TOTP } from 'otpauth';
import { Factors } from '../../src/access/factor/index.js';
import { IdentitySignIn } from '../../src/access/identity/index.js';
import { TrustedHeader } from '../../src/access/identity/trusted-header.js';
import { SessionOpener, SignInService, type SignInCaller } from '../../src/access/session/index.js';
import { Passwords, UserService } from '../../src/access/user/index.js';
import { userCommands } from '../../src/operator/act/user.command.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD } from '../support/fixture.js';

const HEADER = 'x-auth-request-email';

/** A proxy signs people in, and passwords are off. */
let app: TestApp;
let fixture: Fixture;
beforeAll(async () => {
  app = await createTestApp({
    env: { PASSWORD_SIGN_IN: '0', TRUSTED_IDENTITY_HEADER: 'X-Auth-Request-Email', TRUSTED_IDENTITY_PROXIES: '10.0.0.0/8,127.0.0.1' },
  });
  fixture = new Fixture(app);
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

let people = 0;
const newAddress = (): string => `worker${people++}@company.test`;
const codeOf = ({ text }: Visit): string => /data-code="(\w+)"/.exec(text)?.[1] ?? '';
const isIn = async (browser: BrowserSession): Promise<boolean> => (await browser.get('/dashboard')).status === 200;
const signIn = (browser: BrowserSession, email: string, more: Readonly<Record<string, string>> = {}): Promise<Visit> =>
  browser.get('/login/company', { [HEADER]: email, ...more });
const idOf = async (email: string): Promise<string> =>
  (await app.pool.query<{ id: string }>('SELECT id FROM app_user WHERE email = $1', [email])).rows[0]?.id ?? '';

describe('sign-in by the header of a trusted proxy', () => {
  it('signs in at once, to the page that was asked for, and again as the same person', async () => {
    const [browser, email] = [new BrowserSession(app.url), newAddress()];
    const asked = await browser.get((await browser.get('/dashboard/keys')).location);
    expect(asked.location).toBe(`${app.url}/login/company?to=%2Fdashboard%2Fkeys`);
    const done = await browser.get(asked.location, { [HEADER]: ` ${email.toUpperCase()} ` });
    expect([done.status, done.location, await isIn(browser)]).toEqual([303, `${app.url}/dashboard/keys`, true]);
    await signIn(new BrowserSession(app.url), email);
    const found = await app.pool.query('SELECT issuer, subject FROM user_identity WHERE user_id = $1', [await idOf(email)]);
    expect(found.rows).toEqual([{ issuer: `header:${HEADER}`, subject: email }]);
  });

  it('refuses a person whose header is missing, repeated, or no address', async () => {
    const email = newAddress();
    for (const value of ['', 'root', `${email},${newAddress()}`, `${email}, ${email}`]) {
      const browser = new BrowserSession(app.url);
      const page = await signIn(browser, value);
      expect([page.status, codeOf(page), await isIn(browser)]).toEqual([403, 'DENIED', false]);
    }
    const twice = await new Promise((resolve, reject) => {
      const sent = get(`${app.url}/login/company`, { headers: { [HEADER]: [email, email] } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
    });
    expect(twice).toBe(403);
    expect(await idOf(email)).toBe('');
  });

  it('believes the header of the proxies’ own connections alone, whatever X-Forwarded-For says', async () => {
    const signIns = app.get(IdentitySignIn);
    const trusting = signIns.provider;
    signIns.use(new TrustedHeader('proxy', HEADER, '10.0.0.7,::1,192.0.2.0/24'));
    const [browser, email] = [new BrowserSession(app.url), newAddress()];
    const page = await signIn(browser, email, { 'x-forwarded-for': '10.0.0.7', forwarded: 'for=10.0.0.7' });
    expect([codeOf(page), await isIn(browser), await idOf(email)]).toEqual(['DENIED', false, '']);
    if (trusting) signIns.use(trusting);
  });

  it('leads a person with a factor to its page, and opens no session before', async () => {
    const [browser, email] = [new BrowserSession(app.url), newAddress()];
    await signIn(browser, email);
    const factors = app.get(Factors);
    const { id, secret } = await factors.register(await idOf(email), email);
    await factors.enrol(await idOf(email), id, new TOTP({ secret }).generate());

    const next = new BrowserSession(app.url);
    const asked = await signIn(next, email);
    expect([asked.location, await isIn(next)]).toEqual([`${app.url}/login/code`, false]);
    const page = await next.get(asked.location);
    // Each code works once. Should a step begin meanwhile, the next one's code is that of now.
    const nextCode = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
    // Its form is valid for `/login` too, which takes neither a password nor a passkey.
    const proofs: Record<string, string>[] = [{ email, password: PASSWORD }, { response: '{}' }];
    for (const proof of proofs) expect((await next.post('/login', { ...hiddenFields(page), ...proof })).status).toBe(404);
    expect((await next.submit(page, { code: nextCode })).location).toBe(`${app.url}/dashboard`);
    expect(await isIn(next)).toBe(true);
    const { rows } = await app.pool.query('SELECT amr, identity_issuer FROM session WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1', [
      await idOf(email),
    ]);
    expect(rows).toEqual([{ amr: ['otp', 'mfa'], identity_issuer: `header:${HEADER}` }]);
  });

  it('links nothing: an address that has an account is refused', async () => {
    const person = await fixture.user();
    await app.pool.query('UPDATE app_user SET email_verified_at = now() WHERE id = $1', [person.userId]);
    const browser = new BrowserSession(app.url);
    const page = await signIn(browser, person.email);
    expect([page.status, codeOf(page), await isIn(browser)]).toEqual([409, 'EMAIL_TAKEN', false]);
  });

  it('cannot give a new proof, and says so', async () => {
    const [browser, email] = [new BrowserSession(app.url), newAddress()];
    await signIn(browser, email);
    await app.pool.query("UPDATE session SET factor_at = now() - interval '11 minutes' WHERE user_id = $1", [await idOf(email)]);
    const confirm = await browser.get((await browser.get('/dashboard/security/totp')).location);
    expect(confirm.text).not.toContain('type="password"');
    const page = await browser.get('/login/company?confirm=1', { [HEADER]: email });
    expect([page.status, codeOf(page)]).toEqual([403, 'NOT_FRESH']);
  });
});

describe('PASSWORD_SIGN_IN=0', () => {
  it('refuses passwords, passkeys alone, registration and resets', async () => {
    const person = await fixture.user();
    const browser = new BrowserSession(app.url);
    const page = await browser.get('/login?signed-out=1');
    expect(page.text).toContain('Continue with your company account');
    expect(page.text).not.toMatch(/type="password"|data-passkey|\/register|\/forgot-password/);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ email: person.email, password: PASSWORD });
    const api = await fetch(`${app.url}/auth/login`, { method: 'POST', headers, body });
    expect([api.status, ((await api.json()) as { error: { status: string } }).error.status]).toEqual([403, 'PASSWORD_SIGN_IN_OFF']);
    for (const [path, status] of [
      ['/register', 403],
      ['/reset-password?token=x', 404],
    ] as const)
      expect((await browser.get(path)).status).toBe(status);
    // Mails about strange sign-ins lead there.
    expect(await browser.get('/forgot-password')).toMatchObject({
      status: 303,
      location: expect.stringMatching(/\/dashboard\/security\/sessions$/),
    });

    await signIn(browser, newAddress());
    expect((await browser.get('/dashboard/security/password')).status).toBe(404);
    expect((await browser.get('/dashboard/security')).text).not.toContain('/dashboard/security/password');

    const caller: SignInCaller = { purpose: 'page', address: '192.0.2.1', userAgent: '' };
    expect(await app.get(SignInService).byPasskey('x', caller, '{}')).toEqual({ kind: 'refused' });
    expect(await app.get(Passwords).verify('x', null, PASSWORD, () => true)).toBe('wrong');
    const resetLink = userCommands.find(({ name }) => name === 'user reset-link');
    const args = { positionals: [person.email], options: { because: 'forgot it' } };
    await expect(resetLink?.run(app.sluice.app, args, () => undefined)).rejects.toThrow('PASSWORD_SIGN_IN is 0');
  });

  it('is refused at start without a provider, and two providers are too', async () => {
    await expect(createTestApp({ env: { PASSWORD_SIGN_IN: '0' } })).rejects.toThrow('PASSWORD_SIGN_IN=0 needs an identity provider');
    await expect(createTestApp({ env: { IDENTITY_CLIENT_SECRET: 'x' } })).rejects.toThrow('require IDENTITY_ISSUER');
    const both = { IDENTITY_ISSUER: 'http://sso.example', TRUSTED_IDENTITY_HEADER: 'X-User' };
    const error = await createTestApp({ env: both }).catch((reason: Error) => reason.message);
    for (const text of ['must not both be set', 'IDENTITY_CLIENT_ID must be set', 'must be https', 'TRUSTED_IDENTITY_PROXIES must be set'])
      expect(error).toContain(text);
  });
});

describe('the seam of extensions', () => {
  it('makes a person without a password, and opens a session only as fresh as its proof', async () => {
    const email = newAddress();
    const made = await app.get(UserService).create({ email, username: 'seam_person' });
    if (made.kind !== 'created') throw new Error(made.kind);
    const caller: SignInCaller = { purpose: 'api', address: '192.0.2.1', userAgent: 'a script' };
    const open = (authTime: Date): Promise<unknown> => app.get(SessionOpener).open(made.user, { authTime, amr: ['x'] }, caller);
    expect(await open(new Date(Date.now() + 3_600_000))).toMatchObject({ kind: 'signed_in', userId: made.user.id });
    expect(await open(new Date(0))).toMatchObject({ kind: 'signed_in' });
    const { rows } = await app.pool.query(
      'SELECT auth_time <= now() AS past, factor_at = auth_time AS same, auth_time = to_timestamp(0) AS old FROM session WHERE user_id = $1 ORDER BY created_at',
      [made.user.id],
    );
    expect(rows).toEqual([
      { past: true, same: true, old: false },
      { past: true, same: true, old: true },
    ]);
    await app.pool.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [made.user.id]);
    expect(await open(new Date())).toEqual({ kind: 'refused' });
  });
});
