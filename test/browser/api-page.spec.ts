import type { Browser, Page } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/app.js';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';
import { Fixture, type Person } from '../support/fixture.js';

/** What a selection of the command copies, and its lines as they are drawn, without the spaces at which they break. */
const LINES = `(() => {
  const element = document.querySelector('.secret code');
  getSelection().selectAllChildren(element);
  const tops = new Map();
  for (const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
    const { data } = walker.currentNode;
    for (let at = 0; at < data.length; at++) {
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const [box] = range.getClientRects();
      if (box) tops.set(Math.round(box.top), (tops.get(Math.round(box.top)) ?? '') + data[at]);
    }
  }
  return [getSelection().toString(), [...tops.values()].map((line) => line.trim())];
})()`;

describeInBrowser('the page of the API', () => {
  let app: TestApp;
  let browser: Browser;
  let alice: Person;

  beforeAll(async () => {
    [app, browser] = await Promise.all([createTestApp(), launchChromium()]);
    alice = await new Fixture(app).user({ username: 'alice' });
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const keyOf = (person: Person): string => Object.values(person.as('read'))[0] ?? '';

  async function open(width: number): Promise<Tab> {
    const tab = await Tab.open(browser, { width });
    await tab.page.goto(`${app.url}/graphql`);
    await tab.page.locator('.graphiql-container').waitFor();
    return tab;
  }

  async function write(page: Page, document: string): Promise<void> {
    await page.locator('.graphiql-query-editor .CodeMirror').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(document);
  }

  it.each([1280, 390])('runs a query with the typed key, stores it nowhere, and violates no policy (%d px)', async (width) => {
    const tab = await open(width);
    const { page } = tab;
    const key = keyOf(alice);
    expect(key).not.toBe('');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    const result = page.locator('.result-window');
    await write(page, '{ me { id } }');
    await page.keyboard.press('ControlOrMeta+Enter');
    await result.getByText('NOT_AUTHENTICATED').waitFor();
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: /^Execute query/ }).click();
    await result.getByText(alice.userId).waitFor();
    await tab.picture(`api-page/result-${width}`);
    const kept = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])');
    expect([kept, ...sent].filter((text) => text.includes(key))).toEqual([]);
    expect(new Set(sent.map((address) => new URL(address).origin))).toEqual(new Set([app.url]));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.reload();
    await page.locator('.graphiql-container').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it('opens its dialogs and the documentation, and violates no policy', async () => {
    const tab = await open(1280);
    const { page } = tab;
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('Root Types').waitFor();
    await page.getByRole('button', { name: 'Open settings dialog' }).click();
    await page.getByRole('dialog').waitFor();
    // GraphiQL sizes the icon beside its padding: under the box-sizing of Sluice's pages, nothing of it would be left.
    const cross = 'getComputedStyle(document.querySelector(".graphiql-dialog-close > svg"))';
    const shown = await page.evaluate<number>(
      `[${cross}].map((s) => parseFloat(s.width) - (s.boxSizing === 'border-box' ? 2 * parseFloat(s.paddingLeft) : 0))[0]`,
    );
    expect(shown).toBeGreaterThan(8);
    await tab.picture('api-page/settings');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it('subscribes with the key', async () => {
    const tab = await open(1280);
    await tab.page.getByLabel('API key').fill(keyOf(alice));
    await write(tab.page, 'subscription { myUpdates { errors { message } update { __typename } } }');
    await tab.page.keyboard.press('ControlOrMeta+Enter');
    const stop = tab.page.getByRole('button', { name: 'Stop query' });
    await stop.waitFor();
    const { paymentRequest } = await alice.invoice(1_000);
    await new Fixture(app).simulator.payOutside(paymentRequest);
    await tab.page.locator('.result-window').getByText('LnUpdate').waitFor();
    await stop.click();
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it('has no accessibility fault in any theme', async () => {
    const tab = await open(1280);
    // CodeMirror takes its scroller out of the focus order itself: the keyboard scrolls from its field.
    const faults = await tab.inspect('api-page/page');
    expect(faults.filter((fault) => !/scrollable-region-focusable: <div class="CodeMirror-scroll"/.test(fault))).toEqual([]);
    await tab.close();
  });

  it('shows instructions without JavaScript', async () => {
    const tab = await Tab.open(browser, { script: false, width: 390 });
    await tab.page.goto(`${app.url}/graphql`);
    const text = await tab.page.getByRole('main').innerText();
    for (const word of ['X-API-KEY', 'Oauth2-Token', 'Bearer', 'curl ', 'needs JavaScript']) expect(text).toContain(word);
    expect(await tab.page.getByLabel('API key').isVisible()).toBe(false);
    await tab.picture('api-page/plain-390');
    await tab.close();
  });

  it('breaks the lines of the command at spaces only, in every width of a phone', async () => {
    const tab = await Tab.open(browser, { script: false });
    await tab.page.goto(`${app.url}/graphql`);
    for (let width = 360; width <= 600; width += 10) {
      await tab.page.setViewportSize({ width, height: 900 });
      const [text, lines] = await tab.page.evaluate<[string, string[]]>(LINES);
      expect(text).toContain(` -H 'content-type: application/json' -d `);
      expect([width, lines.join(' ')]).toEqual([width, text]);
      if (width === 390) expect(lines.length).toBeGreaterThan(2);
    }
    await tab.close();
  });

  it('leads to documents that are no wider than a phone', async () => {
    const tab = await Tab.open(browser, { script: false, width: 390 });
    for (const name of ['README', 'reference/operations', 'reference/variables']) {
      const response = await tab.page.goto(`${app.url}/docs/${name}.md`);
      expect([name, response?.status(), await tab.page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 200, 390]);
    }
    await tab.close();
  });
});
