import { generateKeyPairSync } from 'node:crypto';
import { Factors } from '../../src/access/factor/index.js';
import { SoftwareAuthenticator, type Ceremony } from '../support/authenticator.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const ceremonyOf = ({ text }: Visit): Ceremony =>
  JSON.parse((/data-passkey="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')) as Ceremony;

describe('passkeys', () => {
  let app: TestApp;
  let fixture: Fixture;
  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
  });
  afterAll(() => app.close());

  const password = async (browser: BrowserSession, { email }: Person): Promise<Visit> =>
    browser.submit(await browser.get('/login'), { email, password: PASSWORD });
  const send = async (browser: BrowserSession, page: Visit, response: string, more = {}): Promise<Visit> =>
    browser.post(page.url, { ...hiddenFields(page), response, ...more });
  const isIn = async (browser: BrowserSession): Promise<boolean> => (await browser.get('/dashboard')).status === 200;
  const origin = (): string => new URL(app.url).origin;

  async function withPasskey(): Promise<{ person: Person; device: SoftwareAuthenticator; browser: BrowserSession; added: Visit }> {
    const [person, device, browser] = [await fixture.user(), new SoftwareAuthenticator(), new BrowserSession(app.url)];
    await password(browser, person);
    const page = await browser.get('/dashboard/security/passkeys');
    const added = await send(browser, page, device.create(ceremonyOf(page), { origin: origin() }), { name: 'My phone' });
    return { person, device, browser, added };
  }
  const signIn = async (device: SoftwareAuthenticator, browser = new BrowserSession(app.url), path = '/login'): Promise<Visit> => {
    const page = await browser.get(path);
    return send(browser, page, device.get(ceremonyOf(page), { origin: origin() }));
  };

  it('is added after a fresh proof, renews the session, and creates recovery codes', async () => {
    const { person, browser, added } = await withPasskey();
    expect([added.status, added.location]).toEqual([303, `${app.url}/dashboard/security/codes`]);
    expect((await browser.get(added.location)).text.match(/<span>[a-z2-9]{4}-/g)).toHaveLength(10);
    const { rows } = await app.pool.query('SELECT name, counter, transports, last_used_at FROM user_passkey WHERE user_id = $1', [
      person.userId,
    ]);
    expect(rows).toEqual([{ name: 'My phone', counter: 0n, transports: ['internal'], last_used_at: null }]);
    expect((await browser.get('/dashboard/security/passkeys')).text).toContain('My phone');
    await app.pool.query(`UPDATE session SET factor_at = factor_at - interval '11 minutes' WHERE user_id = $1`, [person.userId]);
    expect((await browser.get('/dashboard/security/passkeys')).location).toContain('/dashboard/confirm?to=');
  });

  it('signs in alone, with a new session and without a password', async () => {
    const { person, device } = await withPasskey();
    const browser = new BrowserSession(app.url);
    browser.cookies.set('sluice', `sluice_st_${'a'.repeat(49)}`);
    const done = await signIn(device, browser, '/login?to=/dashboard/keys');
    expect([done.status, done.location, await isIn(browser)]).toEqual([303, `${app.url}/dashboard/keys`, true]);
    expect((await browser.get('/dashboard')).text).toContain(person.email);
    const { rows } = await app.pool.query('SELECT amr FROM session WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1', [person.userId]);
    expect(rows).toEqual([{ amr: ['pop', 'mfa'] }]);
    await app.pool.query('UPDATE app_user SET disabled_at = now() WHERE id = $1', [person.userId]);
    const locked = new BrowserSession(app.url);
    await signIn(device, locked);
    expect(await isIn(locked)).toBe(false);
  });

  it('is the second step after the password, and the proof for a change', async () => {
    const { person, device } = await withPasskey();
    const browser = new BrowserSession(app.url);
    const asked = await password(browser, person);
    expect(asked.location).toBe(`${app.url}/login/code`);
    expect((await browser.get('/login/code')).text).toContain('Lost your factor and your recovery codes?');
    expect((await signIn(device, browser, '/login/code')).location).toBe(`${app.url}/dashboard`);
    const before = browser.cookies.get('sluice');
    const done = await signIn(device, browser, '/dashboard/confirm?to=/dashboard/security/passkeys');
    expect([done.status, done.location]).toEqual([303, `${app.url}/dashboard/security/passkeys`]);
    expect(browser.cookies.get('sluice')).not.toBe(before);
    const path = `/dashboard/security/passkeys/${device.id}/remove`;
    expect((await send(browser, await browser.get(path), '')).location).toBe(`${app.url}/dashboard/security?changed=passkey-off`);
    expect(await app.get(Factors).state(person.userId)).toEqual({ totp: false, passkeys: 0, recoveryCodes: 0 });
    expect((await signIn(device)).status).toBe(422);
  });

  describe('attack', () => {
    /** The response that a forger sends instead of the one of the device, on each page that takes one. */
    const refused = async (forge: (ceremony: Ceremony, device: SoftwareAuthenticator) => string): Promise<void> => {
      const { person, device } = await withPasskey();
      const browser = new BrowserSession(app.url);
      const login = await browser.get('/login');
      expect((await send(browser, login, forge(ceremonyOf(login), device))).status).toBe(422);
      await password(browser, person);
      const step = await browser.get('/login/code');
      expect((await send(browser, step, forge(ceremonyOf(step), device))).status).toBe(422);
      expect(browser.cookies.has('sluice')).toBe(false);
      // The same page takes the real one.
      expect((await signIn(device, browser, '/login/code')).status).toBe(303);
    };

    it.each(['https://evil.example', 'http://localhost:1', 'null'])('a passkey of the origin %s', (other) =>
      refused((ceremony, device) => device.get(ceremony, { origin: other })),
    );
    it('a passkey of another site', () =>
      refused((ceremony, device) => device.get({ ...ceremony, rpId: 'evil.example' }, { origin: origin() })));
    it('an authenticator that has not verified its person', () =>
      refused((ceremony, device) => device.get(ceremony, { origin: origin(), verified: false })));
    it('another key under the id of the passkey', () =>
      refused((ceremony, device) =>
        new SoftwareAuthenticator().get(ceremony, { origin: origin() }).replaceAll(/"(id|rawId)":"[^"]*"/g, `"$1":"${device.id}"`),
      ));
    it('the handle of another person', () =>
      refused((ceremony, device) => device.get(ceremony, { origin: origin(), userHandle: Buffer.alloc(16).toString('base64url') })));
    it.each(['', '{', 'null', '[]', '{"id":7}', '{"id":"\\u0000"}', `{"id":"${'a'.repeat(3_000)}"}`])(
      'what is no response: %s',
      async (response) => {
        const { device } = await withPasskey();
        const browser = new BrowserSession(app.url);
        const page = await browser.get('/login');
        expect((await send(browser, page, response)).status).toBe(422);
        expect((await signIn(device, browser)).status).toBe(303);
      },
    );

    it('a response that is sent twice, also at once, and a counter that goes back', async () => {
      const { device } = await withPasskey();
      const browser = new BrowserSession(app.url);
      const page = await browser.get('/login');
      const response = device.get(ceremonyOf(page), { origin: origin() });
      const answers = await Promise.all([1, 2, 3].map(() => send(browser.clone(), page, response)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
      expect((await send(browser, page, response)).status).toBe(422);
      // A clone of the device has the same key, and counts from an earlier number.
      const later = await browser.get('/login?switch=1');
      expect((await send(browser, later, device.get(ceremonyOf(later), { origin: origin(), counter: 1 }))).status).toBe(422);
      // Authenticators that do not count always send 0: there the challenge alone is used up.
      await app.pool.query('UPDATE user_passkey SET counter = 0 WHERE id = $1', [device.id]);
      const [one, two] = [
        await browser.get('/login?switch=1'),
        device.get(ceremonyOf(await browser.get('/login?switch=1')), { origin: origin(), counter: 0 }),
      ];
      expect((await send(browser.clone(), one, two)).status).toBe(303);
      expect((await send(browser.clone(), one, two)).status).toBe(422);
    });

    it('a challenge of another browser, of another ceremony, or from too long ago', async () => {
      const { device } = await withPasskey();
      const [mine, theirs] = [new BrowserSession(app.url), new BrowserSession(app.url)];
      const [page, other] = [await mine.get('/login'), await theirs.get('/login')];
      expect((await send(mine, page, device.get(ceremonyOf(other), { origin: origin() }))).status).toBe(422);
      const challenge = Buffer.from(ceremonyOf(page).challenge, 'base64url');
      challenge.writeUIntBE(challenge.readUIntBE(16, 6) + 1_000, 16, 6);
      const postponed = { ...ceremonyOf(page), challenge: challenge.toString('base64url') };
      expect((await send(mine, page, device.get(postponed, { origin: origin() }))).status).toBe(422);
      expect((await send(mine, page, device.get(ceremonyOf(page), { origin: origin() }))).status).toBe(303);
    });

    it('another person’s passkey: not as the second step, not as the proof, and not as a new one', async () => {
      const [alice, mallory] = [await withPasskey(), await withPasskey()];
      const browser = new BrowserSession(app.url);
      await password(browser, alice.person);
      expect((await signIn(mallory.device, browser, '/login/code')).status).toBe(422);
      expect(browser.cookies.has('sluice')).toBe(false);
      expect((await signIn(mallory.device, alice.browser, '/dashboard/confirm')).status).toBe(422);
      const page = await mallory.browser.get('/dashboard/security/passkeys');
      const again = alice.device.create(ceremonyOf(page), { origin: origin() });
      expect((await send(mallory.browser, page, again, { name: 'x' })).status).toBe(422);
      const path = `/dashboard/security/passkeys/${alice.device.id}/remove`;
      expect((await send(mallory.browser, page, '')).status).toBe(422);
      await mallory.browser.post(path, hiddenFields(page));
      expect(await app.get(Factors).state(alice.person.userId)).toMatchObject({ passkeys: 1 });
    });

    it('what a database cannot store, in the address and in what a browser says of the device', async () => {
      const [{ person, browser }, device] = [await withPasskey(), new SoftwareAuthenticator()];
      const page = await browser.get('/dashboard/security/passkeys');
      const transports = '["usb","a\\u0000",7,["x"],"Y"]';
      const response = device.create(ceremonyOf(page), { origin: origin() }).replace('["internal"]', transports);
      expect((await send(browser, page, response)).location).toBe(`${app.url}/dashboard/security?changed=passkey-on`);
      const stored = 'SELECT transports FROM user_passkey WHERE user_id = $1 AND id = $2';
      expect((await app.pool.query(stored, [person.userId, device.id])).rows).toEqual([{ transports: ['usb'] }]);
      const fields = hiddenFields(await browser.get('/dashboard/security/passkeys'));
      const gone = await browser.post('/dashboard/security/passkeys/%00/remove', fields);
      expect([gone.status, gone.location]).toEqual([303, `${app.url}/dashboard/security/passkeys`]);
    });

    it('an RSA key that costs a hundred times as much to check', async () => {
      const { n = '', e, d } = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' });
      const { browser } = await withPasskey();
      const page = await browser.get('/dashboard/security/passkeys');
      const add = async (key: object): Promise<number> =>
        (await send(browser, page, new SoftwareAuthenticator(key).create(ceremonyOf(page), { origin: origin() }))).status;
      expect(await add({ n, e: d })).toBe(422);
      expect(await add({ n: n.repeat(3), e })).toBe(422);
      expect(await add({ n, e })).toBe(303);
    });

    it('a registration for another origin, without verification, or with a used challenge of a sign-in', async () => {
      const person = await fixture.user();
      const browser = new BrowserSession(app.url);
      await password(browser, person);
      const page = await browser.get('/dashboard/security/passkeys');
      const ceremony = ceremonyOf(page);
      const device = new SoftwareAuthenticator();
      const forged = [
        device.create(ceremony, { origin: 'https://evil.example' }),
        device.create(ceremony, { origin: origin(), verified: false }),
        device.create({ ...ceremony, rp: { id: 'evil.example' } }, { origin: origin() }),
        device.create(
          { ...ceremony, challenge: ceremonyOf(await new BrowserSession(app.url).get('/login')).challenge },
          { origin: origin() },
        ),
        '{"id":"x","response":{}}',
      ];
      for (const response of forged) expect((await send(browser, page, response)).status).toBe(422);
      expect(await app.get(Factors).has(person.userId)).toBe(false);
    });
  });
});
