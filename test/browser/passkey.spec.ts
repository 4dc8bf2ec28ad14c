import type { Browser, CDPSession } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/app.js';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

const OPTIONS = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;

describeInBrowser('passkeys in Chromium, with its virtual authenticator', () => {
  let app: TestApp;
  let browser: Browser;
  let alice: Person;
  let tab: Tab;
  let cdp: CDPSession;
  beforeAll(async () => {
    [app, browser] = await Promise.all([createTestApp(), launchChromium()]);
    alice = await new Fixture(app).user();
    tab = await Tab.open(browser);
    cdp = await tab.context.newCDPSession(tab.page);
    await cdp.send('WebAuthn.enable');
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...OPTIONS, isUserVerified: true, automaticPresenceSimulation: true },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const press = (name: string): Promise<void> => tab.page.getByRole('button', { name, exact: true }).click();
  const heading = (): Promise<string> => tab.page.getByRole('heading', { level: 1 }).innerText();
  const signOut = async (): Promise<void> => {
    await tab.page.goto(`${app.url}/logout`);
    await tab.page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await tab.page.waitForURL('**/login?signed-out=1');
  };
  const typePassword = async (): Promise<void> => {
    await tab.page.getByLabel('E-mail').fill(alice.email);
    await tab.page.getByLabel('Password').fill(PASSWORD);
    await press('Sign in');
  };

  it('adds one on the page Security, and signs in with it alone and as the second step', async () => {
    const { page } = tab;
    await page.goto(`${app.url}/login?to=/dashboard/security/passkeys`);
    await typePassword();
    await page.getByLabel('Name').fill('This laptop');
    await press('Add a passkey');
    await page.waitForURL('**/dashboard/security/codes');
    expect(await page.locator('#codes span').count()).toBe(10);
    await page.goto(`${app.url}/dashboard/security/passkeys`);
    expect(await page.getByRole('main').innerText()).toContain('This laptop');

    await signOut();
    await press('Sign in with a passkey');
    await page.waitForURL('**/dashboard');
    expect(await heading()).toBe('Wallet');

    await signOut();
    await typePassword();
    await page.waitForURL('**/login/code');
    await press('Use a passkey');
    await page.waitForURL('**/dashboard');
    expect(await heading()).toBe('Wallet');
    expect(tab.complaints).toEqual([]);
  });

  it('says so when no passkey was used, and hides its buttons without JavaScript', async () => {
    const other = await Tab.open(browser);
    const client = await other.context.newCDPSession(other.page);
    await client.send('WebAuthn.enable');
    await client.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...OPTIONS, isUserVerified: false, automaticPresenceSimulation: true },
    });
    await other.page.goto(`${app.url}/login`);
    await other.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await other.page.getByText('No passkey was used. Try again, or continue without one.').waitFor();
    await other.close();
    const still = await Tab.open(browser, { script: false });
    await still.page.goto(`${app.url}/login`);
    expect(await still.page.getByText('Sign in with a passkey').isVisible()).toBe(false);
    await still.close();
  });
});
