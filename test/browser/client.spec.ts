import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { createTestApp, type TestApp } from '../support/app.js';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { PROJECT } from '../support/server-process.js';

/** What the page of a shop loads: the built client, and the two packages that it imports. */
const FOLDERS: Readonly<Record<string, string>> = {
  client: 'dist/src/client',
  graphql: 'node_modules/graphql',
  'graphql-ws': 'node_modules/graphql-ws/dist',
};
const IMPORTS = { graphql: '/graphql/index.mjs', 'graphql-ws': '/graphql-ws/client.js' };
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>`;

/** The example of docs/oauth-public-apps.md, at /page. */
let singlePageApp = '';

async function shopServer(): Promise<Server> {
  const server = createServer((request, response) => {
    const [, folder = '', ...rest] = (request.url ?? '').split('/');
    const file = join(PROJECT, FOLDERS[folder] ?? 'nowhere', ...rest);
    if (request.url?.startsWith('/page')) response.writeHead(200, { 'content-type': 'text/html' }).end(singlePageApp);
    else if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else if (/^\.m?js$/.test(extname(file)) && existsSync(file))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(file));
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describeInBrowser('the client of the package in a page of another origin', () => {
  let app: TestApp;
  let browser: Browser;
  let shop: Server;
  let alice: Person;
  let bob: Person;
  let tab: Tab;

  beforeAll(async () => {
    [app, browser, shop] = await Promise.all([createTestApp(), launchChromium(), shopServer()]);
    const fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
    tab = await Tab.open(browser);
    await tab.page.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser?.close();
    shop?.close();
    await app?.close();
  });

  const inPage = <T>(program: string): Promise<T> =>
    tab.page.evaluate<T>(`import('/client/index.js').then(async (sluice) => {
      const client = sluice.createClient({ url: '${app.url}', apiKey: '${alice.keys.receive}' });
      ${program}
    })`);

  it('creates an invoice once, and sees it paid', async () => {
    const input = JSON.stringify({ walletId: alice.wallets.BTC, amount: 21 });
    const create = `return (await client.request(sluice.LnInvoiceCreateDocument, { input: ${input} }, { idempotencyKey: 'order 1' }))
      .lnInvoiceCreate.invoice;`;
    const [first, second] = [
      await inPage<{ paymentHash: string; paymentRequest: string }>(create),
      await inPage<{ paymentHash: string }>(create),
    ];
    expect(second.paymentHash).toBe(first.paymentHash);
    const paid = inPage<string[]>(`const seen = [];
      const input = { paymentHash: '${first.paymentHash}' };
      for await (const event of client.subscribe(sluice.OnLnInvoicePaymentStatusByHashDocument, { input })) {
        seen.push(event.lnInvoicePaymentStatusByHash.status);
        document.title = seen.at(-1);
      }
      return seen;`);
    await tab.page.waitForFunction(`document.title === 'PENDING'`);
    await bob.pay(first.paymentRequest);
    expect(await paid).toEqual(['PENDING', 'PAID']);
    expect(tab.complaints).toEqual([]);
  });

  it('sees the refusal of a key, and no answer of a server that is away', async () => {
    const errorOf = (url: string): Promise<unknown> =>
      inPage(`return sluice.createClient({ url: '${url}', apiKey: 'sluice_unknown' }).request(sluice.GlobalsDocument)
        .catch(({ name, kind, status }) => ({ name, kind, status }));`);
    expect(await errorOf(app.url)).toEqual({ name: 'RequestError', kind: 'http', status: 401 });
    expect(await errorOf('http://127.0.0.1:9')).toEqual({ name: 'RequestError', kind: 'connection', status: undefined });
  });

  it('a single-page app of the documents connects, calls and disconnects, without a secret', async () => {
    const origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const { client } = await newOAuthApp(app, { confidential: false, redirectUris: ['http://127.0.0.1/page'], scopes: ['read'] });
    const [, html = ''] = /```html\n([^]*?)```/.exec(readFileSync(join(PROJECT, 'docs/oauth-public-apps.md'), 'utf8')) ?? [];
    singlePageApp = html.replace('http://localhost:4000', app.url).replace('YOUR_CLIENT_ID', client.id);
    const { page } = tab;
    // Of the test before, which is refused on purpose.
    tab.complaints.splice(0);
    await page.goto(`${origin}/page`);
    await page.getByRole('button', { name: 'Connect my wallet' }).click();
    await page.getByLabel('E-mail').fill(alice.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText(`"username":"${alice.username}"`).waitFor();
    expect(page.url()).toBe(`${origin}/page`);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Disconnected').waitFor();
    // The response to a request of another tab, or to none.
    await page.goto(`${origin}/page?code=x&state=of-another&iss=${encodeURIComponent(app.url)}`);
    await page.getByText('Not the response to a request of this tab').waitFor();
    expect(tab.complaints).toEqual([]);
  });
});
