import type { Browser, Page } from 'playwright-core';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The lines into which the browser breaks the Lightning address. */
const LINES_OF_ADDRESS = `(() => {
  const letters = [...document.getElementById('address').childNodes].flatMap((node) =>
    [...(node.data ?? '')].map((letter, at) => {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return [letter, range.getBoundingClientRect().top];
    }),
  );
  const tops = [...new Set(letters.map(([, top]) => top))];
  return tops.map((line) => letters.filter(([, top]) => top === line).map(([letter]) => letter).join(''));
})()`;

/** Visible controls of less than 44 by 44 pixels. Links inside a sentence are no controls (WCAG 2.2, 2.5.8). */
const SMALL_TARGETS = `[...document.querySelectorAll(
  'a.button, button, input:not([type=hidden], [type=checkbox]), select, nav a, label.scope, .activity li, th a, .line > a',
)]
  .filter((element) => element.checkVisibility())
  .map((element) => [element.textContent.trim() || element.id, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44)
  .map(([name, { width, height }]) => name + ': ' + width + ' x ' + height)`;

describeInBrowser('the pages of a running server', () => {
  let app: TestApp;
  let fixture: Fixture;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let alice: Person;
  let coffee: OAuthApp;

  beforeAll(async () => {
    [app, browser] = await Promise.all([createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1' } }), launchChromium()]);
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 100_000, username: 'alice' });
    coffee = await newOAuthApp(app, { verified: true });
    tab = await Tab.open(browser);
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const open = (path: string): Promise<unknown> => page.goto(`${app.url}${path}`);
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const heading = (): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
  /** In one look: states.spec.ts inspects every page in all of them. */
  const expectSound = async (name: string): Promise<void> => {
    await tab.picture(`pages/${name}`);
    expect([...(await tab.findings()), ...tab.complaints.splice(0)]).toEqual([]);
  };

  async function signIn(): Promise<void> {
    await page.getByLabel('E-mail').fill(alice.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press('Sign in');
  }

  it('before the sign-in', async () => {
    await open('/register');
    await expectSound('register');
    await open('/login');
    await expectSound('login');
    await page.getByLabel('E-mail').fill(alice.email);
    await page.getByLabel('Password').fill('something else');
    await press('Sign in');
    await expectSound('login-wrong');
    await open(coffee.authorizeUrl({ scope: 'read receive write offline openid' }));
    await expectSound('login-for-app');
  });

  it('consent', async () => {
    await signIn();
    expect(await heading()).toBe('Connect Corner Coffee to your wallet?');
    await expectSound('consent');
    await page.locator('input[value=write]').check();
    await expectSound('consent-with-money');
    await page.getByLabel('Spending limit').fill('all');
    await press('Allow');
    await expectSound('consent-limit-error');
    expect(await page.locator('input[value=write]').isChecked()).toBe(true);
    await page.getByLabel('Spending limit').fill('');
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await press('Allow');
    await page.getByRole('link', { name: 'Choose at least one permission, or deny.' }).click();
    expect(await page.evaluate('location.hash')).toBe('#permissions');
    await expectSound('consent-nothing-chosen');
  });

  it('consent of a connected app, over a sign-in', async () => {
    await coffee.code(alice, { scope: 'read write' });
    await open(coffee.authorizeUrl({ scope: 'read receive write', prompt: 'consent' }));
    expect(await heading()).toBe('Corner Coffee is connected and asks again');
    await page.locator('input[value=receive]').uncheck();
    await page.locator('input[value=write]').check();
    await page.getByLabel('Spending limit').fill('6,500');
    await page.getByLabel('Time of the limit').selectOption('monthly');
    await fixture.endSessions(alice);
    await press('Allow');
    expect(await page.getByRole('main').innerText()).toContain('Your session has ended, so this form was not carried out.');
    await signIn();
    expect(await heading()).toBe('Corner Coffee is connected and asks again');
    await open(coffee.authorizeUrl({ redirect_uri: 'https://elsewhere.example/' }));
    await expectSound('error-client');
    await open(`/consent?consent_challenge=${'x'.repeat(43)}`);
    await expectSound('error-ended');
  });

  it('the wallet, empty and full', async () => {
    const empty = await Tab.open(browser);
    const newcomer = await fixture.user({ username: 'newcomer' });
    await empty.page.goto(`${app.url}/login`);
    await empty.page.getByLabel('E-mail').fill(newcomer.email);
    await empty.page.getByLabel('Password').fill(PASSWORD);
    await empty.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    for (const [name, path] of Object.entries({ wallet: '', history: '/history', keys: '/keys', apps: '/apps', webhooks: '/webhooks' })) {
      await empty.page.goto(`${app.url}/dashboard${path}`);
      // A new user has a few keys already, because the scenario creates them.
      await empty.picture(`pages/${name}-of-a-newcomer`);
      expect([...(await empty.findings()), ...empty.complaints.splice(0)]).toEqual([]);
    }
    await empty.close();

    const bob = await fixture.user({ sats: 50_000, username: 'bob' });
    await bob.pay((await alice.invoice(21_000, 'Lunch on Friday')).paymentRequest);
    for (const faults of [{}, { fail: 'no_route' as const }, { hold: true }])
      await alice.pay((await fixture.outside(4_200, faults)).paymentRequest, 'Two flat whites');
    await open('/dashboard');
    await expectSound('wallet');
    await page.getByRole('link', { name: 'Receive', exact: true }).click();
    await expectSound('receive');
    await page.getByLabel('Amount to request').fill('1.000');
    await press('Create invoice');
    expect(await page.title()).toMatch(/^Error: /);
    await expectSound('receive-error');
  });

  it('the history and each kind of payment', async () => {
    await open('/dashboard/history');
    await expectSound('history');
    for (const state of ['Received', 'Sent', 'Failed', 'Pending']) {
      await open('/dashboard/history');
      await page.getByRole('listitem').filter({ hasText: state }).getByRole('link').first().click();
      expect(await page.getByRole('main').innerText()).toContain(state);
      await expectSound(`transaction-${state.toLowerCase()}`);
    }
  });

  it('an invoice from its creation to its end', async () => {
    const timeTravel = new TimeTravel(app);
    const [first, second, third] = [await alice.invoice(1_000, 'Two teas'), await alice.invoice(1_000), await alice.invoice(1_000)];
    await open(`/dashboard/receive/${first.paymentHash}`);
    await expectSound('invoice-waiting');
    await fixture.simulator.payOutside(first.paymentRequest);
    // With a script, the open page updates by itself.
    await page.getByRole('heading', { name: 'Received 1,000 sats' }).waitFor();
    await expectSound('invoice-paid');
    await open(`/dashboard/receive/${second.paymentHash}`);
    await press('Cancel invoice');
    await expectSound('invoice-cancelled');
    await timeTravel.invoice(third.paymentHash, 86_400);
    await open(`/dashboard/receive/${third.paymentHash}`);
    await page.getByRole('heading', { name: 'Invoice expired' }).waitFor();
    await expectSound('invoice-expired');
  });

  it('keys', async () => {
    await open('/dashboard/keys');
    await expectSound('keys');
    await open('/dashboard/keys/new');
    await page.getByLabel('Read').uncheck();
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await press('Create key');
    await expectSound('key-new-error');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Till');
    await page.getByLabel('Send').check();
    await page.getByLabel('Spending limit').fill('50,000');
    await press('Create key');
    await expectSound('key-created');
    await page.reload();
    await expectSound('key-shown-once');
    await page.getByRole('link', { name: 'Revoke this key' }).click();
    await expectSound('key-revoke');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expectSound('key');
    await page.getByRole('link', { name: 'Change limits' }).click();
    expect(await page.getByLabel('Limit for 24 hours').inputValue()).toBe('50,000');
    await page.getByLabel('Limit for 7 days').fill('0');
    await press('Save limits');
    await expectSound('key-limits-error');
    await page.getByLabel('Limit for 7 days').fill('200,000');
    await press('Save limits');
    await expectSound('key-limits-saved');
    await page.setViewportSize({ width: 360, height: 900 });
    await page.getByRole('link', { name: 'Change limits' }).click();
    expect(await page.evaluate<string[]>(SMALL_TARGETS)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goBack();
    await page.getByRole('link', { name: 'Revoke this key' }).click();
    await press('Revoke');
    await expectSound('keys-revoked');
  });

  it('connected apps', async () => {
    const tokens = await coffee.connect(alice, { scope: 'read write offline' });
    expect(tokens.scope).toContain('write');
    await open('/dashboard/apps');
    await expectSound('apps');
    await page.getByRole('link', { name: 'Corner Coffee', exact: true }).click();
    await expectSound('app');
    await page.getByRole('link', { name: 'Change limits' }).click();
    await page.setViewportSize({ width: 360, height: 900 });
    expect(await page.evaluate<string[]>(SMALL_TARGETS)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel('Limit for 30 days').fill('0');
    await press('Save limits');
    await expectSound('app-limits-error');
    await page.getByLabel('Limit for 30 days').fill('250,000');
    await press('Save limits');
    await expectSound('app-limits-saved');
    await page.getByRole('link', { name: 'Disconnect', exact: true }).click();
    await expectSound('app-disconnect');
    await press('Disconnect');
    await expectSound('apps-disconnected');
  });

  it('gives a finger 44 pixels on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    for (const path of [
      '',
      '/receive',
      '/receive/invoices',
      '/send',
      '/convert',
      '/history',
      '/history?q=zzz',
      '/keys',
      '/keys/new',
      '/apps',
      '/webhooks',
      '/webhooks/new',
      '/developer',
      '/developer/new',
    ]) {
      await open(`/dashboard${path}`);
      expect({ path, small: await page.evaluate<string[]>(SMALL_TARGETS) }).toEqual({ path, small: [] });
    }
    await press('Menu');
    expect(await page.evaluate<string[]>(SMALL_TARGETS)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('lists keys in a table where it fits, and as cards on a phone', async () => {
    await open('/dashboard/keys');
    const head = page.getByRole('columnheader', { name: 'Permissions' }).first();
    expect(await head.isVisible()).toBe(true);
    expect(await page.getByRole('table', { name: 'Active keys' }).getByRole('rowheader').count()).toBeGreaterThan(0);
    await page.setViewportSize({ width: 360, height: 900 });
    expect(await head.isVisible()).toBe(false);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('td'), '::before').content`)).toBe('"Permissions"');
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('stands in the middle of a wide window', async () => {
    await page.setViewportSize({ width: 1800, height: 900 });
    await open('/dashboard');
    const [left, right] = await page.evaluate<[number, number]>(
      `[document.querySelector('.top').getBoundingClientRect().left, innerWidth - document.querySelector('main').getBoundingClientRect().right]`,
    );
    expect(Math.abs(left - right)).toBeLessThanOrEqual(1);
    expect(left).toBeGreaterThan(200);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('the menu of a phone, and signing out', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    await open('/dashboard');
    await press('Menu');
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(true);
    await tab.picture('pages/menu-360-light');
    expect(await tab.findings()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Menu');
    await open('/dashboard/receive');
    expect(await page.locator('#address').innerText()).toBe(`alice@${new URL(app.url).host}`);
    expect(await page.evaluate<string[]>(LINES_OF_ADDRESS)).toEqual(['alice@', new URL(app.url).host]);
    await open('/logout');
    await expectSound('logout');
  });

  it('pages that do not exist', async () => {
    for (const path of ['/dashboard/nothing', '/dashboard/history/nothing', `/dashboard/receive/${'0'.repeat(64)}`, '/nothing']) {
      await open(path);
      expect(await heading()).toBe('Page not found');
    }
    await expectSound('error-missing');
  });
});
