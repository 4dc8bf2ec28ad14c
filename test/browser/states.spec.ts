import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { ASSETS, securityHeaders } from '../../src/edge/page/index.js';
import { SAMPLES, type Sample } from '../page/samples.js';
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
    response.writeHead(sample.status, headers).end(still === undefined ? sample.html.toString() : withoutScript(sample));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** axe-core waits for timers, which do not run where JavaScript is off. The pages have nothing else that a browser treats otherwise then. */
const SCRIPT = /<script[^>]*><\/script>/g;
const withoutScript = ({ html }: Sample): string => html.toString().replaceAll(SCRIPT, '');
/** The page as it is now, and as a browser that runs no script reads it. */
const bothForms = (sample: Sample): string => `[
  document.documentElement.outerHTML,
  new DOMParser().parseFromString(${JSON.stringify(withoutScript(sample))}, 'text/html').documentElement.outerHTML,
]`;
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

  it.each(STILL.map((sample) => [sample.name, sample] as const))('%s', async (name, sample) => {
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    await tab.page.goto(`${origin}/${name}`);
    const [drawn, still] = await tab.page.evaluate<[string, string]>(bothForms(sample));
    expect([...(await tab.inspect(`states/${name}`)), ...(await tab.unreached())]).toEqual([]);
    // Where the script has changed nothing, the page was inspected.
    if (drawn.replaceAll(SCRIPT, '') === still) return;
    await tab.page.goto(`${origin}/without-script/${name}`);
    expect(await tab.inspect(`states/${name}-without-script`)).toEqual([]);
  });
});
