import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoPerson, personIn } from '../support/demo-person.js';
import { eventually } from '../../src/testing/eventually.js';
import { freePort } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { CERTIFICATE, LndDouble, MACAROON } from '../lightning/lnd/lnd-double.js';
import { PROJECT, run, ServerProcess } from '../support/server-process.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { Examples, type Program } from './examples.js';

/** The words of a command line, without the quotes around some. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** What the command prints that registers an app. */
function credentialsIn(said: string): { CLIENT_ID: string; CLIENT_SECRET: string } {
  const [, clientId = ''] = /client_id: (\S+)/.exec(said) ?? [];
  const [, clientSecret = ''] = /client_secret: (\S+)/.exec(said) ?? [];
  return { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
}

describe('README.md', () => {
  let server: ServerProcess;
  let examples: Examples;

  beforeAll(async () => {
    server = await ServerProcess.start();
    examples = new Examples(server);
  });
  afterAll(async () => {
    await examples?.close();
    await server?.close();
  });

  it('names two existing commands', () => {
    const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
    expect(examples.text('Two commands')).toEqual(['npm start', 'npm test']);
    expect(scripts).toMatchObject({
      start: expect.stringMatching(/^exec node (--\S+ )*scripts\/start\.js$/) as string,
      test: 'exec node scripts/test.js',
    });
  });

  it('links to existing files', () => {
    const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  it('reads a balance with an API key', async () => {
    expect(JSON.parse(await examples.paste('An API key'))).toMatchObject({
      data: {
        me: { username: 'alice', defaultAccount: { wallets: [{ walletCurrency: 'BTC', balance: 1_000_000 }, { walletCurrency: 'USD' }] } },
      },
    });
  });

  it('creates an invoice for a caller without an account', async () => {
    const answer = JSON.parse(await examples.paste('An invoice for another user, without an account')) as { data: object };
    expect(answer).toEqual({
      data: {
        lnInvoiceCreateOnBehalfOfRecipient: { errors: [], invoice: { paymentRequest: expect.stringMatching(/^lnbcrt10u1/) as string } },
      },
    });
  });

  it('subscribes to payments', async () => {
    const watch = examples.launch('Payments as they happen');
    const [alice, bob] = [demoPerson(server, 'alice'), demoPerson(server, 'bob')];
    // The protocol does not report when a subscription runs: pay until an event arrives.
    const line = await watch.prints(/^\{.*\}$/m, async () => bob.pay((await alice.invoice(7, 'Nuts')).paymentRequest));
    expect(JSON.parse(line)).toEqual({ transaction: { direction: 'RECEIVE', settlementAmount: 7, memo: 'Nuts' } });
    await watch.stop();
  });

  it('pays an outside invoice and is paid from outside', async () => {
    const heading = 'Paying, and being paid by the outside world';
    const [alice, bob] = [demoPerson(server, 'alice'), demoPerson(server, 'bob')];
    const before = [await alice.sats(), await bob.sats()];
    const { data } = JSON.parse(await examples.paste(heading, 0)) as {
      data: { lnInvoicePaymentSend: { transaction: { settlementAmount: number } } };
    };
    expect(data.lnInvoicePaymentSend).toMatchObject({ status: 'SUCCESS', errors: [] });
    expect(await examples.paste(heading, 1)).toMatch(/2100 sats/);
    await eventually(async () => (await alice.sats()) !== before[0]);
    const { settlementAmount } = data.lnInvoicePaymentSend.transaction;
    expect([await alice.sats(), await bob.sats()]).toEqual([(before[0] ?? 0) + 2_100, (before[1] ?? 0) + settlementAmount]);
  });

  describe('the example app', () => {
    const heading = 'An app that acts for people';
    let whole: Examples;
    let app: Program;
    let browser: BrowserSession;
    let port: number;
    let own: Readonly<Record<string, string>>;

    // The callback of the demo's client is at port 5555, which another program may have taken.
    beforeAll(async () => {
      port = await freePort();
      examples.appPort = port;
      whole = new Examples(server, 'docs/oauth-app.md');
      whole.appPort = port;
      // The command of the README registers an app that fits the README's code.
      own = credentialsIn(await examples.paste(heading, 0));
    });

    /** @param variables of token-answers.mjs */
    async function begin(variables: Readonly<Record<string, string>> = {}): Promise<void> {
      app = whole.launch('A whole app', ['--import', join(PROJECT, 'test/readme/token-answers.mjs')], { ...own, ...variables });
      await app.prints(/Open/);
      browser = new BrowserSession(`http://localhost:${port}`);
    }
    afterEach(() => app.stop());
    afterAll(() => whole.close());

    /** From the app's front page through Sluice's pages and back to the app. */
    async function signIn(): Promise<Visit> {
      const away = (await browser.get('/')).location;
      const back = await new BrowserSession(server.url).allow(away, personIn(server, 'alice'), ['read', 'offline']);
      const { location } = await browser.get(back.href);
      return browser.get(location);
    }

    it('shows in 25 lines what the person granted, and the error when the person denies access', async () => {
      app = examples.launch(heading, [], own);
      await app.prints(/Open/);
      browser = new BrowserSession(`http://localhost:${port}`);
      expect((await browser.get(`/callback?code=${'x'.repeat(20)}&state=of-another-flow&iss=${server.url}`)).status).toBe(400);
      const away = (await browser.get('/')).location;
      const allowed = await new BrowserSession(server.url).allow(away, personIn(server, 'alice'), ['read', 'offline']);
      expect(JSON.parse((await browser.get(allowed.href)).text)).toMatchObject({ data: { me: { username: 'alice' } } });
      const person = new BrowserSession(server.url);
      const page = await person.signInOnTheWay(await person.get((await browser.get('/')).location), personIn(server, 'bob'));
      const back = await person.submit(page, { decision: 'deny' });
      expect(await browser.get(back.location)).toMatchObject({ status: 400, text: 'access_denied\n' });
    });

    it('sends state and PKCE, refuses a response without its state, and shows what the person granted', async () => {
      await begin();
      const away = new URL((await browser.get('/')).location).searchParams;
      expect(Object.fromEntries(away)).toMatchObject({
        response_type: 'code',
        code_challenge_method: 'S256',
        state: expect.stringMatching(/.{20}/) as string,
      });
      expect(await browser.get(`/callback?code=${'x'.repeat(20)}&state=of-another-flow&iss=${server.url}`)).toMatchObject({ status: 400 });
      const page = await signIn();
      expect(JSON.parse(page.text)).toMatchObject({ data: { me: { username: 'alice' } } });
    });

    it.each([
      ['with the new refresh token', {}],
      ['with the old one where no new one comes', { NO_ROTATION: '1' }],
    ])('refreshes when its access token has expired, %s', async (_, variables) => {
      await begin(variables);
      await signIn();
      for (let round = 0; round < 3; round++)
        expect(JSON.parse((await browser.get('/')).text)).toMatchObject({ data: { me: { username: 'alice' } } });
    });

    it('refreshes when the API refuses its access token', async () => {
      await begin({ SPOILED: 'first' });
      expect(JSON.parse((await signIn()).text)).toMatchObject({ data: { me: { username: 'alice' } } });
    });

    it('refreshes at most once, and then asks the person to sign in again', async () => {
      await begin({ SPOILED: 'all' });
      expect(await signIn()).toMatchObject({ status: 401, text: expect.stringMatching(/^RefreshAccessTokenError: /) as string });
      expect((await browser.get('/')).location).toContain(`${server.url}/oauth2/auth?`);
    });

    it('shows the error when the person denies access', async () => {
      await begin();
      const person = new BrowserSession(server.url);
      const page = await person.signInOnTheWay(await person.get((await browser.get('/')).location), personIn(server, 'bob'));
      const back = await person.submit(page, { decision: 'deny' });
      expect(await browser.get(back.location)).toMatchObject({ status: 400, text: expect.stringMatching(/^access_denied: \S+/) as string });
    });

    it('sets RefreshAccessTokenError when the refresh is refused, and asks the person to sign in again', async () => {
      await begin();
      await signIn();
      await server.sluice('client', 'suspend', own['CLIENT_ID'] ?? '', '--because', 'a test');
      expect(await browser.get('/')).toMatchObject({ status: 401, text: expect.stringMatching(/^RefreshAccessTokenError: /) as string });
      expect((await browser.get('/')).location).toContain(`${server.url}/oauth2/auth?`);
    });
  });

  it('names the version of openid-client that is installed with Sluice', () => {
    const { dependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
    const [major = ''] = (dependencies['openid-client'] ?? '').split('.');
    expect(readFileSync(join(PROJECT, 'README.md'), 'utf8')).toContain(`\`openid-client\` ${major}, which is installed with Sluice`);
  });

  it('starts with a node of the reader’s own, and checks it', async () => {
    const node = new LndDouble();
    await node.start();
    const home = mkdtempSync(join(tmpdir(), 'sluice-home-'));
    const macaroons = join(home, '.lnd/data/chain/bitcoin/regtest');
    mkdirSync(macaroons, { recursive: true });
    writeFileSync(join(home, '.lnd/tls.cert'), CERTIFICATE);
    writeFileSync(join(macaroons, 'admin.macaroon'), Buffer.from(MACAROON, 'hex'));
    const lines = examples.text('With your own node')[0]?.split('\n') ?? [];
    const written = lines.slice(0, lines.indexOf('EOF') + 1);
    expect(lines.slice(written.length)).toEqual([
      '. ~/sluice.env && npm start',
      '. ~/sluice.env && npm run sluice -- lnd check',
      '. ~/sluice.env && npm run sluice -- user create alice --email alice@example.com',
    ]);
    // The reader's shell expands the lines. Pasted again, they change nothing: a second SECRET_KEY would be refused.
    const paste = (): Promise<{ stdout: string }> =>
      run('bash', ['-euc', [...written, '. ~/sluice.env', "node -p 'JSON.stringify(process.env)'"].join('\n')], { HOME: home });
    const { stdout } = await paste();
    expect((await paste()).stdout).toBe(stdout);
    expect(statSync(join(home, 'sluice.env')).mode & 0o777).toBe(0o600);
    const { PATH: _path, HOME: _home, PWD: _pwd, SHLVL: _level, _: _program, ...variables } = JSON.parse(stdout) as Record<string, string>;
    const port = String(await freePort());
    const own = { LND_ADDRESS: node.address, PORT: port, PUBLIC_URL: `http://localhost:${port}` };
    const onNode = await ServerProcess.prepare({ ...variables, ...own });
    await onNode.start();
    expect(await onNode.command('lnd', 'check')).toMatchObject({ code: 0, stdout: expect.stringMatching(/All is well\.\n$/) });
    expect((await fetch(`${onNode.url}/health/ready`)).status).toBe(200);
    expect((await fetch(`${onNode.url}/register`)).status).toBe(403);
    const made = await onNode.command('user', 'create', 'alice', '--email', 'alice@example.com');
    const body = JSON.stringify({ email: 'alice@example.com', password: /^password: (\S+)$/m.exec(made.stdout)?.[1] });
    const login = await fetch(`${onNode.url}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect([made.code, login.status]).toEqual([0, 200]);
    await onNode.close();
    node.stop();
    rmSync(home, { recursive: true });
  });

  describe('docs/take-a-payment.md', () => {
    let tutorial: Examples;
    let key: string;
    beforeAll(async () => {
      tutorial = new Examples(server, 'docs/take-a-payment.md');
      key = (await tutorial.pasteAll('Create a key', 'echo "$KEY"')).trim();
    });
    afterAll(() => tutorial.close());

    it('creates a key that can receive and read', async () => {
      expect(key).toMatch(/^sluice_\w+$/);
      const { authorization } = await dataOf(server.url, '{ authorization { scopes } }', {}, { 'x-api-key': key });
      expect(authorization).toEqual({ scopes: ['READ', 'RECEIVE'] });
    });

    it('shows an invoice, waits for its payment and checks it', async () => {
      const heading = 'Take the payment';
      const shop = tutorial.launch(heading, [], { KEY: key });
      const paymentRequest = (await shop.prints(/^Pay lnbcrt\w+$/m)).slice('Pay '.length);
      await shop.prints(/^PENDING$/m);
      await tutorial.paste(heading, 0, { INVOICE: paymentRequest });
      expect(await shop.prints(/^PAID\nSUCCESS: .*$/m)).toMatch(/^PAID\nSUCCESS: 2100 sats for order-\d+$/);
      expect(await shop.ended).toBe(0);
    });

    it('does the same with curl', async () => {
      const said = await tutorial.pasteAll('The same with curl', '', { KEY: key });
      expect(said).toMatch(/^Pay lnbcrt21u1\w+$/m);
      expect(said).toMatch(/"status":"PAID","paymentPreimage":"[0-9a-f]{64}"/);
      expect(said).toMatch(/\[\{"status":"SUCCESS","direction":"RECEIVE","settlementAmount":2100,"externalId":"order-\d+"\}\]/);
    });

    it('has no example that no test runs, and links to existing files', () => {
      expect(tutorial.text('Take the payment').filter((text) => text === 'node shop.mjs')).toHaveLength(1);
      expect(tutorial.untried).toEqual([]);
      const links = [...readFileSync(join(PROJECT, 'docs/take-a-payment.md'), 'utf8').matchAll(/\]\(([^)#:]+)/g)].map(
        ([, path = '']) => path,
      );
      expect(links.length).toBeGreaterThan(3);
      expect(links.filter((path) => !existsSync(join(PROJECT, 'docs', path)))).toEqual([]);
    });
  });

  describe('docs/oauth.md', () => {
    const STEPS = ['1. Register the app', '2. Send the person', '3. Exchange the code', '4. Call the API', '5. Refresh', '6. Revoke'];
    const [REGISTER = '', SEND = '', EXCHANGE = '', CALL = '', REFRESH = '', REVOKE = ''] = STEPS;
    const ME = /\{"data":\{"me":\{"username":"alice"\}\}\}/;
    let tutorial: Examples;
    let own: Readonly<Record<string, string>>;

    beforeAll(async () => {
      tutorial = new Examples(server, 'docs/oauth.md');
      tutorial.appPort = await freePort();
      const [, command = ''] = /^npm run --silent sluice -- (.*)$/.exec(tutorial.text(REGISTER)[0] ?? '') ?? [];
      own = credentialsIn(await server.sluice(...wordsOf(command.replace('5555', String(tutorial.appPort)))));
    });
    afterAll(() => tutorial.close());

    const allow = (address: string): Promise<URL> =>
      new BrowserSession(server.url).allow(address, personIn(server, 'alice'), ['read', 'offline']);

    it('connects by curl: sends, exchanges, calls, refreshes and revokes', async () => {
      const [address = '', verifier = ''] = (await tutorial.pasteAll(SEND, 'echo "$VERIFIER"', own)).split('\n');
      const code = (await allow(address)).searchParams.get('code') ?? '';
      const tokensOf = async (step: string, given: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
        const said = await tutorial.pasteAll(step, 'echo "$ACCESS_TOKEN $REFRESH_TOKEN"', { ...own, ...given });
        const [access = '', refresh = ''] = said.trim().split(' ');
        expect([access, refresh]).toEqual([expect.stringMatching(/^sluice_at_/), expect.stringMatching(/^sluice_rt_/)]);
        return { ACCESS_TOKEN: access, REFRESH_TOKEN: refresh };
      };
      const first = await tokensOf(EXCHANGE, { CODE: code, VERIFIER: verifier });
      expect(await tutorial.pasteAll(CALL, '', first)).toMatch(ME);
      const second = await tokensOf(REFRESH, first);
      expect(second['REFRESH_TOKEN']).not.toBe(first['REFRESH_TOKEN']);
      expect(await tutorial.pasteAll(REVOKE, '', { ...own, ...second })).toMatch(/^\{\}\{"error":\{"code":401,/);
    });

    it('does the same with openid-client', async () => {
      const program = tutorial.launch(STEPS, [], own);
      program.type((await allow(await program.prints(/^http:.*$/m))).href);
      expect(await program.prints(/^.*\n.*\n401$/m)).toMatch(ME);
      expect(await program.ended).toBe(0);
    });

    it('has no example that no test runs', () => expect(tutorial.untried).toEqual([]));
  });

  it('docs/oauth-public-apps.md has a native app that runs, on any port', async () => {
    const page = new Examples(server, 'docs/oauth-public-apps.md');
    // A test in test/browser runs the page.
    const [, command = ''] = /^npm run --silent sluice -- (.*)$/.exec(page.text('A native app')[0] ?? '') ?? [];
    page.text('A single-page app');
    const program = page.launch('A native app', [], credentialsIn(await server.sluice(...wordsOf(command))));
    const address = (await program.prints(/^Open .*$/m)).slice('Open '.length);
    const back = await new BrowserSession(server.url).allow(address, personIn(server, 'alice'), ['read', 'offline']);
    // Anyone on the machine can send a request there.
    expect((await fetch(new URL('/callback?code=x&state=of-another&iss=x', back))).status).toBe(404);
    expect(await (await fetch(back)).text()).toBe('You may close this window.\n');
    expect(await program.ended).toBe(0);
    await program.prints(/"username":"alice"[^]*"walletCurrency":"BTC"/);
    expect(page.untried).toEqual([]);
    await page.close();
  });

  it('has no example that no test runs', () => {
    expect(examples.untried).toEqual([]);
  });
});
