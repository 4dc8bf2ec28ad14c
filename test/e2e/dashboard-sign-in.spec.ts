import { createTestApp, type TestApp } from '../support/app.js';
import { formAction, BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

let app: TestApp;
let alice: Person;

beforeAll(async () => {
  app = await createTestApp({ env: { THROTTLE_REGISTRATION: '100/60' } });
  alice = await new Fixture(app).user({ username: 'alina' });
});
afterAll(() => app.close());

/** A user who has to sign in on the way to a dashboard page arrives at that page, and nowhere else. */
describe('signing in with a return address', () => {
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

/** The form that opens an account names the faults of all fields at once. */
describe('POST /register', () => {
  const register = async (fields: { email?: string; username?: string; password?: string }): Promise<Visit> => {
    const browser = new BrowserSession(app.url);
    const form = await browser.get('/register');
    return browser.submit(form, { email: 'eve@example.test', username: 'eve', password: PASSWORD, ...fields });
  };
  /** The text of the summary's link to a field, and the error beside that field. */
  const saidOf = ({ text }: Visit, field: string): string[] =>
    [new RegExp(`<a href="#${field}">(.*?)</a>`, 's'), new RegExp(`id="${field}-error">(.*?)</p>`, 's')].map((pattern) =>
      (pattern.exec(text)?.[1] ?? '').replace(/<[^>]*>/g, ''),
    );

  it('says which wallets an account has', async () => {
    expect((await new BrowserSession(app.url).get('/register')).text).toContain('Comes with a Bitcoin wallet and a US dollar wallet.');
  });

  it.each([
    ['alone', {}],
    ['with a password that is too short', { password: 'short' }],
    ['with an e-mail that is none', { email: 'eve' }],
  ])('a taken username is reported, with proposals: %s', async (_, more) => {
    const page = await register({ username: 'Alina', ...more });
    expect(page.status).toBe(422);
    const [summary, beside] = saidOf(page, 'username');
    expect(summary).toBe('Username Alina is taken');
    expect(beside).toMatch(/^Alina is taken\. \w+ and \w+ are available\.$/);
  });

  it.each<[string, string, unknown]>([
    ['ab', 'Username is too short', 'Use at least 3 characters (you entered 2).'],
    ['a'.repeat(51), 'Username is too long', 'Use at most 50 characters (you entered 51).'],
    ['Refund', 'This name is reserved', 'This name is reserved. Choose another.'],
    ['1refund', 'This username isn’t allowed', expect.stringContaining('It can’t start with 1')],
  ])('a username that breaks a rule is reported with that rule: %s', async (username, summary, beside) => {
    for (const more of [{}, { password: 'short' }])
      expect(saidOf(await register({ username, ...more }), 'username')).toEqual([summary, beside]);
  });

  it('a known e-mail gets the same page as a new one', async () => {
    const browsers = [new BrowserSession(app.url), new BrowserSession(app.url)];
    const pages = await Promise.all(
      [alice.email, 'new@example.test'].map(async (email, index) => {
        const browser = browsers[index] as BrowserSession;
        const made = await browser.submit(await browser.get('/register'), { email, username: `name${index}`, password: PASSWORD });
        return (await browser.get(made.location)).text.replaceAll(email, 'E-MAIL').replaceAll(/(value|data-passkey|nonce)="[^"]*"/g, '');
      }),
    );
    expect(pages[0]).toContain('If you already have an account, use its password.');
    expect(pages[0]).toBe(pages[1]);
  });

  it('a person who is signed in as another is asked to sign in', async () => {
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
    const made = await browser.submit(await browser.get('/register'), { email: 'erin@example.test', username: 'erin', password: PASSWORD });
    expect(await browser.get(made.location)).toMatchObject({ status: 200, text: expect.stringContaining('Account ready.') });
  });
});
