import { createTestApp, TestBrowser, type TestApp, type TestPage } from '../../../src/testing/index.js';
import { badge } from './badge.extension.js';
import { BadgeProvider } from './badge.provider.js';

describe('an identity provider of an extension, with PASSWORD_SIGN_IN=0', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ identity: BadgeProvider, extensions: [badge()], env: { PASSWORD_SIGN_IN: '0' } });
  });
  afterAll(() => app.close());

  /** Follows redirects to the page of the badge, and fills it in. */
  async function present(browser: TestBrowser, pin: string, path = '/dashboard/keys'): Promise<TestPage> {
    let page = await browser.get(path);
    while (page.location !== '') page = await browser.get(page.location);
    expect(page.text).toContain('Sign in with your badge');
    return browser.submit(page, '/badge/login', { badge: '1001', pin });
  }

  it('replaces the sign-in page: a person comes to their page by it, and is the same person the next time', async () => {
    for (const browser of [new TestBrowser(app.url), new TestBrowser(app.url)]) {
      const back = await present(browser, '7391');
      expect((await browser.get(back.location)).location).toBe(`${app.url}/dashboard/keys`);
      expect((await browser.get('/dashboard')).text).toContain('ada@company.test');
      for (const path of ['security', 'security/passkeys'])
        expect((await browser.get(`/dashboard/${path}`)).text).not.toMatch(/your password|without a password/i);
    }
    const { rows } = await app.pool.query(
      'SELECT u.username, i.issuer, i.subject FROM user_identity i JOIN app_user u ON u.id = i.user_id',
    );
    expect(rows).toEqual([{ username: 'ada', issuer: 'badge', subject: '1001' }]);
  });

  it('attack: a wrong PIN, a ticket of another browser, a changed ticket, and one that is used twice', async () => {
    const [browser, other] = [new TestBrowser(app.url), new TestBrowser(app.url)];
    expect((await present(browser, '0000')).status).toBe(403);
    const { location } = await present(browser, '7391');
    await present(other, '7391');
    expect([(await other.get(location)).status, (await other.get('/dashboard')).status]).toEqual([403, 303]);
    await present(other, '7391');
    expect((await other.get(location.replace('badge=1001', 'badge=1002'))).status).toBe(403);
    expect((await browser.get(location)).status).toBe(303);
    expect((await browser.get(location)).status).toBe(400);
    expect((await new TestBrowser(app.url).get(location)).status).toBe(400);
  });
});
