import { tipping } from '../extensions/tipping/tipping.extension.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, formAction, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { eventually } from '../../src/testing/eventually.js';

const path = ({ location }: Visit): string => new URL(location).pathname + new URL(location).search;

describe('a page of an extension', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let browser: BrowserSession;

  beforeAll(async () => {
    app = await createTestApp({ extensions: [tipping()] });
    fixture = new Fixture(app);
    alice = await fixture.user();
  });
  beforeEach(() => (browser = new BrowserSession(app.url)));
  afterAll(() => app.close());

  const account = (): { email: string; password: string } => ({ email: alice.email, password: PASSWORD });
  const tips = async (): Promise<number> => (await app.pool.query('SELECT FROM tipping.tip')).rowCount ?? 0;

  it('is reached by way of the sign-in, and by the menu of every page', async () => {
    const anonymous = await browser.get('/tips');
    expect(path(anonymous)).toBe('/login?to=%2Ftips');
    const page = await browser.signInOnTheWay(anonymous, account());
    expect([page.url, page.status]).toEqual([`${app.url}/tips`, 200]);
    expect(page.text).toContain('<a href="/tips" aria-current="page">Tips</a>');
    expect((await browser.get('/dashboard')).text).toContain('<a href="/tips">Tips</a>');
  });

  it('acts on a form with the CSRF token of the session only', async () => {
    const { paymentRequest } = await alice.invoice(21, 'tip: thank you');
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(async () => (await tips()) === 1);
    const page = await browser.signInOnTheWay(await browser.get('/tips'), account());
    expect(page.text).toContain('21 sats');
    const forged: readonly Fields[] = [{}, { csrf: 'x'.repeat(60) }];
    for (const fields of forged) {
      expect((await browser.post('/tips/forget', fields)).status).toBe(403);
      expect(await tips()).toBe(1);
    }
    expect((await browser.post('/tips/forget', hiddenFields(page))).status).toBe(400);
    expect(await tips()).toBe(1);
    expect(path(await browser.post('/tips/forget', { ...hiddenFields(page), word: 'forget' }))).toBe('/tips');
    expect(await tips()).toBe(0);
  });

  it('shows a refused form again, with the error and what the person typed', async () => {
    const page = await browser.signInOnTheWay(await browser.get('/tips'), account());
    const refused = await browser.post('/tips/forget', { ...hiddenFields(page), word: '<all>' });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('<a href="#word">Type forget, or leave this page</a>');
    expect(refused.text).toContain('<p class="error" id="word-error">Type forget, or leave this page</p>');
    expect(refused.text).toMatch(/<input id="word"[^>]* value="&lt;all&gt;"[^>]* aria-invalid="true"/);
  });

  it('is where the sign-in leads whose session ended before a form arrived', async () => {
    const page = await browser.signInOnTheWay(await browser.get('/tips'), account());
    await browser.post('/logout', hiddenFields(page));
    expect(path(await browser.post('/tips/forget', hiddenFields(page)))).toBe('/login?session-ended=1&to=%2Ftips');
  });

  it.each([
    '/tips/forget',
    '/tipsy',
    '/tips/1',
    '//tips',
    '/tips/../logout',
    '/login',
    '/register',
    '/consent',
    '/graphql',
    '/assets/style.css',
  ])('is no cover for a sign-in that leads to %s', async (to) => {
    expect(formAction(await browser.get(`/login?to=${encodeURIComponent(to)}`))).toBe('/login');
  });
});
