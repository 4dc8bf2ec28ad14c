import { createTestApp, type TestApp } from '../support/app.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const signIn = async (session: BrowserSession, { email }: Person): Promise<Visit> =>
  session.submit(await session.get('/login'), { email, password: PASSWORD });

describe('A-21: session fixation', () => {
  let app: TestApp;
  let alice: Person;
  let mallory: Person;
  beforeAll(async () => {
    app = await createTestApp();
    const fixture = new Fixture(app);
    [alice, mallory] = [await fixture.user(), await fixture.user()];
  });
  afterAll(() => app.close());

  const isIn = async (token: string): Promise<boolean> => {
    const browser = new BrowserSession(app.url);
    browser.cookies.set('sluice', token);
    return (await browser.get('/dashboard')).status === 200;
  };

  it('sign-in replaces a session cookie that was set before', async () => {
    const browser = new BrowserSession(app.url);
    const planted = `sluice_st_${'a'.repeat(49)}`;
    browser.cookies.set('sluice', planted);
    await signIn(browser, alice);
    expect(browser.cookies.get('sluice')).not.toBe(planted);
    expect([await isIn(browser.cookies.get('sluice') ?? ''), await isIn(planted)]).toEqual([true, false]);
  });

  it('each sign-in creates its own session: a planted session does not enter another account', async () => {
    const theirs = new BrowserSession(app.url);
    await signIn(theirs, mallory);
    const planted = theirs.cookies.get('sluice') ?? '';
    const browser = new BrowserSession(app.url);
    browser.cookies.set('sluice', planted);
    // Alice signs in over the session of another user.
    const page = await browser.get('/login?switch=1');
    await browser.submit(page, { email: alice.email, password: PASSWORD });
    expect(browser.cookies.get('sluice')).not.toBe(planted);
    expect((await theirs.get('/dashboard')).text).toContain(mallory.email);
    expect((await theirs.get('/dashboard')).text).not.toContain(alice.email);
    expect((await browser.get('/dashboard')).text).toContain(alice.email);
  });

  it('a CSRF token from before the sign-in is refused after it, and one of another session always', async () => {
    const browser = new BrowserSession(app.url);
    const login = await browser.get('/login');
    const csrf = /name="csrf" value="([^"]*)"/.exec(login.text)?.[1] ?? '';
    await browser.submit(login, { email: alice.email, password: PASSWORD });
    expect((await browser.post('/logout', { csrf })).status).toBe(403);
    const other = new BrowserSession(app.url);
    await signIn(other, alice);
    const theirs = /name="csrf" value="([^"]*)"/.exec((await other.get('/dashboard')).text)?.[1] ?? '';
    expect((await browser.post('/logout', { csrf: theirs })).status).toBe(403);
    expect((await browser.get('/dashboard')).status).toBe(200);
  });

  it('signing out ends the session on the server as well as in the browser', async () => {
    const browser = new BrowserSession(app.url);
    await signIn(browser, alice);
    const token = browser.cookies.get('sluice') ?? '';
    await browser.submit(await browser.get('/logout'), {});
    expect(await isIn(token)).toBe(false);
    expect(browser.cookies.has('sluice')).toBe(false);
  });

  it('an API session’s token is refused as a page cookie', async () => {
    const { authorization = '' } = await new Fixture(app).session(alice);
    expect(await isIn(authorization.slice('Bearer '.length))).toBe(false);
  });
});

describe('A-22: cookies of a neighbouring host', () => {
  let app: TestApp;
  let alice: Person;
  let origin: string;
  beforeAll(async () => {
    app = await createTestApp({ env: { PUBLIC_URL: 'https://localhost' } });
    origin = `http://127.0.0.1:${app.sluice.config.port}`;
    alice = await new Fixture({ ...app, url: origin }).user();
  });
  afterAll(() => app.close());

  it('every cookie is bound to this host: __Host-, Secure, HttpOnly, SameSite=Lax, Path=/', async () => {
    const shop = await newOAuthApp({ ...app, url: origin });
    const browser = new BrowserSession(origin);
    const set: string[] = [];
    const note = (visit: Visit): Visit => (set.push(...visit.headers.getSetCookie()), visit);
    note(await browser.get(shop.authorizeUrl()));
    note(await browser.submit(note(await browser.get('/login')), { email: alice.email, password: PASSWORD }));
    expect(set.length).toBeGreaterThanOrEqual(3);
    for (const cookie of set) {
      expect(cookie).toMatch(/^__Host-sluice/);
      for (const attribute of ['Path=/', 'Secure', 'HttpOnly', 'SameSite=Lax']) expect(cookie.split('; ')).toContain(attribute);
      expect(cookie).not.toMatch(/Domain=/i);
    }
  });

  it('a cookie without the prefix is ignored', async () => {
    const browser = new BrowserSession(origin);
    await signIn(browser, alice);
    const token = browser.cookies.get('__Host-sluice') ?? '';
    expect((await browser.get('/dashboard')).status).toBe(200);
    const tossed = new BrowserSession(origin);
    tossed.cookies.set('sluice', token);
    expect((await tossed.get('/dashboard')).location).toBe(`${origin}/login`);
    // Nor is the token of forms read from a cookie without the prefix.
    tossed.cookies.set('sluice-presession', browser.cookies.get('__Host-sluice-presession') ?? '');
    const page = await browser.get('/login?switch=1');
    expect((await tossed.submit(page, { email: alice.email, password: PASSWORD })).status).toBe(403);
  });
});

it('A-39: the sign-in page names the app and the host to which it returns', async () => {
  const app = await createTestApp();
  const shop = await newOAuthApp(app);
  const browser = new BrowserSession(app.url);
  const { text } = await browser.get((await browser.get(shop.authorizeUrl())).location);
  for (const words of ['Corner Coffee', 'app.example.test']) expect(text).toContain(words);
  // In another browser the link does not even reveal which app asks.
  const stolen = await new BrowserSession(app.url).get((await browser.get(shop.authorizeUrl())).location);
  expect(stolen.text).not.toContain('Corner Coffee');
  await app.close();
});
