import { ApiKeyService } from '../../src/access/api-key/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { linkIn, mailsAreSent, mailsTo, mailTo } from '../support/mailbox.js';
import { newOAuthApp, type OAuthApp } from '../support/oauth-app.js';

const NEW = 'a sentence is fine';
const PAGE = '/dashboard/security/password';
let app: TestApp;
let fixture: Fixture;
let shop: OAuthApp;

beforeAll(async () => {
  const env = { RESET_SEND_LIMIT_SATS: '1000', THROTTLE_MAIL: '1000/3600', THROTTLE_SIGN_IN_ADDRESS: '1000/900' };
  app = await createTestApp({ env });
  fixture = new Fixture(app);
  shop = await newOAuthApp(app);
});
afterAll(() => app.close());

async function signedIn({ email }: Person, password = PASSWORD): Promise<BrowserSession> {
  const browser = new BrowserSession(app.url);
  await browser.signInOnTheWay(await browser.get('/dashboard'), { email, password });
  return browser;
}
const login = async ({ email }: Person, password: string): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${app.url}/auth/login`, { method: 'POST', headers, body: JSON.stringify({ email, password }) })).status;
};
const reads = async (credential: Readonly<Record<string, string>>): Promise<boolean> =>
  (await graphql(app.url, '{ me { id } }', {}, credential)).data?.me !== undefined;
const isIn = async (browser: BrowserSession): Promise<boolean> => (await browser.get('/dashboard')).status === 200;

async function change(browser: BrowserSession, fields: Fields): Promise<Visit> {
  return browser.post(PAGE, { ...hiddenFields(await browser.get(PAGE)), ...fields });
}

describe('the change of a password', () => {
  it('is reached from the page Security, and so is the e-mail address', async () => {
    const browser = await signedIn(await fixture.user());
    const { text } = await browser.get('/dashboard/security');
    for (const path of [PAGE, '/dashboard/security/email']) {
      expect(text).toContain(`href="${path}"`);
      expect((await browser.get(path)).status).toBe(200);
    }
  });

  it('ends other sessions and what is ticked, no key without asking, and continues under another identifier', async () => {
    const person = await fixture.user();
    const [browser, other] = [await signedIn(person), await signedIn(person)];
    const grant = { 'oauth2-token': (await shop.connect(person, { scope: 'read' }, browser)).access_token };
    const page = await browser.get(PAGE);
    expect(page.text).toMatch(/value="apps" checked/);
    expect(page.text).toMatch(/value="keys" \/>[^]*Also revoke my API keys[^]*<bdi>all<\/bdi>/);
    const stolen = browser.clone();
    const changed = await change(browser, { current: PASSWORD, password: NEW });
    expect([changed.status, changed.location]).toEqual([303, `${app.url}${PAGE}?saved=1`]);
    expect(await Promise.all([browser, stolen, other].map(isIn))).toEqual([true, false, false]);
    expect((await browser.get(changed.location)).text).toContain('Your password is changed.');
    expect([await reads(grant), await reads(person.as('read'))]).toEqual([true, true]);
    expect([await login(person, PASSWORD), await login(person, NEW)]).toEqual([401, 200]);
    await change(browser, { current: NEW, password: PASSWORD, end: ['keys', 'apps'] });
    expect([await reads(grant), await reads(person.as('read')), await isIn(browser)]).toEqual([false, false, true]);
    expect((await mailsTo(app, person.email)).length).toBeLessThan(9);
  });

  it('asks for the present password, keeps the rules, and is slowed down for guesses', async () => {
    const person = await fixture.user();
    const browser = await signedIn(person);
    const wrong = await change(browser, { current: 'not this one', password: NEW });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This is not your present password.')]);
    const short = await change(browser, { current: PASSWORD, password: 'short' });
    expect([short.status, short.text]).toEqual([422, expect.stringContaining('Use at least 10 characters (you entered 5).')]);
    expect(short.text).not.toMatch(/type="password"[^>]*value=/);
    for (let guess = 0; guess < 9; guess++) await change(browser, { current: `guess ${guess}`, password: NEW });
    expect((await change(browser, { current: PASSWORD, password: NEW })).status).toBe(429);
    expect((await browser.post(PAGE, { current: PASSWORD, password: NEW })).status).toBe(403);
    expect([await login(person, PASSWORD), await isIn(browser)]).toEqual([200, true]);
  });
});

describe('a reset by mail', () => {
  const ask = async (email: string, browser = new BrowserSession(app.url)): Promise<Visit> =>
    browser.submit(await browser.get('/forgot-password'), { email });
  const linkTo = async ({ email }: Person): Promise<string> => {
    await ask(email);
    return linkIn(await mailTo(app, email, 'Reset your password'));
  };

  it('sends a link that sets one password, and ends keys and apps as ticked', async () => {
    const person = await fixture.user();
    const grant = { 'oauth2-token': (await shop.connect(person, { scope: 'read' })).access_token };
    expect((await new BrowserSession(app.url).get('/login')).text).toContain('href="/forgot-password"');
    const link = await linkTo(person);
    const browser = new BrowserSession(app.url);
    const page = await browser.get(link);
    expect(page.text).toMatch(/value="keys" checked[^]*value="apps" checked/);
    // A program that scans mail opens the link, more than once.
    await Promise.all([1, 2].map(() => new BrowserSession(app.url).get(link)));
    const done = await browser.submit(page, { password: NEW, end: ['keys'] });
    expect([done.status, done.text]).toEqual([200, expect.stringMatching(/Your API keys are revoked\.[^]*Your apps stay connected\./)]);
    expect([await reads(grant), await reads(person.as('all')), await login(person, NEW)]).toEqual([true, false, 200]);
    const used = await browser.get(link);
    expect([used.status, used.text]).toEqual([410, expect.stringContaining('Ask for a new link as you did for this one')]);
    const again = await linkTo(person);
    await browser.submit(await browser.get(again), { password: PASSWORD, end: ['apps'] });
    expect(await reads(grant)).toBe(false);
    expect(await app.get(ApiKeyService).listInUse(person.userId)).toEqual([]);
    expect(app.logs.join('\n')).not.toContain(link.split('=')[1]);
  });

  it('refuses links that are late, of another password, or changed by an attack', async () => {
    const [person, other] = [await fixture.user(), await fixture.user()];
    const [link, foreign] = [await linkTo(person), await linkTo(other)];
    const [id = '', expires = '', code = ''] = (link.split('=')[1] ?? '').split('.');
    const forged = [
      `${id}.${Number(expires) + 60}.${code}`,
      `${id}.${expires}.${foreign.split('.')[2]}`,
      `${foreign.slice(22, 58)}.${expires}.${code}`,
    ];
    for (const token of forged) expect((await new BrowserSession(app.url).get(`/reset-password?token=${token}`)).status).toBe(410);
    const browser = await signedIn(person);
    await change(browser, { current: PASSWORD, password: NEW });
    expect((await browser.get(link)).status).toBe(410);
  });

  it('gives an attack by enumeration the same answer for known and unknown addresses', async () => {
    const person = await fixture.user();
    const unknown = `${person.username}x@example.test`;
    const texts = [];
    for (const email of [person.email, unknown]) {
      texts.push((await ask(email)).text.replaceAll(email, 'EMAIL'));
      await mailsAreSent(app);
    }
    expect(texts[0]).toBe(texts[1]);
    expect(await mailsTo(app, unknown)).toEqual([]);
    // A sixth request of an hour has the same answer, and sends nothing.
    for (let times = 1; times < 7; times++) texts.push((await ask(person.email)).text.replaceAll(person.email, 'EMAIL'));
    expect(new Set(texts).size).toBe(1);
    await mailsAreSent(app);
    expect((await mailsTo(app, person.email)).length).toBeLessThanOrEqual(5);
  });

  it('refuses what is no address, and addresses that an attack puts headers into', async () => {
    for (const email of ['', 'alice', 'a@example.test\r\nBcc: b@example.test', 'a@example.test,b@example.test'])
      expect((await ask(email)).status).toBe(422);
    const { rows } = await app.pool.query(`SELECT 1 FROM job WHERE task = 'password_reset'`);
    expect(rows).toEqual([]);
  });

  it('bounds what a person without a second factor sends for a day, but between the own wallets and up to the limit', async () => {
    const [person, payee] = [await fixture.user({ sats: 50_000 }), await fixture.user()];
    const browser = new BrowserSession(app.url);
    await browser.submit(await browser.get(await linkTo(person)), { password: NEW });
    const pay = async (sats: number): Promise<unknown> => {
      const { status, errors } = await person.pay((await payee.invoice(sats)).paymentRequest);
      return [status, ...errors.map(({ code }: { code: string }) => code)];
    };
    const payOutside = async (sats: number): Promise<unknown> => (await person.pay((await fixture.outside(sats)).paymentRequest)).status;
    expect(await pay(600)).toEqual(['SUCCESS']);
    expect(await pay(401)).toEqual(['FAILURE', 'TRANSACTION_RESTRICTED']);
    expect(await pay(400)).toEqual(['SUCCESS']);
    expect([await payOutside(1_001), await payOutside(1_000)]).toEqual(['FAILURE', 'SUCCESS']);
    const own = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { message } } }`;
    const input = { walletId: person.wallets.BTC, recipientWalletId: person.wallets.USD, amount: 20_000 };
    expect((await graphql(app.url, own, { input }, person.as('write'))).data?.intraLedgerPaymentSend).toEqual({
      status: 'SUCCESS',
      errors: [],
    });
    const account = await (await signedIn(person, NEW)).get('/dashboard/account');
    expect(account.text).toMatch(/Your password was reset\.[^]*at most <data[^>]*>1,000 sats/);
    await app.pool.query(`UPDATE app_user SET reset_limit_until = now() WHERE id = $1`, [person.userId]);
    expect(await pay(2_000)).toEqual(['SUCCESS']);
  });

  it('bounds nothing for a person with a second factor', async () => {
    const person = await fixture.user();
    await app.pool.query(`INSERT INTO user_totp (user_id, secret, last_step) VALUES ($1, '', 0)`, [person.userId]);
    const browser = new BrowserSession(app.url);
    await browser.submit(await browser.get(await linkTo(person)), { password: NEW });
    const { rows } = await app.pool.query('SELECT reset_limit_until AS until FROM app_user WHERE id = $1', [person.userId]);
    expect(rows).toEqual([{ until: null }]);
    // The reset removes no factor.
    expect((await app.pool.query('SELECT 1 FROM user_totp WHERE user_id = $1', [person.userId])).rowCount).toBe(1);
  });
});
