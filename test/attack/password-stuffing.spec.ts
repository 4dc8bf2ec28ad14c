import { RateLimiter } from '../../src/edge/rate-limit/index.js';
import { SignInService, type SignInOutcome } from '../../src/access/session/index.js';
import { REAL_HASHES, createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const ADDRESS_LIMIT = 40;

describe('A-38: credential stuffing', () => {
  let app: TestApp;
  let alice: Person;
  let bob: Person;
  let addresses = 0;
  beforeAll(async () => {
    app = await createTestApp({
      settings: { PasswordSettings: REAL_HASHES },
      env: { TRUST_PROXY: '1', THROTTLE_SIGN_IN_ADDRESS: `${ADDRESS_LIMIT}/3600` },
    });
    const fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user()];
  });
  afterAll(() => app.close());

  const elsewhere = (): string => `198.51.100.${++addresses}`;
  /** Signs in on the page, from a browser at this address. */
  const signIn = (email: string, password: string, address: string, browser = new BrowserSession(app.url)): Promise<Visit> =>
    browser.signInFrom(address, { email, password });

  const script = (email: string, password: string, address: string): Promise<Response> =>
    fetch(`${app.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email, password }),
    });
  const attempt = (email: string, address: string): Promise<SignInOutcome> =>
    app.get(SignInService).signIn({ email, password: PASSWORD, address, userAgent: '', purpose: 'api' });

  it('an address has one limit for all accounts together, by page and API, and other addresses are not affected', async () => {
    const here = elsewhere();
    for (let i = 0; i < ADDRESS_LIMIT; i++) await script(`person${i}@example.test`, 'hunter2-hunter2', here);
    const closed = await signIn(bob.email, 'hunter2-hunter2', here);
    expect(closed.status).toBe(429);
    expect(closed.headers.get('ratelimit')).toContain('"sign-in-address";r=0;');
    expect((await script(bob.email, 'hunter2-hunter2', here)).status).toBe(429);
    expect((await signIn(bob.email, PASSWORD, elsewhere())).status).toBe(303);
  });

  it('an address with only right passwords does not fill the queue of others', async () => {
    const busy = elsewhere();
    let left = 600;
    const flood = Promise.all(Array.from({ length: 600 }, () => attempt(bob.email, busy).finally(() => left--)));
    const outcomes = [];
    for (let i = 0; i < 5; i++) outcomes.push((await attempt(alice.email, elsewhere())).kind);
    expect(outcomes).toEqual(Array(5).fill('signed_in'));
    // They were not behind the whole flood.
    expect(left).toBeGreaterThan(0);
    await flood;
    // The address can sign in again after its flood.
    expect((await attempt(bob.email, busy)).kind).toBe('signed_in');
  });

  it('nine addresses with only right passwords, for one ordinary account, neither delay nor lock out others', async () => {
    const nine = Array.from({ length: 9 }, elsewhere);
    const ALL = 9 * 32;
    let through = 0;
    const flood = Promise.all(Array.from({ length: ALL }, (_, i) => attempt(bob.email, nine[i % 9] ?? '').then(() => through++)));
    const owners = [(await script(alice.email, PASSWORD, elsewhere())).status];
    expect(through).toBeLessThan((ALL * 3) / 4);
    for (let i = 0; i < 2; i++) owners.push((await script(alice.email, PASSWORD, elsewhere())).status);
    // This puts every address over its limit, which refuses the rest of the flood: comparing all of it would take seconds.
    for (const address of nine) for (let i = 0; i <= ADDRESS_LIMIT; i++) await app.get(RateLimiter).consume('signInAddress', address);
    await flood;
    expect(owners).toEqual(Array(3).fill(200));
  });

  it('a queue that is long because of many addresses does not delay the owner', async () => {
    const crowd = Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        app
          .get(SignInService)
          .signIn({ email: `x${i}@example.test`, password: 'x'.repeat(12), address: elsewhere(), userAgent: '', purpose: 'api' }),
      ),
    );
    expect((await signIn(alice.email, PASSWORD, elsewhere())).status).toBe(303);
    await crowd;
  });
});
