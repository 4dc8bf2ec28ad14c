import { TOTP } from 'otpauth';
import { Factors } from '../../src/access/factor/index.js';
import { UserService } from '../../src/access/user/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { graphql, type CredentialHeaders } from '../support/graphql.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const FACTOR_LIMIT = 4;
const DEVICE_LIMIT = 3;

/** An authenticator app that has scanned the secret. `at` moves its clock, because each code works once. */
const codeOf = (secret: string, at = 0): string => new TOTP({ secret }).generate({ timestamp: Date.now() + at * 1000 });
const wrongCode = (secret: string): string => {
  const near = [-60, -30, 0, 30, 60].map((at) => codeOf(secret, at));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? '';
};

interface WithFactor extends Person {
  readonly secret: string;
  readonly codes: readonly string[];
}

describe('sign-in with a second factor', () => {
  let app: TestApp;
  let fixture: Fixture;
  beforeAll(async () => {
    app = await createTestApp({
      env: { TRUST_PROXY: '1', THROTTLE_SIGN_IN_FACTOR: `${FACTOR_LIMIT}/3600` },
      settings: { RateLimitSettings: { signInDevice: `${DEVICE_LIMIT}/3600` } },
    });
    fixture = new Fixture(app);
  });
  afterAll(() => app.close());

  /** A person whose authenticator app was confirmed with the code of the step before this one. */
  async function withFactor(): Promise<WithFactor> {
    const person = await fixture.user();
    const factors = app.get(Factors);
    const { id, secret } = await factors.register(person.userId, person.email);
    const enrol = (): ReturnType<Factors['enrol']> => factors.enrol(person.userId, id, codeOf(secret, -30));
    const first = await enrol();
    // A step may have ended in between.
    const outcome = first.kind === 'wrong' ? await enrol() : first;
    if (outcome.kind !== 'enrolled') throw new Error(outcome.kind);
    return { ...person, secret, codes: outcome.codes ?? [] };
  }

  const password = async (browser: BrowserSession, { email }: Person, path = '/login'): Promise<Visit> =>
    browser.submit(await browser.get(path), { email, password: PASSWORD });
  const code = async (browser: BrowserSession, value: string): Promise<Visit> =>
    browser.submit(await browser.get('/login/code'), { code: value });
  /** On a page with the navigation, whose first form signs out. */
  const send = async (browser: BrowserSession, page: Visit, fields: Fields): Promise<Visit> =>
    browser.post(page.url, { ...hiddenFields(page), ...fields });
  const isIn = async (browser: BrowserSession): Promise<boolean> => (await browser.get('/dashboard')).status === 200;
  const api = async (body: object): Promise<{ status: number; body: unknown }> => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${app.url}/auth/login`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };

  it('the right password leads to the page of the code, and opens no session', async () => {
    const alice = await withFactor();
    const browser = new BrowserSession(app.url);
    const answer = await password(browser, alice, '/login?to=/dashboard/history');
    expect([answer.status, answer.location]).toEqual([303, `${app.url}/login/code?to=%2Fdashboard%2Fhistory`]);
    expect([browser.cookies.has('sluice'), browser.cookies.has('sluice-device')]).toEqual([false, false]);
    expect(await isIn(browser)).toBe(false);
    const page = await browser.get(answer.location);
    const done = await browser.submit(page, { code: codeOf(alice.secret) });
    expect([done.status, done.location]).toEqual([303, `${app.url}/dashboard/history`]);
    expect(await isIn(browser)).toBe(true);
    expect([browser.cookies.has('sluice-device'), browser.cookies.has('sluice-ticket')]).toEqual([true, false]);
    const { rows } = await app.pool.query('SELECT amr, factor_at IS NOT NULL AS checked FROM session WHERE user_id = $1', [alice.userId]);
    expect(rows).toEqual([{ amr: ['pwd', 'otp', 'mfa'], checked: true }]);
  });

  it('a code works once, also in concurrent requests, and an earlier one not at all', async () => {
    const alice = await withFactor();
    const used = codeOf(alice.secret);
    const browsers = [1, 2, 3].map(() => new BrowserSession(app.url));
    for (const browser of browsers) await password(browser, alice);
    const pages = await Promise.all(browsers.map((browser) => browser.get('/login/code')));
    const answers = await Promise.all(browsers.map((browser, index) => browser.submit(pages[index] as Visit, { code: used })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
    const refused = browsers[answers.findIndex(({ status }) => status === 422)] as BrowserSession;
    expect((await code(refused, codeOf(alice.secret, -30))).status).toBe(422);
    expect((await code(refused, codeOf(alice.secret, 30))).status).toBe(303);
  });

  it('a recovery code works once, however it is typed, and few that are left lead to the security page', async () => {
    const alice = await withFactor();
    expect(new Set(alice.codes).size).toBe(10);
    const [first = ''] = alice.codes;
    const browser = new BrowserSession(app.url);
    await password(browser, alice);
    const done = await code(browser, first.toUpperCase().replaceAll('-', ' '));
    expect([done.status, done.location]).toEqual([303, `${app.url}/dashboard`]);
    const again = new BrowserSession(app.url);
    await password(again, alice);
    expect((await code(again, first)).status).toBe(422);
    await app.pool.query(
      'DELETE FROM user_recovery_code WHERE user_id = $1 AND code_hash <> ALL (SELECT code_hash FROM user_recovery_code WHERE user_id = $1 ORDER BY 1 LIMIT 9)',
      [alice.userId],
    );
    for (const next of alice.codes.slice(1, 7))
      expect(await app.get(Factors).verify(alice.userId, next, { policy: 'signInFactor', key: 'x' })).toMatchObject({ kind: 'right' });
    expect((await code(again, alice.codes[7] ?? '')).location).toBe(`${app.url}/dashboard/security`);
  });

  it('the database has neither the secret nor a recovery code in the clear, and the log none of them', async () => {
    const alice = await withFactor();
    const { rows } = await app.pool.query(
      `SELECT encode(secret, 'escape') AS text FROM user_totp WHERE user_id = $1 UNION ALL SELECT encode(code_hash, 'escape') FROM user_recovery_code WHERE user_id = $1`,
      [alice.userId],
    );
    expect(rows).toHaveLength(11);
    for (const text of [JSON.stringify(rows), app.logs.join('\n')])
      for (const secret of [alice.secret, ...alice.codes, ...alice.codes.map((each) => each.replaceAll('-', ''))])
        expect(text).not.toContain(secret);
  });

  it('attack: guessed codes are bounded for the account over all addresses; known browsers and sessions are not affected', async () => {
    const alice = await withFactor();
    const known = new BrowserSession(app.url);
    await password(known, alice);
    await code(known, alice.codes[0] ?? '');
    const guess = async (address: string): Promise<Visit> => {
      const thief = new BrowserSession(app.url);
      const from = { 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' };
      await password(thief, alice);
      const page = await thief.get('/login/code');
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
      return thief.post('/login/code', { csrf, code: wrongCode(alice.secret) }, from);
    };
    const statuses = [];
    for (let i = 0; i <= FACTOR_LIMIT; i++) statuses.push((await guess(`198.51.100.${i}`)).status);
    expect(statuses).toEqual([...Array<number>(FACTOR_LIMIT).fill(422), 429]);
    const right = new BrowserSession(app.url);
    await password(right, alice);
    const late = await code(right, codeOf(alice.secret));
    expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await isIn(known)).toBe(true);
    await known.submit(await known.get('/logout'), {});
    await password(known, alice);
    expect((await code(known, codeOf(alice.secret))).status).toBe(303);
    const concurrent = await withFactor();
    const thieves = Array.from({ length: 3 * FACTOR_LIMIT }, () => new BrowserSession(app.url));
    for (const thief of thieves) await password(thief, concurrent);
    const answers = await Promise.all(thieves.map((thief) => code(thief, wrongCode(concurrent.secret))));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(FACTOR_LIMIT);
  });

  it('attack: a ticket ends with the password, after its time, and says nothing for another person', async () => {
    const [alice, bob] = [await withFactor(), await withFactor()];
    const browser = new BrowserSession(app.url);
    expect((await browser.get('/login/code')).location).toBe(`${app.url}/login?code-expired=1`);
    await password(browser, alice);
    const ticket = browser.cookies.get('sluice-ticket') ?? '';
    const page = await browser.get('/login/code');
    browser.cookies.set('sluice-ticket', ticket.replace(alice.userId, bob.userId));
    expect((await browser.submit(page, { code: codeOf(bob.secret) })).location).toContain('/login?code-expired=1');
    const [id = '', expires = '', mac = ''] = ticket.split('.');
    browser.cookies.set('sluice-ticket', `${id}.${Number(expires) + 9}.${mac}`);
    expect((await browser.submit(page, { code: codeOf(alice.secret) })).location).toContain('/login?code-expired=1');
    await app.pool.query(`UPDATE app_user SET password_hash = password_hash || ' ' WHERE id = $1`, [alice.userId]);
    browser.cookies.set('sluice-ticket', ticket);
    expect((await browser.submit(page, { code: codeOf(alice.secret) })).location).toContain('/login?code-expired=1');
    expect(browser.cookies.has('sluice')).toBe(false);
  });

  it('POST /auth/login asks for the code, and takes it as "totp"', async () => {
    const alice = await withFactor();
    const right = { email: alice.email, password: PASSWORD };
    expect(await api(right)).toEqual({ status: 200, body: { result: { authToken: null, totpRequired: true } } });
    expect(await api({ ...right, totp: 123_456 })).toMatchObject({ status: 400 });
    const message = 'The code of the second factor is wrong, or has been used';
    const refused = { status: 401, body: { error: { code: 401, status: 'Unauthorized', message } } };
    expect(await api({ ...right, totp: wrongCode(alice.secret) })).toEqual(refused);
    const used = codeOf(alice.secret);
    expect(await api({ ...right, totp: used })).toMatchObject({
      status: 200,
      body: { result: { authToken: expect.any(String) as string } },
    });
    expect(await api({ ...right, totp: used })).toEqual(refused);
    expect(await api({ ...right, password: 'not the password', totp: codeOf(alice.secret, 30) })).toMatchObject({
      body: { error: { message: 'E-mail address or password is wrong' } },
    });
    await api({ ...right, totp: wrongCode(alice.secret) });
    await api({ ...right, totp: wrongCode(alice.secret) });
    expect(await api({ ...right, totp: codeOf(alice.secret, 30) })).toMatchObject({ status: 429 });
  });

  describe('step-up', () => {
    it('asks for the code, renews the session’s identifier, and leads back', async () => {
      const alice = await withFactor();
      const browser = new BrowserSession(app.url);
      await password(browser, alice);
      await code(browser, alice.codes[0] ?? '');
      const before = browser.cookies.get('sluice') ?? '';
      const page = await browser.get('/dashboard/confirm?to=/dashboard/keys');
      const refused = await send(browser, page, { code: wrongCode(alice.secret) });
      expect([refused.status, browser.cookies.get('sluice') === before]).toEqual([422, true]);
      const done = await send(browser, page, { code: codeOf(alice.secret) });
      expect([done.status, done.location]).toEqual([303, `${app.url}/dashboard/keys`]);
      expect(browser.cookies.get('sluice')).not.toBe(before);
      const thief = new BrowserSession(app.url);
      thief.cookies.set('sluice', before);
      expect([await isIn(browser), await isIn(thief)]).toEqual([true, false]);
    });

    it('asks for the password of a person without a factor, slows wrong ones down, and keeps the session', async () => {
      const bob = await fixture.user();
      const browser = new BrowserSession(app.url);
      await password(browser, bob);
      const other = new BrowserSession(app.url);
      await password(other, bob);
      const page = await browser.get('/dashboard/confirm?to=https://evil.example/');
      const statuses = [];
      for (let i = 0; i <= DEVICE_LIMIT; i++) statuses.push((await send(browser, page, { password: 'not the password' })).status);
      expect(statuses).toEqual([...Array<number>(DEVICE_LIMIT).fill(422), 429]);
      expect((await send(browser, page, { password: PASSWORD })).status).toBe(429);
      expect(await isIn(browser)).toBe(true);
      const done = await send(other, await other.get('/dashboard/confirm?to=https://evil.example/'), { password: PASSWORD });
      expect(done.location).toBe(`${app.url}/dashboard`);
    });

    it('a factor that was added or removed ends the proofs of all sessions', async () => {
      const alice = await withFactor();
      const browser = new BrowserSession(app.url);
      await password(browser, alice);
      await code(browser, codeOf(alice.secret));
      const fresh = async (): Promise<unknown> =>
        (await app.pool.query('SELECT bool_or(factor_at IS NOT NULL) AS fresh FROM session WHERE user_id = $1', [alice.userId])).rows[0];
      expect(await fresh()).toEqual({ fresh: true });
      expect(await app.get(Factors).removeTotp(alice.userId)).toBe(true);
      expect(await fresh()).toEqual({ fresh: false });
      expect(await app.get(Factors).state(alice.userId)).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 });
    });
  });

  describe('the page Security', () => {
    const secretIn = ({ text }: Visit): string => /<code id="key">([A-Z2-7]+)</.exec(text)?.[1] ?? '';
    const codesIn = ({ text }: Visit): string[] =>
      [...text.matchAll(/<span>([a-z2-9]{4}(?:-[a-z2-9]{4}){3})</g)].map(([, each = '']) => each);
    const signedIn = async (person: Person): Promise<BrowserSession> => {
      const browser = new BrowserSession(app.url);
      await password(browser, person);
      return browser;
    };
    /** As after more than ten minutes: the person has to prove again who they are. */
    const letProofsAge = (person: Person): Promise<unknown> =>
      app.pool.query(`UPDATE session SET factor_at = factor_at - interval '11 minutes' WHERE user_id = $1`, [person.userId]);

    it('turns an authenticator app on with its first code, shows recovery codes once, and renews the session', async () => {
      const alice = await fixture.user();
      const browser = await signedIn(alice);
      const before = browser.cookies.get('sluice');
      const page = await browser.get('/dashboard/security/totp');
      const secret = secretIn(page);
      expect(page.text).toContain('<svg class="qr"');
      const refused = await send(browser, page, { code: wrongCode(secret) });
      expect([refused.status, secretIn(refused)]).toEqual([422, secret]);
      const done = await send(browser, refused, { code: codeOf(secret) });
      expect([done.status, done.location]).toEqual([303, `${app.url}/dashboard/security/codes`]);
      expect(browser.cookies.get('sluice')).not.toBe(before);
      const codes = codesIn(await browser.get(done.location));
      expect(new Set(codes).size).toBe(10);
      expect(codesIn(await browser.get(done.location))).toEqual([]);
      expect((await browser.get('/dashboard/security/totp')).location).toBe(`${app.url}/dashboard/security?changed=totp-on`);
      const other = await signedIn(alice);
      expect((await code(other, codes[0] ?? '')).status).toBe(303);
      expect((await browser.get('/dashboard/security')).text).toContain('9 left');
      // The registration was this person's, and is used up.
      const bob = await fixture.user();
      const theirs = await signedIn(bob);
      const stolen = await theirs.post('/dashboard/security/totp', {
        ...hiddenFields(await theirs.get('/dashboard/security/totp')),
        registration: hiddenFields(page)['registration'] ?? '',
        code: codeOf(secret, 30),
      });
      expect(stolen.status).toBe(422);
      expect(await app.get(Factors).has(bob.userId)).toBe(false);
    });

    it('asks for a fresh proof before each change, by GET and by form, and leads back', async () => {
      const alice = await withFactor();
      const browser = await signedIn(alice);
      await code(browser, alice.codes[0] ?? '');
      const page = await browser.get('/dashboard/security/totp/remove');
      expect(page.status).toBe(200);
      await letProofsAge(alice);
      const confirm = `${app.url}/dashboard/confirm?to=%2Fdashboard%2Fsecurity%2Ftotp%2Fremove`;
      expect((await browser.get('/dashboard/security/totp/remove')).location).toBe(confirm);
      expect((await send(browser, page, {})).location).toBe(confirm);
      const codes = await browser.get('/dashboard/security/codes');
      expect((await send(browser, codes, {})).location).toBe(`${app.url}/dashboard/confirm?to=%2Fdashboard%2Fsecurity%2Fcodes`);
      expect(await app.get(Factors).state(alice.userId)).toEqual({ totp: true, passkeys: 0, recoveryCodes: 9 });
      const back = await send(browser, await browser.get(confirm), { code: codeOf(alice.secret) });
      expect(back.location).toBe(`${app.url}/dashboard/security/totp/remove`);
      const renewed = await browser.get((await send(browser, codes, {})).location);
      expect(codesIn(renewed).filter((each) => !alice.codes.includes(each))).toHaveLength(10);
      const before = browser.cookies.get('sluice');
      expect((await send(browser, page, {})).location).toBe(`${app.url}/dashboard/security?changed=totp-off`);
      expect(browser.cookies.get('sluice')).not.toBe(before);
      expect((await (await signedIn(alice)).get('/dashboard')).status).toBe(200);
    });

    it('attack: a session from before the factor cannot remove it with the password alone', async () => {
      const alice = await fixture.user();
      const thief = await signedIn(alice);
      const { id, secret } = await app.get(Factors).register(alice.userId, alice.email);
      await app.get(Factors).enrol(alice.userId, id, codeOf(secret));
      const confirm = (await thief.get('/dashboard/security/totp/remove')).location;
      expect((await send(thief, await thief.get(confirm), { password: PASSWORD })).status).toBe(422);
      expect(await app.get(Factors).has(alice.userId)).toBe(true);
    });

    it('a new password removes no factor', async () => {
      const alice = await withFactor();
      await app.get(UserService).changePassword(alice.userId, PASSWORD);
      expect((await password(new BrowserSession(app.url), alice)).location).toBe(`${app.url}/login/code`);
      expect(await app.get(Factors).state(alice.userId)).toEqual({ totp: true, passkeys: 0, recoveryCodes: 10 });
    });

    it('lists sessions with device, address and times, and ends one or all others', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user()];
      const mine = await signedIn(alice);
      const others = [await signedIn(alice), await signedIn(alice)];
      const script = await fixture.session(alice);
      const theirs = await signedIn(bob);
      const list = async (browser: BrowserSession): Promise<string[]> =>
        [...(await browser.get('/dashboard/security/sessions')).text.matchAll(/sessions\/([0-9a-f-]{36})\/end/g)].map(([, id = '']) => id);
      expect((await mine.get('/dashboard/security/sessions')).text).toMatch(/127\.0\.0\.1|::1/);
      const page = await mine.get('/dashboard/security/sessions');
      expect(page.text).toMatch(/ · Signed in: <time [^>]+>Just now<\/time> · Last used: <time [^>]+>Just now</);
      const ids = await list(mine);
      expect(ids).toHaveLength(3);
      // Another person's session is not among them, whatever id the form names.
      const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM session WHERE user_id = $1', [bob.userId]);
      for (const id of [rows[0]?.id ?? '', 'no-id', '0'.repeat(36)])
        expect((await mine.post(`/dashboard/security/sessions/${id}/end`, hiddenFields(page))).status).toBe(303);
      expect(await isIn(theirs)).toBe(true);
      const asScript = async (): Promise<number> =>
        (await fetch(`${app.url}/graphql?query={__typename}`, { headers: { ...script } })).status;
      expect(await asScript()).toBe(200);
      await mine.post(`/dashboard/security/sessions/${ids[0]}/end`, hiddenFields(page));
      expect(await list(mine)).toEqual(ids.slice(1));
      await mine.post('/dashboard/security/sessions', hiddenFields(page));
      expect([await list(mine), await isIn(mine), await isIn(theirs)]).toEqual([[], true, true]);
      expect([await isIn(others[0] as BrowserSession), await isIn(others[1] as BrowserSession), await asScript()]).toEqual([
        false,
        false,
        401,
      ]);
    });
  });

  describe('over the API', () => {
    const session = async (person: Person, totp?: string): Promise<CredentialHeaders> => {
      const { body } = await api({ email: person.email, password: PASSWORD, ...(totp !== undefined && { totp }) });
      return { authorization: `Bearer ${(body as { result: { authToken: string } }).result.authToken}` };
    };
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
    const ask = async (as: CredentialHeaders, query: string, variables = {}): Promise<any> => graphql(app.url, query, variables, as);
    const INITIATE = 'mutation { userTotpRegistrationInitiate { errors { code } totpRegistrationId totpSecret } }';
    const VALIDATE =
      'mutation ($input: UserTotpRegistrationValidateInput!) { userTotpRegistrationValidate(input: $input) { errors { code path } me { totpEnabled } } }';
    const DELETE = 'mutation { userTotpDelete { errors { code } me { totpEnabled } } }';

    it('turns an authenticator app on and off', async () => {
      const alice = await fixture.user();
      const as = await session(alice);
      const { totpRegistrationId, totpSecret } = (await ask(as, INITIATE)).data.userTotpRegistrationInitiate;
      const validate = (totpCode: string, id: string = totpRegistrationId): Promise<unknown> =>
        ask(as, VALIDATE, { input: { totpRegistrationId: id, totpCode, authToken: 'ignored' } });
      const refused = (code: string, field: string): object => ({
        data: { userTotpRegistrationValidate: { errors: [{ code, path: ['input', field] }], me: null } },
      });
      expect(await validate(wrongCode(totpSecret))).toEqual(refused('INVALID_INPUT', 'totpCode'));
      expect(await validate('123456', 'unknown')).toEqual(refused('NOT_FOUND', 'totpRegistrationId'));
      const bob = await fixture.user();
      expect(await ask(await session(bob), VALIDATE, { input: { totpRegistrationId, totpCode: codeOf(totpSecret) } })).toEqual(
        refused('NOT_FOUND', 'totpRegistrationId'),
      );
      const used = codeOf(totpSecret);
      expect(await validate(used)).toEqual({ data: { userTotpRegistrationValidate: { errors: [], me: { totpEnabled: true } } } });
      expect(await ask(alice.as('read'), '{ me { totpEnabled } }')).toEqual({ data: { me: { totpEnabled: true } } });
      // The change ended the proof of this session: it signs in again, with the code.
      const stale = { extensions: { code: 'INSUFFICIENT_USER_AUTHENTICATION', max_age: 600 } };
      for (const mutation of [DELETE, INITIATE]) expect(await ask(as, mutation)).toMatchObject({ errors: [stale] });
      const again = await session(alice, codeOf(totpSecret, 30));
      expect((await ask(again, INITIATE)).data.userTotpRegistrationInitiate.errors).toEqual([{ code: 'INVALID_INPUT' }]);
      expect(await ask(again, DELETE)).toEqual({ data: { userTotpDelete: { errors: [], me: { totpEnabled: false } } } });
      expect((await api({ email: alice.email, password: PASSWORD })).body).toMatchObject({
        result: { authToken: expect.any(String) as string },
      });
    });

    it('keeps no secret under an idempotency key, and refuses keys', async () => {
      const as = { ...(await session(await fixture.user())), 'idempotency-key': 'totp' };
      expect((await ask(as, INITIATE)).data.userTotpRegistrationInitiate.totpSecret).toMatch(/^[A-Z2-7]{32}$/);
      expect(await ask(as, INITIATE)).toMatchObject({ errors: [{ extensions: { code: 'IDEMPOTENCY_SECRET_WITHHELD' } }] });
      const bob = await fixture.user();
      expect(await ask(bob.as('all'), DELETE)).toMatchObject({ errors: [{ extensions: { code: 'NOT_AUTHORIZED' } }] });
    });
  });
});
