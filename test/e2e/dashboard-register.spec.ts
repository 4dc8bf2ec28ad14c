import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The form that opens an account names the faults of all fields at once. */
describe('POST /register', () => {
  let app: TestApp;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp({ env: { THROTTLE_REGISTRATION: '100/60' } });
    alice = await new Fixture(app).user({ username: 'alina' });
  });
  afterAll(() => app.close());

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

  it.each([
    ['ab', 'Username is too short', 'Use at least 3 characters (you entered 2).'],
    ['a'.repeat(51), 'Username is too long', 'Use at most 50 characters (you entered 51).'],
  ])('a username of the wrong length is reported: %s', async (username, summary, beside) => {
    for (const more of [{}, { password: 'short' }])
      expect(saidOf(await register({ username, ...more }), 'username')).toEqual([summary, beside]);
  });

  it('a known e-mail gets the same page as a new one', async () => {
    const browsers = [new BrowserSession(app.url), new BrowserSession(app.url)];
    const pages = await Promise.all(
      [alice.email, 'new@example.test'].map(async (email, index) => {
        const browser = browsers[index] as BrowserSession;
        const made = await browser.submit(await browser.get('/register'), { email, username: `name${index}`, password: PASSWORD });
        return (await browser.get(made.location)).text.replaceAll(email, 'E-MAIL').replace(/name="csrf" value="[^"]*"/, '');
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
