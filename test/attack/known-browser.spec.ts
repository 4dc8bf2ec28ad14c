import { SignInService, type SignInOutcome } from '../../src/access/session/index.js';
import { REAL_HASHES, createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const ADDRESS_LIMIT = 20;
const DEVICE_LIMIT = 10;
const WRONG = 'not the password';

describe('A-38: attackers beside the owner', () => {
  let app: TestApp;
  let alice: Person;
  let bob: Person;
  let addresses = 0;
  beforeAll(async () => {
    app = await createTestApp({
      settings: { PasswordSettings: REAL_HASHES },
      env: {
        TRUST_PROXY: '1',
        THROTTLE_SIGN_IN_ADDRESS: `${ADDRESS_LIMIT}/3600`,
      },
    });
    const fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterAll(() => app.close());

  const elsewhere = (): string => `203.0.113.${++addresses}`;
  const signIn = (email: string, password: string, address: string, browser = new BrowserSession(app.url)): Promise<Visit> =>
    browser.signInFrom(address, { email, password });
  /** A browser in which this person has signed in before, and signed out. */
  const knownBrowser = async ({ email }: Person): Promise<BrowserSession> => {
    const browser = new BrowserSession(app.url);
    expect((await signIn(email, PASSWORD, elsewhere(), browser)).status).toBe(303);
    browser.cookies.delete('sluice');
    return browser;
  };
  const attempt = (email: string, password: string, address: string): Promise<SignInOutcome> =>
    app.get(SignInService).signIn({ email, password, address, userAgent: '', purpose: 'api' });
  /** Sends wrong passwords until the address has used up its limit and no password is compared at once. */
  const useUp = async (address: string): Promise<void> => {
    for (let i = 0; i < ADDRESS_LIMIT; i++) await attempt(`person${i}@example.test`, WRONG, address);
  };

  it('an attacker who exhausts an address does not lock out the owner in a known browser behind it', async () => {
    const browser = await knownBrowser(alice);
    const here = elsewhere();
    await useUp(here);
    const waiting = [attempt(bob.email, WRONG, here), attempt(bob.email, WRONG, here)];
    expect((await signIn(alice.email, PASSWORD, here, browser)).status).toBe(303);
    await Promise.all(waiting);
  });

  it('an unknown browser of the owner behind such an address gets 429 until the window ends, and signs in elsewhere', async () => {
    const here = elsewhere();
    await useUp(here);
    const refused = await signIn(alice.email, PASSWORD, here);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect(refused.headers.get('ratelimit')).toContain('"sign-in-address";r=0;');
    expect((await signIn(alice.email, PASSWORD, elsewhere())).status).toBe(303);
  });

  it('250 attacking addresses at once do not delay a known browser', async () => {
    const browser = await knownBrowser(alice);
    const ALL = 250;
    let through = 0;
    let isOver = false;
    const isGone = (): boolean => isOver;
    const flood = Promise.all(
      Array.from({ length: ALL }, (_, i) =>
        app
          .get(SignInService)
          .signIn({ email: bob.email, password: WRONG, address: `2001:db8:0:${i}::`, userAgent: '', purpose: 'api', isGone })
          .then(() => through++),
      ),
    );
    expect((await signIn(alice.email, PASSWORD, elsewhere(), browser)).status).toBe(303);
    expect(through).toBeLessThan(ALL / 2);
    isOver = true;
    await flood;
  });

  it('a known browser has its own limit, which no address shares; beyond it, it counts as unknown', async () => {
    const [browser, other] = [await knownBrowser(alice), await knownBrowser(alice)];
    const here = elsewhere();
    for (let i = 0; i < DEVICE_LIMIT; i++) expect((await signIn(alice.email, WRONG, here, browser)).status).toBe(422);
    const asStranger = await signIn(alice.email, WRONG, here, browser);
    expect(asStranger.status).toBe(422);
    expect(asStranger.headers.get('ratelimit')).toContain('"sign-in-account";r=9;');
    expect((await signIn(alice.email, WRONG, here, other)).headers.get('ratelimit')).toContain('"sign-in-device";r=9;');
    expect((await signIn(alice.email, PASSWORD, here, browser)).status).toBe(303);
  });

  it('a browser that is known for one account is unknown for all others', async () => {
    const browser = await knownBrowser(bob);
    const wrong = await signIn(alice.email, WRONG, elsewhere(), browser);
    expect(wrong.headers.get('ratelimit')).toContain('"sign-in-account";r=9;');
    const own = await signIn(bob.email, WRONG, elsewhere(), browser);
    expect(own.headers.get('ratelimit')).toContain('"sign-in-device";r=9;');
  });
});

describe('X-Forwarded-For without TRUST_PROXY', () => {
  it('is warned about once', async () => {
    const app = await createTestApp();
    const ask = (): Promise<Response> => fetch(`${app.url}/login`, { headers: { 'x-forwarded-for': '198.51.100.7' } });
    for (let i = 0; i < 3; i++) await ask();
    const said = app.logs.filter((line) => line.includes('TRUST_PROXY'));
    await app.close();
    expect(said).toHaveLength(1);
    expect(said[0]).not.toContain('198.51.100.7');
  });

  it('is not warned about with TRUST_PROXY', async () => {
    const app = await createTestApp({ env: { TRUST_PROXY: '1' } });
    await fetch(`${app.url}/login`, { headers: { 'x-forwarded-for': '198.51.100.7' } });
    const said = app.logs.filter((line) => line.includes('TRUST_PROXY'));
    await app.close();
    expect(said).toEqual([]);
  });
});
