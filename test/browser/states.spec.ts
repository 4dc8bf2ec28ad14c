import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { ASSETS, securityHeaders } from '../../src/edge/page/index.js';
import { SAMPLES } from '../page/samples.js';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';

/** Serves every page in every state, as the samples render it, with its own headers and stylesheet. */
function serveSamples(): Promise<Server> {
  const server = createServer((request, response) => {
    const asset = Object.values(ASSETS).find(({ href }) => href === request.url);
    if (asset) return void response.writeHead(200, { 'content-type': asset.type }).end(asset.body);
    // The event stream of pages stays silent.
    if (request.url === '/dashboard/events') return void response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const [, still, asked] = /^\/(without-script\/)?(.*)$/.exec(request.url ?? '') ?? [];
    const sample = SAMPLES.find(({ name }) => name === asked);
    if (!sample) return void response.writeHead(404).end();
    const headers = { ...securityHeaders(sample.kind, false), 'content-type': 'text/html; charset=utf-8' };
    const page = sample.html.toString();
    response.writeHead(sample.status, headers).end(still === undefined ? page : page.replaceAll(SCRIPT, ''));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** axe-core waits for timers, which do not run where JavaScript is off. The pages have nothing else that a browser treats otherwise then. */
const SCRIPT = /<script[^>]*><\/script>/g;
/** A page with an editor runs scripts of packages, which only the application serves: api-page.spec.ts inspects it there. */
const STILL = SAMPLES.filter(({ kind }) => kind.kind !== 'editor');

describeInBrowser('every page in every state', () => {
  let server: Server;
  let browser: Browser;
  let tab: Tab;

  beforeAll(async () => {
    [server, browser] = await Promise.all([serveSamples(), launchChromium()]);
    tab = await Tab.open(browser);
    await tab.inspectsMany();
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  it.each(STILL.map(({ name }) => name))('%s', async (name) => {
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    await tab.page.goto(`${origin}/${name}`);
    const content = await tab.page.content();
    const drawn = content.replaceAll(SCRIPT, '');
    expect([...(await tab.inspect(`states/${name}`)), ...(await tab.unreached())]).toEqual([]);
    if (drawn === content) return;
    await tab.page.goto(`${origin}/without-script/${name}`);
    // Where the script has changed nothing, the page was inspected.
    if ((await tab.page.content()) !== drawn) expect(await tab.inspect(`states/${name}-without-script`)).toEqual([]);
  });
});
