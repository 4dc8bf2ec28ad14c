import type { Browser } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/app.js';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';

const MAX_STOPS = 60;

interface Stop {
  readonly name: string;
  /** Whether the focused element shows that it has the focus. */
  readonly isVisible: boolean;
}

/** The focused element, and whether its focus is visible: an outline of two pixels or more, at a place that is on the screen. */
const STOP = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element.closest('label') ?? element);
  const own = getComputedStyle(element);
  const { top, bottom, width } = element.getBoundingClientRect();
  const outlined = [own, { outlineStyle, outlineWidth }].some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2);
  const name = element.labels?.[0]?.innerText ?? element.getAttribute('aria-label') ?? element.innerText ?? '';
  return { name: name.trim().split('\\n')[0], isVisible: outlined && width > 0 && bottom > 0 && top < innerHeight };
})()`;

/** A person who uses the keyboard alone: nothing is clicked. */
class Keyboard {
  constructor(readonly tab: Tab) {}

  /** Presses Tab until this element has the focus. */
  async to(name: string): Promise<void> {
    const stops: string[] = [];
    for (let count = 0; count < MAX_STOPS; count++) {
      await this.press('Tab');
      const stop = await this.tab.page.evaluate<Stop>(STOP);
      expect({ stop: stop.name, isVisible: stop.isVisible }).toEqual({ stop: stop.name, isVisible: true });
      if (stop.name === name) return;
      stops.push(stop.name);
    }
    throw new Error(`Tab never came to "${name}": ${stops.join(' · ')}`);
  }

  async type(name: string, text: string): Promise<void> {
    await this.to(name);
    await this.tab.page.keyboard.type(text);
  }

  press(key: string): Promise<void> {
    return this.tab.page.keyboard.press(key);
  }

  /** Focuses a link or a button and presses Enter on it, which leads to another page. */
  async enter(name: string): Promise<void> {
    await this.to(name);
    await Promise.all([this.tab.page.waitForEvent('load'), this.press('Enter')]);
  }

  heading(): Promise<string> {
    return this.tab.page.getByRole('heading', { level: 1 }).innerText();
  }
}

describeInBrowser('by keyboard alone', () => {
  let app: TestApp;
  let browser: Browser;
  let coffee: OAuthApp;
  let tab: Tab;
  let keyboard: Keyboard;

  beforeAll(async () => {
    [app, browser] = await Promise.all([createTestApp(), launchChromium()]);
    // The app itself does not run; only the address that people are sent to matters.
    coffee = await newOAuthApp(app, { redirectUris: [`${app.url}/health/live`] });
    tab = await Tab.open(browser);
    keyboard = new Keyboard(tab);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  it('registers and signs in', async () => {
    await tab.page.goto(`${app.url}/login`);
    await keyboard.enter('Create an account');
    await keyboard.type('E-mail', 'dora@example.test');
    await keyboard.type('Username', 'dora');
    await keyboard.type('Password', 'a sentence is fine');
    await keyboard.enter('Create account');
    await keyboard.type('E-mail', 'dora@example.test');
    await keyboard.type('Password', 'a sentence is fine');
    await keyboard.enter('Sign in');
    expect(await keyboard.heading()).toBe('Wallet');
  });

  it('skips the navigation', async () => {
    await keyboard.to('Skip to content');
    await keyboard.press('Enter');
    await keyboard.enter('Receive');
  });

  it('creates an invoice', async () => {
    expect(await tab.page.evaluate('document.activeElement.id')).toBe('amount');
    await tab.page.keyboard.type('700');
    await keyboard.enter('Create invoice');
    expect(await keyboard.heading()).toBe('Receive 700 sats');
  });

  it('creates a key and revokes it', async () => {
    await keyboard.enter('API keys');
    await keyboard.enter('Create a key');
    await keyboard.type('Name', 'Bot');
    await keyboard.to('Receive');
    await keyboard.press('Space');
    await keyboard.enter('Create key');
    expect(await keyboard.heading()).toBe('Your new key: Bot');
    await keyboard.enter('Done');
    await keyboard.enter('Bot');
    expect(await tab.page.getByRole('main').innerText()).toContain('Receive');
    await keyboard.enter('Revoke this key');
    await keyboard.enter('Revoke');
    expect(await tab.page.getByRole('main').innerText()).toContain('Bot is revoked.');
  });

  it('decides about an app; Enter in a checkbox decides nothing', async () => {
    await tab.page.goto(`${app.url}${coffee.authorizeUrl({ scope: 'read write' })}`);
    const { page } = tab;
    await keyboard.to('See your balances and history');
    await keyboard.press('Enter');
    expect(await keyboard.heading()).toBe('Connect Corner Coffee to your wallet?');
    await keyboard.to('Send money from your wallet');
    await keyboard.press('Space');
    expect(await page.locator('input[value=write]').isChecked()).toBe(true);
    await keyboard.enter('Allow');
    expect(new URL(page.url()).searchParams.get('scope')?.split(' ').sort()).toEqual(['read', 'write']);
  });

  it('signs out', async () => {
    await tab.page.goto(`${app.url}/dashboard`);
    await keyboard.enter('Sign out');
    expect(await tab.page.getByRole('main').innerText()).toContain('You are signed out');
  });
});
