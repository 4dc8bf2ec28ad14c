import { Clock } from '../../src/platform/kernel/clock.js';
import type { TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { createDollarApp, createInvoice, fundsOf, PRICE, setPrice } from '../support/dollars.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';

/** A person converts between their own wallets: the review shows both amounts and the price, and a confirmation converts once. */
describe('/dashboard/convert', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let browser: BrowserSession;

  beforeAll(async () => {
    app = await createDollarApp();
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    await setPrice(app, PRICE);
    alice = await fixture.user({ sats: 100_000 });
    browser = await signedIn(alice);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const signedIn = async ({ email }: Person): Promise<BrowserSession> => {
    const session = new BrowserSession(app.url);
    await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
    return session;
  };
  const fill = async (fields: Fields): Promise<Visit> =>
    browser.post('/dashboard/convert', { ...hiddenFields(await browser.get('/dashboard/convert')), unit: 'sats', ...fields });
  const reviewOf = async (fields: Fields): Promise<Visit> => {
    const { status, location } = await fill(fields);
    expect(status).toBe(303);
    return browser.get(location);
  };
  const confirm = (review: Visit): Promise<Visit> => browser.post('/dashboard/convert/review', hiddenFields(review));
  /** The text of the main part without markup. */
  const textOf = ({ text }: Visit): string =>
    text
      .slice(text.indexOf('<main'))
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  const funds = (): Promise<object> => fundsOf(app, alice);

  it('converts sats into dollars once: pressed twice, again, and from the browser’s Back', async () => {
    const review = await reviewOf({ amount: '20,000' });
    expect(textOf(review)).toMatch(
      /Convert 20,000 sats\? .*You give 20,000 sats , from your Bitcoin wallet You get \$9\.90 , in your US dollar wallet Price \$49,500\.00 for one bitcoin Spread 1\.00 %: \$500\.00 below the market price of \$50,000\.00 Fee None Balance afterwards 80,000 sats/,
    );
    expect(await funds()).toEqual({ sats: 100_000, cents: 0 });
    const answers = await Promise.all([confirm(review), confirm(review)]);
    answers.push(await confirm(review));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    const back = await browser.get(review.url);
    expect([back.status, back.location]).toEqual([303, answers[0]?.location]);
    expect(textOf(await browser.get(back.location))).toMatch(
      /To your US dollar wallet .*−20,000 sats Sent .*Converted to Your US dollar wallet .*From Bitcoin wallet of/,
    );
    const list = await browser.get('/dashboard/history');
    const exchanged = 'You gave 20,000 sats You got $9.90 Price $49,500.00 for one bitcoin';
    for (const id of [...list.text.matchAll(/\/dashboard\/history\/([0-9a-f-]{36})/g)].slice(0, 2).map(([, found]) => String(found))) {
      const receipt = textOf(await browser.get(`/dashboard/history/${id}`));
      expect(receipt).toContain(exchanged);
      expect(receipt).not.toContain('Network fee');
    }
    const history = textOf(list);
    expect(history).toMatch(/To your US dollar wallet −20,000 sats/);
    expect(history).toMatch(/From your Bitcoin wallet \+\$9\.90/);
    const found = async (q: string): Promise<string> => textOf(await browser.get(`/dashboard/history?q=${encodeURIComponent(q)}`));
    expect(await found('To your')).toMatch(/To your US dollar wallet −20,000 sats/);
    expect(await found('from your bitcoin')).not.toContain('−20,000 sats');
    expect(await funds()).toEqual({ sats: 80_000, cents: 990 });
  });

  it('converts dollars into sats at the price for buyers', async () => {
    await confirm(await reviewOf({ amount: '20,000' }));
    const review = await reviewOf({ amount: '5.05', unit: 'USD' });
    expect(textOf(review)).toMatch(
      /You give \$5\.05 , from your US dollar wallet You get 10,000 sats , in your Bitcoin wallet Price \$50,500\.00 .*Spread 1\.00 %: \$500\.00 above .*Balance afterwards \$4\.85/,
    );
    const { status, location } = await confirm(review);
    expect(status).toBe(303);
    expect(textOf(await browser.get(location))).toContain('You gave $5.05 You got 10,000 sats Price $50,500.00 for one bitcoin');
    expect(await funds()).toEqual({ sats: 90_000, cents: 485 });
  });

  it('shows the amounts of its own conversion beside another at the same time, and none where a row of 0.3.0 does not know its payment', async () => {
    for (const amount of ['20,000', '10,000']) await confirm(await reviewOf({ amount }));
    await app.pool.query('UPDATE transaction SET created_at = now() WHERE account_id = $1', [alice.accountId]);
    const pages = async (): Promise<string[]> => {
      const { rows } = await app.pool.query<{ id: string }>(
        `SELECT id FROM transaction WHERE account_id = $1 AND currency = 'USD' AND direction = 'RECEIVE' ORDER BY amount`,
        [alice.accountId],
      );
      return Promise.all(rows.map(async ({ id }) => textOf(await browser.get(`/dashboard/history/${id}`))));
    };
    const [lesser, greater] = await pages();
    expect(lesser).toContain('You gave 10,000 sats You got $4.95');
    expect(greater).toContain('You gave 20,000 sats You got $9.90');
    await app.pool.query(`UPDATE transaction SET id = gen_random_uuid() WHERE account_id = $1 AND direction = 'RECEIVE'`, [
      alice.accountId,
    ]);
    const unknown = await pages();
    expect(unknown).toHaveLength(2);
    for (const page of unknown) expect(page).not.toContain('You gave');
  });

  it('shows the price of an own invoice in dollars that bitcoin has paid', async () => {
    const { paymentRequest } = (await createInvoice(app, 'lnUsdInvoiceCreate', alice, 500)).invoice;
    await alice.pay(paymentRequest);
    const [, id] = /\/dashboard\/history\/([0-9a-f-]{36})/.exec((await browser.get('/dashboard/history')).text) ?? [];
    expect(textOf(await browser.get(`/dashboard/history/${id}`))).toMatch(
      /You gave 10,\d{3} sats You got \$5\.00 Price \$4\d,\d{3}\.00 for one bitcoin/,
    );
  });

  it('asks again when the person would get less than they have seen, and converts once after that', async () => {
    const review = await reviewOf({ amount: '20,000' });
    await setPrice(app, PRICE / 2n);
    const again = await confirm(review);
    expect(again.status).toBe(422);
    expect(textOf(again)).toMatch(/Nothing was converted The price has changed: .*You get \$4\.95 /);
    expect(await funds()).toEqual({ sats: 100_000, cents: 0 });
    expect((await confirm(again)).status).toBe(303);
    await setPrice(app, PRICE);
    expect((await confirm(review)).status).toBe(303);
    expect(await funds()).toEqual({ sats: 80_000, cents: 495 });
  });

  it('converts at a better price than the one that was seen', async () => {
    const review = await reviewOf({ amount: '20,000' });
    await setPrice(app, PRICE * 2n);
    expect((await confirm(review)).status).toBe(303);
    expect(await funds()).toEqual({ sats: 80_000, cents: 1_980 });
  });

  it.each<[string, Fields, string]>([
    ['nothing', { amount: '' }, 'Enter an amount of at least 1 sat.'],
    ['no dollars', { amount: '0', unit: 'USD' }, 'Enter an amount of at least $0.01.'],
    ['from an empty wallet', { amount: '1', unit: 'USD' }, 'Your US dollar wallet is empty.'],
    ['less than a cent', { amount: '1' }, 'That is worth less than $0.01. Enter a larger amount.'],
    ['more than there is', { amount: '100001' }, 'Your Bitcoin wallet has 100,000 sats. Enter no more than that.'],
    ['more than all money', { amount: '999999999999999' }, 'The largest amount is 10,000,000,000,000 sats.'],
    ['more dollars than all money', { amount: '9'.repeat(16), unit: 'USD' }, 'The largest amount is $100,000,000,000.00.'],
    ['less than the smallest dollar amount', { amount: '0.001', unit: 'USD' }, 'The smallest amount is $0.01.'],
    ['less than a sat', { amount: '0.001' }, 'The smallest amount is 1 sat. Sats are whole numbers.'],
    ['words', { amount: 'all' }, 'Enter a number of sats, for example 1,000.'],
  ])('refuses %s, and keeps what was typed', async (_, fields, text) => {
    const page = await fill(fields);
    expect(page.status).toBe(422);
    expect(/<a href="#amount">([^<]*)<\/a>/.exec(page.text)?.[1]).toBe(text);
    if (fields['amount'] !== '') expect(page.text).toContain(`value="${String(fields['amount'])}"`);
  });

  it('converts nothing without a price, and says so before a person types', async () => {
    const review = await reviewOf({ amount: '20,000' });
    expect((await browser.get('/dashboard/convert')).text).toContain('<button>Review conversion</button>');
    await setPrice(app, undefined);
    const form = await browser.get('/dashboard/convert');
    expect(textOf(form)).toContain('Conversion is unavailable: this server has no exchange rate.');
    expect(form.text).toContain('<button disabled>Review conversion</button>');
    const refused = await fill({ amount: '20,000' });
    expect([refused.status, refused.text.includes('There is no price of dollars now. Try again later.')]).toEqual([422, true]);
    expect(refused.text).toContain('value="20,000"');
    const answer = await confirm(review);
    expect([answer.status, answer.text.includes('There is no price of dollars now.')]).toEqual([422, true]);
    expect(await funds()).toEqual({ sats: 100_000, cents: 0 });
  });

  it('shows the review after a sign-in at its own address: reload and Back show the review, and once it is done the conversion', async () => {
    const review = await reviewOf({ amount: '20,000' });
    await fixture.endSessions(alice);
    const { location } = await browser.post(review.url, hiddenFields(review));
    const back = await browser.submit(await browser.get(location), { email: alice.email, password: PASSWORD });
    expect(back.location).toBe(review.url);
    const [shown, reloaded] = [await browser.get(back.location), await browser.get(back.location)];
    for (const page of [shown, reloaded])
      expect([page.status, textOf(page)]).toEqual([200, expect.stringContaining('Convert 20,000 sats?')]);
    expect(await funds()).toEqual({ sats: 100_000, cents: 0 });
    const done = await confirm(shown);
    expect(done.location).toContain('/dashboard/history/');
    expect(await browser.get(review.url)).toMatchObject({ status: 303, location: done.location });
    // The old page in another tab: its session has ended.
    expect(await confirm(review)).toMatchObject({ status: 403, text: expect.stringContaining('data-testid="error-form"') as string });
    expect(await funds()).toEqual({ sats: 80_000, cents: 990 });
  });

  it('says of a review that has expired that nothing was converted, and keeps what was typed', async () => {
    const [review, converted] = [await reviewOf({ amount: '20,000' }), await reviewOf({ amount: '10,000' })];
    const { location } = await confirm(converted);
    const now = Date.now();
    jest.spyOn(app.get(Clock), 'now').mockReturnValue(now + 16 * 60_000);
    for (const late of [await confirm(review), await browser.get(review.url)]) {
      expect([late.status, textOf(late)]).toEqual([410, expect.stringContaining('The review has expired. Nothing was converted.')]);
      expect(late.text).toContain('value="20,000"');
    }
    for (const late of [await confirm(converted), await browser.get(converted.url)])
      expect([late.status, late.location]).toEqual([303, location]);
    jest.restoreAllMocks();
    expect(await funds()).toEqual({ sats: 90_000, cents: 495 });
  });

  it('does not say that nothing was converted of a review that it does not know', async () => {
    const review = await reviewOf({ amount: '20,000' });
    browser = await signedIn(await fixture.user({ sats: 100_000 }));
    for (const url of [review.url, '/dashboard/convert/review?order=abc', '/dashboard/convert/review']) {
      const page = await browser.get(url);
      expect([page.status, textOf(page)]).toEqual([
        410,
        expect.stringContaining(
          'The review has expired. If you confirmed it, the conversion is in your history . Look there before you convert again.',
        ),
      ]);
      expect(textOf(page)).not.toContain('Nothing was converted');
      expect(page.text).toContain('<a href="/dashboard/history">history</a>');
    }
    expect(await funds()).toEqual({ sats: 100_000, cents: 0 });
  });
});
