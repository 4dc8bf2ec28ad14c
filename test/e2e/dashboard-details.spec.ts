import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { BrowserSession, type Visit } from '../support/browser-session.js';
import { PASSWORD, Fixture, type Person } from '../support/fixture.js';

/** The exact texts of the pages of a person's money and access. */
/** As a term with its value, or as the label of a cell. */
const LAST_USED_NOW = /Last used(?:"|>|\s|<[^>]*>)*Just now/;

describe('the pages of a signed-in person', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let browser: BrowserSession;

  beforeAll(async () => {
    app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1' } });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 100_000, username: 'alice' });
    browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: alice.email, password: PASSWORD });
  });
  afterAll(() => app.close());

  /** The text of a page without markup, with single spaces. */
  const wordsOf = ({ text }: Visit): string =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/ ([.,])/g, '$1');
  const words = async (path: string): Promise<string> => wordsOf(await browser.get(path));

  it('show a pending payment with its amount and the reserved amount', async () => {
    // 0.5 % of it is no whole number of sats, and more than the minimum of the fee limit.
    const { paymentRequest, paymentHash } = await fixture.outside(4_201, { hold: true });
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'PENDING' });
    const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM transaction WHERE payment_hash = $1', [paymentHash]);
    const path = `/dashboard/history/${rows[0]?.id}`;
    for (const page of ['/dashboard', '/dashboard/history']) {
      const told = await words(page);
      expect(told).toContain('\u22124,201 sats');
      expect(told).not.toContain('\u22124,223 sats');
    }
    const told = await words(path);
    expect(told).toContain('\u22124,201 sats');
    expect(told).toContain('Amount 4,201 sats');
    expect(told).toContain('Reserved 4,223 sats (including the maximum fee)');
    await fixture.release(paymentHash);
    await eventually(async () => (await words(path)).includes('Sent'));
  });

  it.each(['after=garbage', 'before=garbage', 'after=', 'after=a&after=b', `before=${'x'.repeat(500)}`])(
    'refuse an address of the history with an invalid cursor: %s',
    async (query) => {
      const page = await browser.get(`/dashboard/history?${query}`);
      expect(page.status).toBe(400);
      expect(page.text).toContain('data-testid="error-request"');
      expect(page.text).toContain('<a href="/dashboard/history">History</a>');
    },
  );

  it('show the issuer and the wallet’s owner on a receipt', async () => {
    const host = new URL(app.url).host;
    const { rows } = await app.pool.query<{ id: string }>(`SELECT id FROM transaction WHERE account_id = $1 AND direction = 'RECEIVE'`, [
      alice.accountId,
    ]);
    const told = await words(`/dashboard/history/${rows[0]?.id}`);
    expect(told).toContain(`Issued by Sluice, ${host}, on `);
    expect(told).toContain(`To Bitcoin wallet of alice@ ${host}`);
  });

  it('look again at an open invoice every 15 seconds, because an event may be lost, and say on which day it expires', async () => {
    const { paymentHash } = await alice.invoice(1_000);
    const page = await browser.get(`/dashboard/receive/${paymentHash}`);
    expect(/data-due="(\d+)"/.exec(page.text)?.[1]).toBe('15');
    expect(wordsOf(page)).toMatch(/Expires at \d\d:\d\d UTC (?:today|tomorrow)/);
  });

  it.each(['/dashboard/history', '/dashboard/receive/invoices'])('listen to no events where nothing is live: %s', async (path) => {
    const { text } = await browser.get(path);
    expect(['data-events', 'data-live'].filter((attribute) => text.includes(attribute))).toEqual([]);
  });

  it('show the last use of an app and of a key at once', async () => {
    const coffee = await newOAuthApp(app);
    const { access_token } = await coffee.connect(alice, { scope: 'read' });
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"query":"{ me { id } }"}',
      });
    for (const path of ['/dashboard/apps', `/dashboard/apps/${coffee.client.id}`]) {
      await app.pool.query('UPDATE oauth_grant SET last_used_at = NULL');
      expect((await ask({ 'oauth2-token': access_token })).status).toBe(200);
      expect((await browser.get(path)).text).toMatch(LAST_USED_NOW);
    }
    await app.pool.query('UPDATE oauth_grant SET last_used_at = NULL');
    expect((await coffee.userinfo(access_token)).status).toBe(200);
    expect((await browser.get('/dashboard/apps')).text).toMatch(LAST_USED_NOW);
    await app.pool.query('UPDATE api_key SET last_used_at = NULL');
    expect((await ask({ 'x-api-key': alice.keys.read })).status).toBe(200);
    expect((await browser.get('/dashboard/keys')).text).toMatch(LAST_USED_NOW);
  });

  it.each([
    '/dashboard/nothing',
    `/dashboard/history/${'0'.repeat(32)}`,
    `/dashboard/receive/${'0'.repeat(64)}`,
    `/dashboard/keys/${'0'.repeat(32)}`,
  ])('keep the navigation on a page that was not found: %s', async (path) => {
    const page = await browser.get(path);
    expect(page.status).toBe(404);
    expect(page.text).toContain('data-testid="error-missing"');
    expect(page.text).toContain('<a href="/dashboard/history">History</a>');
    expect(page.text).toContain(alice.email);
    const stranger = await new BrowserSession(app.url).get(path);
    expect(stranger.text).not.toContain('<nav');
  });

  it('say that an address only accepts forms, with the navigation, to a person who opens it', async () => {
    const page = await browser.get('/dashboard/account/username');
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'POST']);
    expect(page.text).toContain('data-testid="error-method"');
    expect(page.text).toContain('<a href="/dashboard/history">History</a>');
    const program = await fetch(`${app.url}/dashboard/account/username`);
    expect([program.status, program.headers.get('allow'), await program.json()]).toMatchObject([405, 'POST', { error: { code: 405 } }]);
  });

  describe('of the history and the invoices', () => {
    let bob: Person;
    let his: BrowserSession;
    const read = async (path: string): Promise<string> => wordsOf(await his.get(path));

    beforeAll(async () => {
      bob = await fixture.user({ sats: 10_000 });
      his = new BrowserSession(app.url);
      await his.signInOnTheWay(await his.get('/dashboard'), { email: bob.email, password: PASSWORD });
      await bob.pay((await fixture.outside(700)).paymentRequest, 'Bread for Sunday');
      await bob.pay((await fixture.outside(800, { fail: 'no_route' })).paymentRequest, '=Books');
      // Their callers waited a second.
      const inFlight = `SELECT FROM payment WHERE account_id = $1 AND state = 'in_flight'`;
      await eventually(async () => (await app.pool.query(inFlight, [bob.accountId])).rowCount === 0);
    });

    it('are limited by status, wallet and text, and say so when nothing matches', async () => {
      const all = await read('/dashboard/history');
      for (const shown of ['Bread for Sunday', '=Books', '+10,000 sats']) expect(all).toContain(shown);
      const sent = await read('/dashboard/history?state=sent');
      expect(sent).toContain('Bread for Sunday');
      for (const hidden of ['=Books', '+10,000 sats']) expect(sent).not.toContain(hidden);
      expect(await read('/dashboard/history?state=failed&wallet=BTC')).toContain('=Books');
      expect(await read('/dashboard/history?q=%20bREAD%20')).toContain('Bread for Sunday');
      const { rows } = await app.pool.query<{ hash: string }>(
        `SELECT payment_hash AS hash FROM transaction WHERE account_id = $1 AND direction = 'RECEIVE'`,
        [bob.accountId],
      );
      const found = await read(`/dashboard/history?q=${rows[0]?.hash.slice(0, 20)}&state=received`);
      expect(found).toContain('+10,000 sats');
      for (const query of ['q=bread&state=received', 'wallet=USD', `q=${'x'.repeat(200)}`])
        expect(await read(`/dashboard/history?${query}`)).toContain('No payments found No payment matches your search. Clear search');
      const { text } = await his.get('/dashboard/history?q=%22%3E%3Cscript%3E&state=nonsense');
      expect(text).not.toContain('"><script>');
      expect(await read('/dashboard/history?state=nonsense')).toBe(all);
    });

    it.each<[string, string, boolean]>([
      ['an amount with its unit', '−702 sats', true],
      ['one without the fee', '700 sats', true],
      ['one without commas', '10000', false],
      ['what it was worth', '$', true],
      ['a state', 'sent', true],
      ['the other way', 'received', false],
      ['a name that stands for none', 'lightning payment', false],
      ['a part of the description', 'bread', true],
      ['the key that sent it', 'via API key “write”', true],
    ])('are found by what they show: by %s', async (_, q, isBread) => {
      const found = await read(`/dashboard/history?q=${encodeURIComponent(q)}`);
      expect([found.includes('Bread for Sunday'), found.includes('No payments found')]).toEqual([isBread, false]);
    });

    it('are found by whom they went to, as the row says it', async () => {
      await bob.pay((await alice.invoice(31, 'Tea & scones')).paymentRequest);
      const row = /Tea & scones −31 sats .*? · To alice · via API key “ ?write ?”/;
      for (const q of ['To alice', 'to ALICE', 'tea & scones', 'via api key'])
        expect((await read(`/dashboard/history?q=${encodeURIComponent(q)}`)).replaceAll('&amp;', '&')).toMatch(row);
      expect(await read('/dashboard/history?q=from%20alice')).toContain('No payments found');
      expect(await words(`/dashboard/history?q=from%20${bob.username}`)).toContain('+31 sats');
      await app.pool.query('DELETE FROM transaction WHERE account_id = $1 AND amount = -31000', [bob.accountId]);
    });

    it('are found by the id, the preimage and the cause of a failure that the page of a payment shows', async () => {
      const { rows } = await app.pool.query<{ id: string; preimage: string }>(
        `SELECT id, preimage FROM transaction WHERE account_id = $1 AND memo = 'Bread for Sunday'`,
        [bob.accountId],
      );
      const [{ id, preimage } = { id: '', preimage: '' }] = rows;
      for (const q of [id, preimage]) expect(await read(`/dashboard/history?q=${q}`)).toContain('Bread for Sunday');
      expect(await read('/dashboard/history?q=no%20route')).toContain('=Books');
    });

    it('are limited by days, of UTC', async () => {
      await app.pool.query(
        `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, memo, external_id_by_owner, initiation, settlement, created_at, settled_at)
         SELECT gen_random_uuid(), $1, $2, 'BTC', 'SEND', 'FAILURE', -1000, memo, false, 'ln', 'ln', t, t
           FROM (VALUES ('late on the 9th', '2026-03-09T23:59:59.999Z'::timestamptz), ('early on the 10th', '2026-03-10T00:00Z')) AS v (memo, t)`,
        [bob.accountId, bob.wallets.BTC],
      );
      const within = async (query: string): Promise<boolean[]> => {
        const page = await read(`/dashboard/history?${query}`);
        return ['late on the 9th', 'early on the 10th', 'Bread for Sunday'].map((memo) => page.includes(memo));
      };
      expect(await within('until=2026-03-09')).toEqual([true, false, false]);
      expect(await within('from=2026-03-10&until=2026-03-10')).toEqual([false, true, false]);
      expect(await within('from=2026-03-10')).toEqual([false, true, true]);
      for (const from of ['2026-13-01', '10.3.2026', '']) expect(await within(`from=${from}`)).toEqual([true, true, true]);
      const { text } = await his.get('/dashboard/history?from=2026-03-10&until=2026-03-10');
      await app.pool.query(`DELETE FROM transaction WHERE account_id = $1 AND created_at < '2026-04-01'`, [bob.accountId]);
      expect(text).toMatch(/<input id="from" name="from" type="date" value="2026-03-10"/);
    });

    it('print as what they are', async () => {
      const { rows } = await app.pool.query<{ id: string }>(`SELECT id FROM transaction WHERE account_id = $1 AND memo = '=Books'`, [
        bob.accountId,
      ]);
      expect(await read(`/dashboard/history/${rows[0]?.id}`)).toMatch(
        /Payee Lightning invoice ?, node 0[23][0-9a-f]{64} .*Issued by Sluice, localhost:\d+, on .* UTC Payment failed: not a receipt\./,
      );
    });

    it('are searched 5,000 payments at a time, page by page', async () => {
      await app.pool.query(
        `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, memo, external_id_by_owner, initiation, settlement, created_at, settled_at)
         SELECT gen_random_uuid(), $1, $2, 'BTC', 'SEND', 'FAILURE', -1000, CASE WHEN n % 200 = 0 THEN 'needle ' || n ELSE 'hay' END, false, 'ln', 'ln', t, t
           FROM generate_series(1, 8000) AS n, LATERAL (SELECT date_trunc('milliseconds', now()) - interval '1 day' - make_interval(secs => n)) AS at(t)`,
        [bob.accountId, bob.wallets.BTC],
      );
      const needles: number[] = [];
      let path = '/dashboard/history?q=needle';
      for (let pages = 0; path !== ''; pages++) {
        expect(pages).toBeLessThan(6);
        const { text } = await his.get(path);
        needles.push(...[...text.matchAll(/>needle (\d+)</g)].map(([, n]) => Number(n)));
        path = /href="([^"]*)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
      }
      expect(needles).toEqual(Array.from({ length: 40 }, (_, index) => (index + 1) * 200));
      const none = await read('/dashboard/history?q=nowhere');
      expect(none).toContain('None of 5,000 payments matches. Older ones may.');
      expect(none).toContain('Older');
    });

    it('are a CSV file, however long, with the rows of the API', async () => {
      const file = await his.get('/dashboard/history/csv');
      expect([
        file.status,
        file.headers.get('content-type'),
        file.headers.get('content-disposition'),
        file.headers.get('cache-control'),
      ]).toEqual([200, 'text/csv; charset=utf-8', 'attachment; filename="sluice-history.csv"', 'no-store']);
      const lines = file.text.trimEnd().split('\r\n');
      expect(lines).toHaveLength(1 + 3 + 8_000);
      expect(lines[0]).toMatch(/^id,walletId,createdAt,/);
      expect(lines[1]).toContain(`,'=Books,`);
      await app.pool.query(`DELETE FROM transaction WHERE account_id = $1 AND amount = -1000`, [bob.accountId]);
      const query = '{ me { defaultAccount { csvTransactions(walletIds: []) } } }';
      const { me } = await dataOf(app.url, query, {}, bob.as('read'));
      expect((await his.get('/dashboard/history/csv')).text).toBe(Buffer.from(me.defaultAccount.csvTransactions, 'base64').toString());
      const stranger = await new BrowserSession(app.url).get('/dashboard/history/csv');
      expect([stranger.status, stranger.location]).toEqual([303, expect.stringContaining('/login')]);
    });

    it('list the invoices with their states, newest first', async () => {
      expect(await words('/dashboard/receive')).toContain('Invoices');
      const cancelled = await bob.invoice(3, 'Cancelled one');
      await bob.invoice(4, 'Open one');
      const csrf = /name="csrf" value="([^"]*)"/.exec((await his.get('/dashboard')).text)?.[1] ?? '';
      await his.post(`/dashboard/receive/${cancelled.paymentHash}/cancel`, { csrf });
      expect(await read('/dashboard/receive/invoices')).toMatch(
        /Open one 4 sats .*Waiting .*Cancelled one 3 sats .*Cancelled .*Invoice 10,000 sats .*Paid/,
      );
      expect((await his.get('/dashboard/receive/invoices?after=garbage')).status).toBe(400);
    });
  });

  it('hide an empty dollar wallet; a request in dollars names the receiving wallet', async () => {
    const told = await words('/dashboard/receive');
    expect(told).toContain('Amount to request In sats or dollars. sats US dollar Into Bitcoin wallet US dollar wallet');
    expect(told).not.toContain('US dollar about');
    expect(told).not.toContain('$0.00');
    const form = await browser.get('/dashboard');
    const csrf = /name="csrf" value="([^"]*)"/.exec(form.text)?.[1] ?? '';
    const made = await browser.post('/dashboard/receive', { csrf, amount: '1.50', unit: 'USD', memo: '' });
    expect(await words(made.location)).toContain('About $1.50, paid into your Bitcoin wallet');
  });
});
