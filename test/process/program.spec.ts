import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kind, parse, print, type OperationDefinitionNode } from 'graphql';
import { eventually } from '../../src/testing/eventually.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { personIn } from '../support/demo-person.js';
import { post } from '../support/http.js';
import { PROJECT, ServerProcess } from '../support/server-process.js';

const CLIENT = join(PROJECT, 'src/client');
const MAX_PAGES = 150;

/** `npm start` runs a program that is joined of all modules and packages. Other tests run the modules; here is what a fault of joining would break. */
describe('the program that npm start runs', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await ServerProcess.start();
  });
  afterAll(() => server?.close());

  const ask = (query: string, variables: object = {}, key = personIn(server, 'alice').apiKeys.all): ReturnType<typeof post> =>
    post(`${server.url}/graphql`, { query, variables }, { 'X-API-KEY': key });

  it('answers every query and mutation without an internal error', async () => {
    const { definitions } = parse(readFileSync(join(CLIENT, 'operations.graphql'), 'utf8'));
    const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).map(print);
    const examples = JSON.parse(readFileSync(join(CLIENT, 'examples.json'), 'utf8')) as Readonly<Record<string, { variables: object }>>;
    const operations = definitions.filter((each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION);
    const answers: Record<string, unknown> = {};
    for (const each of operations.filter(({ operation }) => operation !== 'subscription')) {
      const used = fragments.filter((text) => isUsedBy(nameOf(text), print(each), fragments));
      const { status, body } = await ask([print(each), ...used].join('\n'), examples[each.name?.value ?? '']?.variables);
      if (status !== 200 || JSON.stringify(body).includes('INTERNAL_SERVER_ERROR')) answers[each.name?.value ?? ''] = [status, body];
    }
    expect(answers).toEqual({});
    expect(operations.length).toBeGreaterThan(60);
  });

  it('checks arguments by the rules of their class', async () => {
    const query = (amount: number): string => `{ currencyConversionEstimation(amount: ${amount}, currency: "USD") { usdCentAmount } }`;
    expect((await ask(query(1))).body).toEqual({ data: { currencyConversionEstimation: { usdCentAmount: 100 } } });
    expect((await ask(query(-1))).body).toMatchObject({ errors: [{ extensions: { code: 'INVALID_INPUT' } }] });
  });

  it('compiles a query that comes often, which answers the same', async () => {
    const query = '{ me { username defaultAccount { wallets { walletCurrency balance } } } }';
    const { body } = await ask(query);
    const compiled = async (): Promise<string | undefined> =>
      /^sluice_graphql_compiled_queries (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1];
    expect(await compiled()).toBe('0');
    await eventually(async () => {
      expect((await ask(query)).body).toEqual(body);
      return (await compiled()) === '1';
    });
    expect((await ask(query)).body).toEqual(body);
  });

  it.each(['alice', 'operator'])('shows every page that %s reaches by links', async (name) => {
    const browser = new BrowserSession(server.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: `${name}@example.test`, password: 'sluice-demo' });
    const [found, faults] = [new Set(['/dashboard', '/docs']), [] as unknown[]];
    for (const path of found) {
      const page = await browser.get(path);
      if (page.status >= 500) faults.push([path, page.status]);
      for (const link of pathsIn(page)) if (found.size < MAX_PAGES) found.add(link);
    }
    expect(faults).toEqual([]);
    expect(found.size).toBeGreaterThan(20);
  });

  it('writes no warning of Node', async () => {
    const { clientId, clientSecret } = server.demo.oauthClient;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'none' });
    expect((await fetch(`${server.url}/oauth2/token`, { method: 'POST', headers: { authorization }, body })).status).toBe(400);
    expect((await server.end()).stderr).toBe('');
  });
});

/** Pages of this server; those of single payments are alike, and there are many. */
const pathsIn = ({ url, text, location }: Visit): string[] =>
  [location, ...[...text.matchAll(/<a [^>]*href="([^"#]+)/g)].map(([, link = '']) => link)]
    .map((link) => new URL(link || '/', url))
    .filter(({ origin, pathname }) => origin === new URL(url).origin && !/logout|[0-9a-f]{8}-/.test(pathname))
    .map(({ pathname }) => pathname);
const nameOf = (fragment: string): string => /^fragment (\w+)/.exec(fragment)?.[1] ?? '';
const isUsedBy = (name: string, text: string, fragments: readonly string[]): boolean =>
  new RegExp(`\\.\\.\\.${name}\\b`).test(text) ||
  fragments.some((each) => new RegExp(`\\.\\.\\.${name}\\b`).test(each) && isUsedBy(nameOf(each), text, fragments));
