import { createTestApp, eventually, TestBrowser, TestUser, type TestApp } from '../../src/testing/index.js';
import { AcmeBackend } from '../extensions/acme/acme.backend.js';
import { tipping } from '../extensions/tipping/tipping.extension.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

describe('createTestApp', () => {
  it.each([
    ['a demo without seeded users', undefined],
    ['a production server with its own back end', AcmeBackend],
  ])('is ready as %s', async (_what, lightning) => {
    const database = await createTestDatabase();
    const app = await createTestApp({ connection: database.connection, ...(lightning && { lightning }) });
    try {
      const ready = await eventually(async () => {
        const answer = await fetch(`${app.url}/health/ready`);
        return answer.status === 200 && (await answer.json());
      });
      expect(ready).toEqual({ status: 'ok' });
    } finally {
      await app.close();
      await database.drop();
    }
  });
});

describe('TestUser.signIn()', () => {
  let database: TestDatabase;
  let app: TestApp;
  let alice: TestUser;
  let browser: TestBrowser;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await createTestApp({ connection: database.connection, extensions: [tipping()] });
    alice = await TestUser.create(app);
    browser = await alice.signIn();
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  it('returns a browser that fetches pages as this person, and as no other', async () => {
    const page = await browser.get('/tips');
    expect([page.status, page.location]).toEqual([200, '']);
    expect(page.text).toContain(alice.email);
    const other = await (await TestUser.create(app)).signIn();
    expect((await other.get('/tips')).text).not.toContain(alice.email);
    expect((await new TestBrowser(app.url).get('/tips')).location).toBe(`${app.url}/login?to=%2Ftips`);
  });

  it('gives the cookies of the session to other requests', async () => {
    const answer = await fetch(`${app.url}/tips`, { headers: browser.headers, redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(alice.email) as string]);
  });

  it('sends a form of a page with its CSRF token', async () => {
    const page = await browser.get('/tips');
    expect(await browser.submit(page, '/tips/forget', { word: 'forget' })).toMatchObject({ status: 303, location: `${app.url}/tips` });
    const refused = await browser.submit(page, '/tips/forget', { word: '"all" & more' });
    expect([refused.status, refused.text.includes('value="&quot;all&quot; &amp; more"')]).toEqual([422, true]);
    const forged = await browser.submit({ ...page, text: '<form action="/tips/forget"></form>' }, '/tips/forget', { word: 'forget' });
    expect(forged.status).toBe(403);
    const repeated = await browser.submit(page, '/tips/forget', { word: ['forget', 'forget'] });
    expect(repeated.status).toBe(422);
  });

  it('returns a browser whose session ends with the sign-out', async () => {
    const leaving = await alice.signIn();
    await leaving.submit(await leaving.get('/tips'), '/logout');
    expect((await leaving.get('/tips')).location).toContain('/login');
    expect((await browser.get('/tips')).status).toBe(200);
  });

  it('throws where the page has no such form, and for an address of another site', async () => {
    const page = await browser.get('/tips');
    await expect(browser.submit(page, '/tips/remember')).rejects.toThrow('The page has no form with the action /tips/remember');
    await expect(browser.get('https://elsewhere.example/')).rejects.toThrow('https://elsewhere.example/ is not a page of');
  });

  it('throws when the sign-in is refused', async () => {
    const carol = await TestUser.create(app);
    await app.pool.query('UPDATE app_user SET password_hash = $2 WHERE id = $1', [carol.userId, 'x']);
    await expect(carol.signIn()).rejects.toThrow('The sign-in was refused with');
  });
});
