import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser, launchChromium, Tab } from '../support/browser.js';
import { eventually } from '../../src/testing/eventually.js';
import { post, request } from '../support/http.js';
import { ServerProcess } from '../support/server-process.js';

const CAROL = { email: 'carol@example.test', username: 'carol', password: 'a sentence is fine' };

/** An app that only receives callbacks. */
class App {
  readonly visits: URL[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((asked, response) => {
      void asked.toArray().then((posted) => {
        this.visits.push(new URL(`${asked.url ?? ''}${posted.length > 0 ? `?${posted.join('')}` : ''}`, this.origin));
        response.end('<!doctype html><html lang="en"><title>Tea House</title><link rel="icon" href="data:,"><h1>Welcome back</h1>');
      });
    });
  }

  get origin(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.server.listen(0, 'localhost', resolve));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** In the order of a person's first day; each step depends on the one before. */
describeInBrowser('the main job, without JavaScript', () => {
  const app = new App();
  let server: ServerProcess;
  let browser: Browser;
  let tab: Tab;
  let page: Page;
  let key: string;
  let accessToken: string;
  const client = { id: '', secret: '' };

  beforeAll(async () => {
    await app.listen();
    [server, browser] = await Promise.all([ServerProcess.start(), launchChromium()]);
    const registered = await server.sluice(
      ...['client', 'register', '--name', 'Tea House', '--redirect-uri', `${app.origin}/callback`, '--approve'],
      ...['--scope', 'read', '--scope', 'write', '--scope', 'offline'],
    );
    [client.id, client.secret] = [/client_id: (\S+)/, /client_secret: (\S+)/].map((pattern) => pattern.exec(registered)?.[1] ?? '') as [
      string,
      string,
    ];
    tab = await Tab.open(browser, { script: false });
    page = tab.page;
  });
  afterAll(async () => {
    await browser?.close();
    app.close();
    await server?.close();
  });
  afterEach(() => expect(tab.complaints.splice(0)).toEqual([]));

  const heading = (): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).first().click();
  const text = (): Promise<string> => page.getByRole('main').innerText();
  const withKey = (): ReturnType<typeof post> =>
    post(`${server.url}/graphql`, { query: '{ me { username defaultAccount { wallets { balance } } } }' }, { 'X-API-KEY': key });
  const withToken = (): ReturnType<typeof post> =>
    post(`${server.url}/graphql`, { query: '{ me { username } }' }, { 'Oauth2-Token': accessToken });

  it('registers, and corrects faults without typing everything again', async () => {
    await page.goto(`${server.url}/register`);
    await page.getByLabel('E-mail').fill(CAROL.email);
    await page.getByLabel('Username').fill('alice');
    await page.getByLabel('Password').fill(CAROL.password);
    await press('Create account');
    expect(await page.title()).toMatch(/^Error: /);
    await tab.picture('job/01-register-taken');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(CAROL.email);
    await page.getByLabel('Username').fill(CAROL.username);
    await page.getByLabel('Password').fill(CAROL.password);
    await press('Create account');
    expect(await heading()).toBe('Sign in');
    expect(await text()).toContain('Account ready.');
    await tab.picture('job/02-registered');
  });

  it('signs in', async () => {
    await page.getByLabel('E-mail').fill(CAROL.email);
    await page.getByLabel('Password').fill('not the password');
    await press('Sign in');
    expect(await text()).toContain('Wrong e-mail or password');
    await page.getByLabel('Password').fill(CAROL.password);
    await press('Sign in');
    expect(await heading()).toBe('Wallet');
    expect(await text()).toContain('No payments yet');
    await tab.picture('job/03-wallet-empty');
  });

  it('receives: an invoice with its QR code is paid from outside, and the page shows it', async () => {
    await follow('Receive');
    await tab.picture('job/03-receive');
    await page.getByLabel('Amount to request').fill('1,500');
    await page.getByLabel('Description').fill('Two teas');
    await press('Create invoice');
    expect(await heading()).toBe('Receive 1,500 sats');
    expect(await page.getByRole('img', { name: 'QR code of the invoice' }).isVisible()).toBe(true);
    const invoice = await page.locator('#invoice').innerText();
    expect(await text()).toContain('Waiting for payment');
    await tab.picture('job/04-invoice-waiting');

    await server.sluice('simulator', 'pay', invoice);
    await eventually(async () => {
      if ((await heading()) === 'Received 1,500 sats') return true;
      await follow('Check now');
      return false;
    });
    expect(await text()).toContain('Paid');
    await tab.picture('job/05-invoice-paid');
    await follow('View payment');
    expect(await text()).toMatch(/\+1,500 sats/);
    await tab.picture('job/06-transaction');
    await follow('Wallet');
    expect(await page.getByRole('region', { name: 'Balances' }).innerText()).toContain('1,500 sats');
    expect(await text()).toContain('Two teas');
    await tab.picture('job/07-wallet');
  });

  it('sends: the review says what will happen, and the payment is in the history', async () => {
    await follow('Send');
    await page.getByLabel('Recipient').fill('alice');
    await page.getByLabel('Amount (leave').fill('500');
    await page.getByLabel('Note').fill('Thanks');
    await press('Review payment');
    await page.getByRole('heading', { name: 'Send 500 sats?' }).waitFor();
    await page.goBack();
    const typed = ['Recipient', 'Amount (leave', 'Note'].map((label) => page.getByLabel(label).inputValue());
    expect(await Promise.all(typed)).toEqual(['alice', '500', 'Thanks']);
    await page.getByLabel('Recipient').fill('no such recipient');
    await press('Review payment');
    expect(await page.title()).toMatch(/^Error: /);
    await tab.picture('job/07-send-error');
    await page.getByLabel('Recipient').fill('alice');
    await press('Review payment');
    expect(await heading()).toBe('Send 500 sats?');
    expect(await text()).toContain('1,000 sats');
    await tab.picture('job/07-review');
    await press('Send 500 sats');
    expect(await text()).toMatch(/−500 sats[^]*Sent/);
    await tab.picture('job/07-sent');
    await follow('Wallet');
    await follow('Receive');
    await page.getByLabel('Amount to request').fill('500');
    await press('Create invoice');
    const invoice = await page.locator('#invoice').innerText();
    await server.sluice('simulator', 'pay', invoice);
    await eventually(async () => {
      if ((await heading()) === 'Received 500 sats') return true;
      await follow('Check now');
      return false;
    });
  });

  it('creates a key, sees it once, and uses it', async () => {
    await follow('API keys');
    await follow('Create a key');
    await page.getByLabel('Name', { exact: true }).fill('Till');
    await tab.picture('job/08-key-new');
    await press('Create key');
    expect(await heading()).toBe('Your new key: Till');
    key = await page.locator('#key').innerText();
    await tab.picture('job/09-key-created');
    await page.reload();
    expect(await heading()).toBe('This key can’t be shown again');
    expect(await page.content()).not.toContain(key);
    await tab.picture('job/10-key-shown-once');
    expect((await withKey()).body).toEqual({
      data: { me: { username: 'carol', defaultAccount: { wallets: [{ balance: 1_500 }, { balance: 0 }] } } },
    });
  });

  it('sees why a request of the key was refused', async () => {
    const mutation = `mutation { lnInvoiceCreate(input: { walletId: "00000000-0000-7000-8000-000000000000", amount: 1 }) { errors { code } } }`;
    const { body } = await post(`${server.url}/graphql`, { query: mutation }, { 'X-API-KEY': key });
    expect(body.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
    await eventually(async () => {
      await page.goto(`${server.url}/dashboard/keys`);
      await follow('Till');
      return /Missing permission: Receive or Send/.test(await text());
    });
    await tab.picture('job/11-key-refused');
  });

  /** By a form of another site, with which the browser sends no cookie; the redirect from Sluice's own form leads to the app's origin. */
  const signOutByApp = async (other: Tab): Promise<void> => {
    const { page: there } = other;
    const after = `${app.origin}/signed-out`;
    await server.sluice('client', 'profile', client.id, '--post-logout-redirect-uri', after);
    const fields = Object.entries({ client_id: client.id, post_logout_redirect_uri: after, state: 'thank-you' });
    const inputs = fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join('');
    await there.goto('about:blank');
    await there.setContent(`<form method="post" action="${server.url}/oauth2/sessions/logout">${inputs}<button>Leave</button></form>`);
    await there.getByRole('button', { name: 'Leave' }).click();
    expect(await there.getByRole('main').innerText()).toContain('Tea House asks to sign you out');
    await other.picture('job/13-signed-out-by-app');
    await there.getByRole('button', { name: 'Sign out', exact: true }).click();
    expect([there.url(), await there.getByRole('heading', { level: 1 }).innerText()]).toEqual([`${after}?state=thank-you`, 'Welcome back']);
    await there.goto(`${server.url}/dashboard`);
    expect(await there.getByRole('heading', { level: 1 }).innerText()).toBe('Sign in');
  };

  it('connects an app: sign-in, consent, and back to the app', async () => {
    // Another browser, in which no user has signed in yet.
    const other = await Tab.open(browser, { script: false, width: 360 });
    const query = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: `${app.origin}/callback`,
      scope: 'read write offline',
      state: 'tea-for-two',
    };
    await other.page.goto(`${server.url}/oauth2/auth?${new URLSearchParams(query).toString()}`);
    expect(await other.page.getByRole('main').innerText()).toContain('Tea House');
    await other.picture('job/12-login-for-app');
    await other.page.getByLabel('E-mail').fill(CAROL.email);
    await other.page.getByLabel('Password').fill(CAROL.password);
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await other.page.getByRole('heading', { level: 1 }).innerText()).toBe('Connect Tea House to your wallet?');
    const box = (value: string): Promise<boolean> => other.page.locator(`input[name=scope][value=${value}]`).isChecked();
    expect([await box('read'), await box('offline'), await box('write')]).toEqual([true, true, false]);
    await other.picture('job/13-consent');
    await other.page.getByRole('button', { name: 'Allow', exact: true }).click();
    expect(await other.page.getByRole('heading', { level: 1 }).innerText()).toBe('Welcome back');
    await signOutByApp(other);
    expect(other.complaints).toEqual([]);
    await other.close();

    const back = app.visits.find(({ pathname }) => pathname === '/callback');
    expect(back?.searchParams.get('state')).toBe('tea-for-two');
    const { status, body } = await request(`${server.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: back?.searchParams.get('code') ?? '',
        redirect_uri: `${app.origin}/callback`,
      }),
    });
    expect([status, body.scope]).toEqual([200, 'read offline']);
    accessToken = body.access_token;
    expect((await withToken()).body).toEqual({ data: { me: { username: 'carol' } } });
  });

  it.each([true, false])('goes back to an app by a posted form (with a script: %s)', async (script) => {
    const other = await Tab.open(browser, { script });
    const state = `posted-state-${script}`;
    const query = { response_type: 'code', client_id: client.id, redirect_uri: `${app.origin}/callback`, scope: 'read', state };
    const more = { response_mode: 'form_post', prompt: 'none' };
    await other.page.goto(`${server.url}/oauth2/auth?${new URLSearchParams({ ...query, ...more }).toString()}`);
    if (!script) await other.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await eventually(() => app.visits.some(({ searchParams }) => searchParams.get('state') === state));
    const back = app.visits.find(({ searchParams }) => searchParams.get('state') === state);
    expect(back?.searchParams.get('error')).toBe('login_required');
    expect(other.complaints).toEqual([]);
    await other.close();
  });

  it('sees the app among the connected apps, and disconnects it', async () => {
    await follow('Connected apps');
    await eventually(async () => {
      await page.reload();
      return (await text()).includes('Tea House');
    });
    await tab.picture('job/14-apps');
    await follow('Tea House');
    await eventually(async () => {
      await page.reload();
      return /Last used\s+(Just now|\d+ seconds? ago)/.test(await text());
    });
    await tab.picture('job/15-app');
    await follow('Disconnect');
    expect(await heading()).toBe('Disconnect Tea House?');
    await tab.picture('job/16-app-disconnect');
    await press('Disconnect');
    expect(await text()).toContain('Tea House is disconnected.');
    await tab.picture('job/17-app-disconnected');
    expect((await withToken()).status).toBe(401);
  });

  it('revokes the key', async () => {
    await follow('API keys');
    await follow('Till');
    await follow('Revoke this key');
    expect(await heading()).toBe('Revoke Till?');
    await tab.picture('job/18-key-revoke');
    await press('Revoke');
    expect(await text()).toContain('Till is revoked.');
    await tab.picture('job/19-key-revoked');
    expect((await withKey()).status).toBe(401);
  });

  it('signs out, and cannot go back', async () => {
    await press('Sign out');
    expect(await text()).toContain('You are signed out');
    await tab.picture('job/20-signed-out');
    await page.goBack();
    await page.goto(`${server.url}/dashboard`);
    expect(await heading()).toBe('Sign in');
  });

  it('leaves a ledger with a clean audit', async () => {
    expect(await server.sluice('audit')).toMatch(/^Ledger OK /);
  });
});
