import type { Browser, Page } from 'playwright-core';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

describeInBrowser('a page that stays open', () => {
  let app: TestApp;
  let fixture: Fixture;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let alice: Person;

  beforeAll(async () => {
    [app, browser] = await Promise.all([createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1' } }), launchChromium()]);
    fixture = new Fixture(app);
    alice = await fixture.user({ username: 'alice' });
    tab = await Tab.open(browser);
    page = tab.page;
    await signIn(page);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });
  afterEach(() => expect(tab.complaints.splice(0)).toEqual([]));

  async function signIn(on: Page): Promise<void> {
    await on.goto(`${app.url}/login`);
    await on.getByLabel('E-mail').fill(alice.email);
    await on.getByLabel('Password').fill(PASSWORD);
    await on.getByRole('button', { name: 'Sign in', exact: true }).click();
    await on.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor();
  }

  it('the page of an invoice shows its expiry and changes its title', async () => {
    // Once in many attempts the page is there before the end.
    await eventually(async () => {
      const { paymentHash } = await alice.invoice(1_000);
      await new TimeTravel(app).invoiceEndsIn(paymentHash, 4_000);
      await page.goto(`${app.url}/dashboard/receive/${paymentHash}`);
      return (await page.title()) === 'Receive 1,000 sats - Sluice';
    });
    await page.getByRole('heading', { name: 'Invoice expired' }).waitFor();
    expect(await page.title()).toBe('Invoice expired - Sluice');
    expect(await page.getByRole('status').innerText()).toBe('Invoice expired');
    await tab.picture('alive/expired');
  });

  it('the page of an invoice changes its title when it is paid', async () => {
    const { paymentHash, paymentRequest } = await alice.invoice(1_000);
    await page.goto(`${app.url}/dashboard/receive/${paymentHash}`);
    await fixture.simulator.payOutside(paymentRequest);
    await page.getByRole('heading', { name: 'Received 1,000 sats' }).waitFor();
    expect(await page.title()).toBe('Received 1,000 sats - Sluice');
  });

  it('the page of a pending payment shows the preimage when it settles', async () => {
    await fixture.fund(alice, 50_000);
    const { paymentRequest, paymentHash, preimage } = await fixture.outside(4_200, { hold: true });
    const { transaction } = await alice.pay(paymentRequest);
    await page.goto(`${app.url}/dashboard/history/${transaction.id as string}`);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Reference']);
    await fixture.release(paymentHash);
    await page.getByRole('heading', { name: 'Proof' }).waitFor();
    await page.getByText(preimage).waitFor();
    expect(await page.title()).toBe('Sent: from outside - Sluice');
  });

  it.each([true, false])('the page of a pending payment shows its end, though no event came (script: %s)', async (script) => {
    await fixture.fund(alice, 50_000);
    const { paymentRequest, paymentHash } = await fixture.outside(4_200, { hold: true });
    const { transaction } = await alice.pay(paymentRequest);
    const other = await Tab.open(browser, { width: 390, script });
    await other.page.route('**/dashboard/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: '' }));
    await signIn(other.page);
    await other.page.goto(`${app.url}/dashboard/history/${transaction.id as string}`);
    await other.page.getByText('Payment pending.').waitFor();
    await other.picture(`alive/pending-390-${script ? 'script' : 'plain'}`);
    await fixture.release(paymentHash);
    await other.page.getByRole('heading', { name: 'Proof' }).waitFor();
    expect([await other.page.title(), other.complaints]).toEqual(['Sent: from outside - Sluice', []]);
    await other.close();
  });

  it('shows what happened while its connection was lost', async () => {
    const other = await Tab.open(browser);
    await signIn(other.page);
    let connections = 0;
    await other.page.route('**/dashboard/events', async (route) => {
      // Two connections that carry no event; the second begins after the payment.
      if (connections++ > 0) await fixture.fund(alice, 7_654_321);
      await route.fulfill({ contentType: 'text/event-stream', body: `retry: ${connections > 1 ? 60_000 : 10}\n\n` });
    });
    await other.page.goto(`${app.url}/dashboard`);
    await other.page.getByText('+7,654,321 sats').waitFor();
    expect([connections, other.complaints]).toEqual([2, []]);
    await other.close();
  });

  it('leads from a download to the sign-in once the session has ended', async () => {
    const other = await Tab.open(browser);
    await signIn(other.page);
    await other.page.goto(`${app.url}/dashboard/history`);
    await other.context.clearCookies();
    await other.page.getByRole('link', { name: 'Download CSV' }).click();
    await expect(other.page.getByRole('heading', { name: 'Sign in' }).waitFor()).resolves.toBeUndefined();
    await other.close();
  });

  it('sends a form once, though its button is pressed twice', async () => {
    const made = await app.get(ApiKeyService).create({ userId: alice.userId, name: 'Till', scopes: ['read'], expireInDays: null });
    if (made.kind !== 'created') throw new Error(made.kind);
    await page.goto(`${app.url}/dashboard/keys/${made.apiKey.id}`);
    // The browser stays on the page: what it would send is counted. To roll the key twice would end its old secret at once.
    await page.evaluate('sent = 0, onsubmit = (event) => (event.preventDefault(), sent++)');
    const button = page.getByRole('button', { name: 'Roll this key' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect([await page.evaluate('sent'), await button.isDisabled()]).toEqual([1, true]);
  });

  it('a button says that it works, takes one click, and is as it was after Back', async () => {
    await fixture.fund(alice, 50_000);
    const { paymentRequest } = await fixture.outside(4_200);
    await page.goto(`${app.url}/dashboard/send`);
    await page.getByLabel('Recipient').fill(paymentRequest);
    await page.getByRole('button', { name: 'Review payment' }).click();
    // The browser stays on the page: what it would send is counted.
    await page.evaluate('sent = 0, onsubmit = (event) => (event.preventDefault(), sent++)');
    await page.getByRole('button', { name: 'Send 4,200 sats' }).dblclick({ delay: 50 });
    const working = page.getByRole('button', { name: 'Sending…' });
    expect([await working.isDisabled(), await page.getByRole('status').innerText()]).toEqual([true, 'Sending…']);
    expect(await page.evaluate('sent')).toBe(1);
    await tab.picture('alive/sending');
    await page.evaluate(`dispatchEvent(new Event('pagehide'))`);
    await page.getByRole('button', { name: 'Send 4,200 sats', disabled: false }).click();
    expect(await page.evaluate('sent')).toBe(2);
  });

  it('the printed receipt has no navigation', async () => {
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(await page.getByRole('main').getByRole('link', { name: 'History' }).isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ media: null });
  });

  it.each([
    ['UTC', /^\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d UTC$/],
    ['Asia/Kolkata', /^\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d \(\d\d:\d\d:\d\d UTC\)$/],
  ])('pages show UTC once to a browser in %s', async (timezoneId, pattern) => {
    const context = await browser.newContext({ timezoneId });
    const elsewhere = await context.newPage();
    await signIn(elsewhere);
    await elsewhere.getByRole('list').getByRole('link', { name: 'Lightning payment' }).first().click();
    await elsewhere
      .getByRole('heading', { name: 'Proof' })
      .or(elsewhere.getByRole('heading', { name: 'Reference' }))
      .waitFor();
    const times = await elsewhere.locator('time[data-local=exact]').allInnerTexts();
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) expect(time).toMatch(pattern);
    await context.close();
  });

  it.each([true, false])('"Receive" focuses the amount on a phone (script: %s)', async (script) => {
    const phone = await Tab.open(browser, { width: 390, script });
    await signIn(phone.page);
    await phone.page.getByRole('link', { name: 'Receive', exact: true }).click();
    await expect(phone.page.locator('#amount:focus').waitFor()).resolves.toBeUndefined();
    const top = (await phone.page.getByText('Amount to request', { exact: true }).boundingBox())?.y ?? -1;
    expect(top).toBeGreaterThanOrEqual(0);
    await phone.picture(`alive/receive-390-${script ? 'script' : 'plain'}`);
    await phone.close();
  });

  it.each([true, false])('"Send" shows the recipient in the first screen of a small phone (script: %s)', async (script) => {
    const phone = await Tab.open(browser, { width: 360, script });
    await phone.page.setViewportSize({ width: 360, height: 640 });
    await signIn(phone.page);
    await phone.page.getByRole('link', { name: 'Send', exact: true }).click();
    const { y = 0, height = 0 } = (await phone.page.getByLabel('Recipient').boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(640);
    expect(await phone.page.evaluate('scrollY')).toBe(0);
    await phone.picture(`alive/send-360-${script ? 'script' : 'plain'}`);
    await phone.close();
  });

  it('keeps the focus on the twin of a focused link that an event replaces', async () => {
    await page.goto(`${app.url}/dashboard`);
    const link = page.getByRole('link', { name: 'All history' });
    await link.focus();
    await page.evaluate('document.getElementById("activity").dataset.old = ""');
    await fixture.fund(alice, 1_000);
    await page.locator('[data-old]').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('All history');
  });

  it('moves the focus to the content when the focused button is gone', async () => {
    const { paymentHash, paymentRequest } = await alice.invoice(1_000);
    await page.goto(`${app.url}/dashboard/receive/${paymentHash}`);
    await page.getByRole('button', { name: 'Cancel invoice' }).focus();
    await fixture.simulator.payOutside(paymentRequest);
    await page.getByRole('heading', { name: 'Received 1,000 sats' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });
});
