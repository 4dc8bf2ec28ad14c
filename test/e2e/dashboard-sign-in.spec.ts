import { createTestApp, type TestApp } from '../support/app.js';
import { formAction, BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** A user who has to sign in on the way to a dashboard page arrives at that page, and nowhere else. */
describe('signing in with a return address', () => {
  let app: TestApp;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp({ env: { THROTTLE_REGISTRATION: '100/60' } });
    alice = await new Fixture(app).user();
  });
  afterAll(() => app.close());

  const path = ({ location }: Visit): string => location.replace(app.url, '');
  const account = (): { email: string; password: string } => ({ email: alice.email, password: PASSWORD });
  const linkTo = ({ text }: Visit, page: string): string =>
    new RegExp(`href="(/${page}[^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';

  it.each([
    '/dashboard',
    '/dashboard/keys',
    '/dashboard/keys/new',
    '/dashboard/history?after=6740a1f2-58c1-7d3e-9b02-0c4f6a8e1d77',
    '/dashboard/apps/an-app/disconnect',
  ])('returns to %s', async (wanted) => {
    const browser = new BrowserSession(app.url);
    const login = await browser.get((await browser.get(wanted)).location);
    expect(path(await browser.submit(login, account()))).toBe(wanted);
  });

  it('returns after a wrong password, and after registration', async () => {
    const browser = new BrowserSession(app.url);
    const login = await browser.get((await browser.get('/dashboard/keys')).location);
    const wrong = await browser.submit(login, { ...account(), password: 'not the password' });
    expect(wrong.status).toBe(422);
    const register = await browser.get(linkTo(wrong, 'register'));
    const again = await browser.submit(register, { email: 'eve@example.test', username: 'a', password: PASSWORD });
    expect(again.status).toBe(422);
    const made = await browser.submit(again, { email: 'eve@example.test', username: 'eve', password: PASSWORD });
    const back = await browser.get(made.location);
    expect(path(await browser.submit(back, { email: 'eve@example.test', password: PASSWORD }))).toBe('/dashboard/keys');
    expect(linkTo(register, 'login')).toBe('/login?to=%2Fdashboard%2Fkeys');
  });

  it('fills in the e-mail of a new account once, without using the address', async () => {
    const browser = new BrowserSession(app.url);
    const emails = ['frank+1@example.test', alice.email];
    for (const email of emails) {
      const made = await browser.submit(await browser.get('/register'), { email, username: `frank${email.length}`, password: PASSWORD });
      expect(path(made)).toBe('/login?registered=1');
      expect(emailIn(await browser.get(made.location))).toBe(email);
      expect(emailIn(await browser.get(made.location))).toBe('');
    }
  });

  it('returns at once with a session, unless another user is to sign in', async () => {
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), account());
    expect(path(await browser.get('/login?to=%2Fdashboard%2Fkeys'))).toBe('/dashboard/keys');
    const other = await browser.get('/login?switch=1&to=%2Fdashboard%2Fkeys');
    expect(other.status).toBe(200);
    expect(path(await browser.submit(other, account()))).toBe('/dashboard/keys');
  });

  it('drops a form without a valid CSRF token, and reports it', async () => {
    for (const [form, login] of [
      ['/dashboard/keys', '/login?session-ended=1&to=%2Fdashboard%2Fkeys'],
      ['/dashboard/receive', '/login?session-ended=1&to=%2Fdashboard%2Freceive'],
      ['/logout', '/login?signed-out=1'],
    ] as const) {
      const browser = new BrowserSession(app.url);
      expect(path(await browser.post(form, { csrf: 'x', name: 'Till', amount: '5' }))).toBe(login);
      expect([...browser.cookies.keys()]).toEqual([]);
    }
  });

  it.each([
    'https://evil.example/',
    '//evil.example/dashboard',
    '/\\evil.example',
    '/dashboard//evil.example',
    '/dashboard/..//evil.example',
    '/dashboard/../logout',
    '/dashboard/%2e%2e/logout',
    '/dashboard\\..\\..\\evil.example',
    '/dashboard/\tkeys',
    '/dashboard/keys\r\nlocation: https://evil.example/',
    '/dashboard/keys\n',
    '/dashboard@evil.example',
    '/dashboards',
    'dashboard/keys',
    '/logout',
    '/oauth2/auth?client_id=x',
    'javascript:alert(1)',
    `/dashboard/${'k'.repeat(300)}`,
    '',
  ])('returns to the wallet for %j', async (wanted) => {
    const browser = new BrowserSession(app.url);
    const login = await browser.get(`/login?to=${encodeURIComponent(wanted)}`);
    expect(formAction(login)).toBe('/login');
    const there = await browser.post(`/login?to=${encodeURIComponent(wanted)}`, { ...account(), csrf: csrfOf(login) });
    expect(path(there)).toBe('/dashboard');
  });

  it('returns to the wallet when the parameter is repeated', async () => {
    const login = await new BrowserSession(app.url).get('/login?to=%2Fdashboard%2Fkeys&to=%2Fdashboard%2Fapps');
    expect(formAction(login)).toBe('/login');
  });
});

const emailIn = ({ text }: Visit): string => /<input id="email"[^>]* value="([^"]*)"/.exec(text)?.[1] ?? 'none';
const csrfOf = ({ text }: Visit): string => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
