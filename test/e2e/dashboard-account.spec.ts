import { Injectable } from '@nestjs/common';
import { PriceSource, type PriceQuote } from '../../src/index.js';
import { PriceService } from '../../src/money/price/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { PRICE, sendSats } from '../support/dollars.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';

const RATES = { EUR: 0.5, JPY: 100, BHD: 0.4 } as const;
const DAY = 86_400;

/** The price of the test, and that in other currencies; undefined: there is none. */
let centsPerBtc = PRICE;
let rates: PriceQuote['rates'] | undefined = RATES;

@Injectable()
class RatedPrice extends PriceSource {
  override async findQuote(): Promise<PriceQuote | undefined> {
    if (!rates) return undefined;
    return { centsPerBtc, rates, at: new Date(), spreadPpm: 0, expiresAt: new Date(Date.now() + 600_000) };
  }
}

const CURRENCY = '{ me { defaultAccount { displayCurrency } } }';

/** At `PRICE`, 20 satoshis are a cent. */
describe('/dashboard/account', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let browser: BrowserSession;

  const setRates = async (next: typeof rates): Promise<void> => {
    rates = next;
    const prices = app.get(PriceService);
    prices.refresh();
    await eventually(() => Promise.resolve(prices.quote?.rates === next && (next === undefined || prices.centsPerBtc === centsPerBtc)));
  };
  const setPrice = (cents: bigint): Promise<void> => {
    centsPerBtc = cents;
    return setRates(RATES);
  };

  beforeAll(async () => {
    app = await createTestApp({
      env: { ACCOUNT_LIMITS: 'ZERO=0/1/1,ONE=1000/2000/5000,TWO=1250/200000/200000,THREE=9000000/9000000/9000000' },
      price: RatedPrice,
    });
    fixture = new Fixture(app);
    bob = await fixture.user();
  });
  beforeEach(async () => {
    await setPrice(PRICE);
    alice = await fixture.user({ sats: 200_000 });
    browser = await signedIn(app, alice);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const signedIn = async ({ url }: TestApp, { email }: Person): Promise<BrowserSession> => {
    const session = new BrowserSession(url);
    await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
    return session;
  };
  const textOf = ({ text }: Visit): string =>
    text
      .slice(text.indexOf('<main'))
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/ (?=[,.)])|(?<=\() /g, '');
  const show = async (path: string): Promise<string> => textOf(await browser.get(path));
  const choose = async (currency: string): Promise<Visit> =>
    browser.post('/dashboard/account/currency', { ...hiddenFields(await browser.get('/dashboard/account')), currency });
  const fill = async (path: string, fields: Fields): Promise<Visit> =>
    browser.post(path, { ...hiddenFields(await browser.get(path)), unit: 'sats', memo: '', ...fields });
  const chosen = async (): Promise<unknown> =>
    (await dataOf(app.url, CURRENCY, {}, alice.as('read'))).me.defaultAccount.displayCurrency as unknown;

  describe('what a person chooses about themselves', () => {
    const save = async (what: 'username' | 'language' | 'wallet', value: string): Promise<Visit> =>
      browser.post(`/dashboard/account/${what}`, { ...hiddenFields(await browser.get('/dashboard/account')), [what]: value });

    it('the username: once in 90 days, and what is refused is kept on the form', async () => {
      for (const [typed, text] of [
        ['ab', 'Use 3 to 50 letters'],
        // A browser that shortens what is pasted would save another name for 90 days.
        ['x'.repeat(51), 'Use 3 to 50 letters'],
        ['support', 'This name is reserved.'],
        [bob.username, 'This name is taken.'],
      ] as const) {
        const refused = await save('username', typed);
        expect(refused.status).toBe(422);
        expect(textOf(refused)).toContain(text);
        expect(refused.text).toContain(`value="${typed}"`);
        expect(refused.text).not.toMatch(/<input[^>]*name="username"[^>]*maxlength/);
      }
      const changed = await save('username', `${alice.username}_new`);
      expect(changed.location).toBe(`${app.url}/dashboard/account?saved=username`);
      const page = textOf(await browser.get(changed.location));
      expect(page).toContain('Your username is changed.');
      expect(page).toContain(`${alice.username}_new@`);
      expect(page).toContain('You can change your username again after');
      expect(await show('/dashboard')).toContain(`${alice.username}_new@`);
      // A form that was open in another tab.
      expect(textOf(await save('username', alice.username))).toContain('once in 90 days');
      // A sender who knows the former name sees the one of now.
      const sender = await signedIn(app, bob);
      await fixture.fund(bob, 100);
      const form = { ...hiddenFields(await sender.get('/dashboard/send')), to: alice.username, amount: '10', unit: 'sats' };
      expect(textOf(await sender.get((await sender.post('/dashboard/send', form)).location))).toContain(`${alice.username}_new @`);
    });

    it('the language and the default wallet', async () => {
      expect(textOf(await browser.get((await save('language', 'pt')).location))).toContain('The language is saved.');
      expect(textOf(await browser.get((await save('wallet', 'USD')).location))).toContain('The default wallet is saved.');
      const mine = '{ me { language defaultAccount { defaultWalletId } } }';
      expect((await dataOf(app.url, mine, {}, alice.as('read'))).me).toEqual({
        language: 'pt',
        defaultAccount: { defaultWalletId: alice.wallets.USD },
      });
      await save('language', '<b>');
      await save('wallet', 'BTC');
      expect((await dataOf(app.url, mine, {}, alice.as('read'))).me).toEqual({
        language: 'pt',
        defaultAccount: { defaultWalletId: alice.wallets.BTC },
      });
      expect((await dataOf(app.url, '{ globals { supportedCountries { id } } }')).globals).toEqual({ supportedCountries: [] });
    });
  });

  describe('the limits of the account', () => {
    it('are shown with what is spent and left, and when it is free again', async () => {
      expect(await show('/dashboard')).toContain('Your limits');
      expect(await show('/dashboard/account')).toMatch(
        /To other wallets \$0\.00 of \$10\.00 20,000 sats left, about \$10\.00\. To users of this server \$0\.00 of \$20\.00 40,000 sats left, about \$20\.00\. Between your wallets \$0\.00 of \$50\.00 100,000 sats left/,
      );
      await sendSats(app, alice, bob.wallets.BTC, 30_001);
      await new TimeTravel(app).historyOf(alice.accountId, DAY / 2);
      await sendSats(app, alice, bob.wallets.BTC, 1_000);
      expect(await show('/dashboard/account')).toMatch(
        /To users of this server \$15\.51 of \$20\.00 8,999 sats left, about \$4\.49\. More becomes free at \d\d:\d\d UTC (today|tomorrow), all of it at \d\d:\d\d UTC (today|tomorrow)\./,
      );
    });

    it('say on Send and Convert what is left before a person types', async () => {
      expect(await show('/dashboard/send')).toContain(
        'You can send up to 20,000 sats ($10.00) today. You can send up to 40,000 sats ($20.00) to users of this server today. Your limits',
      );
      expect(await show('/dashboard/convert')).toContain('You can convert up to 100,000 sats ($50.00) today.');
    });

    it('are not stated while they leave more than the balance and are not nearly used up', async () => {
      const carol = await fixture.user({ sats: 15_000 });
      browser = await signedIn(app, carol);
      for (const path of ['/dashboard/send', '/dashboard/convert']) expect(await show(path)).not.toMatch(/limit|up to/i);
      await sendSats(app, carol, bob.wallets.BTC, 1_000);
      expect(await show('/dashboard/send')).not.toMatch(/limit|up to/i);
      // Three quarters of $20.00.
      await fixture.fund(carol, 29_000);
      await sendSats(app, carol, bob.wallets.BTC, 29_000);
      expect(await show('/dashboard/send')).toMatch(
        /Balance: 14,000 sats, about \$7\.00 You can send up to 10,000 sats \(\$5\.00\) to users of this server today\./,
      );
    });

    it('pass what is left as it is stated, in sats and in dollars, and not a satoshi more', async () => {
      await setPrice(6_125_000n);
      await sendSats(app, alice, bob.wallets.BTC, 3);
      expect(await show('/dashboard/send')).toContain('You can send up to 32,650 sats ($19.99) to users of this server today.');
      const fillSend = (amount: string, unit: string): Promise<Visit> => fill('/dashboard/send', { to: bob.username, amount, unit });
      expect((await fillSend('32,651', 'sats')).status).toBe(422);
      const { location } = await fillSend('32,650', 'sats');
      expect((await fillSend('20.00', 'USD')).status).toBe(422);
      expect(textOf(await browser.get((await fillSend('19.99', 'USD')).location))).toContain('Send 32,636 sats?');
      expect((await browser.post('/dashboard/send/review', hiddenFields(await browser.get(location)))).status).toBe(303);
      expect(await bob.sats()).toBeGreaterThanOrEqual(32_653);
      expect((await fillSend('1', 'sats')).status).toBe(422);
    });

    it('pass the whole limit when it is typed in dollars', async () => {
      await setPrice(6_125_000n);
      const { location } = await fill('/dashboard/send', { to: bob.username, amount: '20', unit: 'USD' });
      const review = await browser.get(location);
      expect(textOf(review)).toContain('Send 32,653 sats?');
      expect((await browser.post('/dashboard/send/review', hiddenFields(review))).status).toBe(303);
      expect(await show('/dashboard/account')).toContain('To users of this server $20.00 of $20.00 Nothing left.');
    });

    it('say when something is free truly, where the price has risen and more was sent than the limit', async () => {
      const travel = new TimeTravel(app);
      for (const sats of [1_000, 30_000, 2_000]) {
        await sendSats(app, alice, bob.wallets.BTC, sats);
        await travel.historyOf(alice.accountId, DAY / 4);
      }
      const freeAt = async (sats: number): Promise<string> => {
        const { rows } = await app.pool.query<{ at: Date }>(
          `SELECT created_at + interval '24 hours' AS at FROM transaction WHERE account_id = $1 AND amount = $2`,
          [alice.accountId, -sats * 1_000],
        );
        return new Date(Math.ceil((rows[0]?.at.getTime() ?? NaN) / 60_000) * 60_000).toISOString().slice(0, 19);
      };
      const becomesFree = async (path: string): Promise<string | undefined> =>
        /(?:More becomes free at|Limit resets from)\s+<time datetime="([^"]*)Z"/.exec((await browser.get(path)).text)?.[1];
      for (const path of ['/dashboard/account', '/dashboard/send']) expect(await becomesFree(path)).toBe(await freeAt(1_000));
      // What was sent is worth twice as much: without the first payment, it still exceeds the limit.
      await setPrice(PRICE * 2n);
      for (const path of ['/dashboard/account', '/dashboard/send']) expect(await becomesFree(path)).toBe(await freeAt(30_000));
      expect((await browser.get('/dashboard/account')).text).toContain(`datetime="${await freeAt(2_000)}Z"`);
    });

    it('refuse on the form what exceeds them, with what is left and when more is free', async () => {
      await sendSats(app, alice, bob.wallets.BTC, 30_000);
      const toUser = await fill('/dashboard/send', { to: bob.username, amount: '10,001' });
      expect(toUser.status).toBe(422);
      expect(textOf(toUser)).toMatch(
        /This payment exceeds what your account may send to users of this server in 24 hours\. You can send up to 10,000 sats \(\$5\.00\) to users of this server today\. Limit resets from \d\d:\d\d UTC (today|tomorrow)\./,
      );
      // At the top and at the field; the lines above the form state the other limits.
      expect(textOf(toUser).match(/to users of this server today/g)).toHaveLength(2);
      expect(textOf(toUser)).toContain('You can send up to 20,000 sats ($10.00) today.');
      const { paymentRequest } = await bob.invoice(10_001);
      const invoice = await fill('/dashboard/send', { to: paymentRequest });
      expect(textOf(invoice)).toContain('may send to users of this server in 24 hours.');
      // The invoice has the amount.
      expect(invoice.text).toContain('<a href="#to">This payment exceeds');
      const outside = await fill('/dashboard/send', { to: (await fixture.outside(20_001)).paymentRequest });
      expect(textOf(outside)).toContain(
        'This payment exceeds what your account may send to other wallets in 24 hours. You can send up to 20,000 sats ($10.00) today.',
      );
      const conversion = await fill('/dashboard/convert', { amount: '100,020' });
      expect(textOf(conversion)).toContain(
        'This exceeds what your account may convert in 24 hours. You can convert up to 100,000 sats ($50.00) today.',
      );
      // At the top and at the field, and not once more above the form.
      expect(textOf(conversion).match(/You can convert up to/g)).toHaveLength(2);
      expect(textOf(conversion)).toContain('Your limits');
      expect((await fill('/dashboard/send', { to: bob.username, amount: '10,000' })).status).toBe(303);
    });

    it('refuse on the review page what other payments have used up meanwhile, and offer no button that sends', async () => {
      const { location } = await fill('/dashboard/send', { to: bob.username, amount: '10,001' });
      const { location: conversion } = await fill('/dashboard/convert', { amount: '60,000' });
      const [form, conversionForm] = [hiddenFields(await browser.get(location)), hiddenFields(await browser.get(conversion))];
      await sendSats(app, alice, bob.wallets.BTC, 30_000);
      const sent = await browser.post(
        '/dashboard/convert/review',
        hiddenFields(await browser.get((await fill('/dashboard/convert', { amount: '60,000' })).location)),
      );
      expect(sent.status).toBe(303);
      for (const refused of [await browser.post('/dashboard/send/review', form), await browser.get(location)]) {
        expect(refused.status).toBe(422);
        expect(textOf(refused)).toMatch(
          /Nothing was sent This payment exceeds what your account may send to users of this server in 24 hours\. You can send up to 10,000 sats \(\$5\.00\) to users of this server today\. Limit resets from \d\d:\d\d UTC (today|tomorrow)\./,
        );
        expect(refused.text).not.toMatch(/<button>Send/);
        expect(refused.text).toContain('Change payment');
      }
      for (const refused of [await browser.post('/dashboard/convert/review', conversionForm), await browser.get(conversion)]) {
        expect(refused.status).toBe(422);
        expect(textOf(refused)).toMatch(
          /Nothing was converted This exceeds what your account may convert in 24 hours\. You can convert up to 40,000 sats \(\$20\.00\) today\./,
        );
        expect(refused.text).not.toMatch(/<button>Convert/);
      }
    });

    it('say that nothing is left', async () => {
      await sendSats(app, alice, bob.wallets.BTC, 40_000);
      expect(await show('/dashboard/account')).toMatch(/\$20\.00 of \$20\.00 Nothing left\. All of it is free again at \d\d:\d\d UTC/);
      expect(await show('/dashboard/send')).toMatch(/You can’t send more to users of this server today\. Limit resets from \d\d:\d\d UTC/);
    });

    it('are shown and refuse in satoshis without a price, as they count then', async () => {
      await sendSats(app, alice, bob.wallets.BTC, 5_000);
      await setRates(undefined);
      // The history keeps what it has frozen.
      for (const path of ['/dashboard', '/dashboard/account', '/dashboard/send'])
        expect((await show(path)).replace(/Recent activity.*/, '')).not.toContain('$');
      expect(await show('/dashboard/convert')).toContain('You can convert up to 50,000 sats today.');
      // $20.00 at the default of ACCOUNT_LIMITS_CENTS_PER_BTC, $100,000.
      expect(await show('/dashboard/account')).toMatch(
        /this server has no price now.* To users of this server 5,000 sats of 20,000 sats 15,000 sats left\. All of it is free again at/,
      );
      expect(await show('/dashboard/send')).toContain('You can send up to 15,000 sats to users of this server today.');
      const refused = await fill('/dashboard/send', { to: bob.username, amount: '15,001' });
      expect(textOf(refused)).toContain('You can send up to 15,000 sats to users of this server today.');
      const { location } = await fill('/dashboard/send', { to: bob.username, amount: '15,000' });
      expect((await browser.post('/dashboard/send/review', hiddenFields(await browser.get(location)))).status).toBe(303);
    });

    it('show what was sent exactly, in satoshis, without a price', async () => {
      await sendSats(app, alice, bob.wallets.BTC, 16_326);
      await setRates(undefined);
      expect(await show('/dashboard/account')).toContain('To users of this server 16,326 sats of 20,000 sats 3,674 sats left.');
    });

    it('are not shown where there are none', async () => {
      const unlimited = await createTestApp({ env: { ACCOUNT_LIMITS: 'none' }, price: RatedPrice });
      try {
        browser = await signedIn(unlimited, await new Fixture(unlimited).user({ sats: 1_000 }));
        for (const path of ['/dashboard', '/dashboard/account', '/dashboard/send', '/dashboard/convert'])
          expect(await show(path)).not.toMatch(/limit|up to/i);
      } finally {
        await unlimited.close();
      }
    });
  });

  it('shows no dollars, no conversion and no display currency where the operator has chosen no prices', async () => {
    const plain = await createTestApp({ env: { PRICE_SOURCE: 'none' } });
    try {
      browser = await signedIn(plain, await new Fixture(plain).user({ sats: 1_000 }));
      for (const path of ['', '/account', '/send', '/receive', '/history'])
        expect(await show(`/dashboard${path}`)).not.toMatch(/\$|USD|dollars|Convert|price of dollars|Display currency/);
      expect(await show('/dashboard/convert')).toContain('Conversion is unavailable: this server has no exchange rate.');
    } finally {
      await plain.close();
    }
  });

  describe('the display currency', () => {
    it('is chosen there, and is the one of the API', async () => {
      const saved = await choose('EUR');
      expect([saved.status, new URL(saved.location).pathname]).toEqual([303, '/dashboard/account']);
      expect((await browser.get(saved.location)).text).toMatch(
        /The display currency is saved\.[^]*<option value="EUR" selected>Euro \(EUR\)/,
      );
      expect(await chosen()).toBe('EUR');
    });

    it.each(['CHF', 'eur', 'ZZZ', ''])('is not %j, which has no price', async (currency) => {
      const page = await choose(currency);
      expect(page.status).toBe(422);
      expect(page.text).toContain('<a href="#currency">This currency has no price now. Choose another one.</a>');
      expect(page.text).toMatch(/<select [^>]*aria-describedby="currency-error" aria-invalid="true">/);
      expect(page.text).toContain('<p class="error" id="currency-error">This currency has no price now. Choose another one.</p>');
      expect(await chosen()).toBe('USD');
    });

    it('stands beside sats on every page, with the decimal places of the currency', async () => {
      await choose('EUR');
      expect(await show('/dashboard')).toContain('200,000 sats about €50.00');
      await choose('JPY');
      expect(await show('/dashboard')).toContain('200,000 sats about ¥10,000');
      await choose('BHD');
      expect(await show('/dashboard')).toMatch(/200,000 sats about BHD\s40\.000/);
      await choose('EUR');
      const review = await browser.get((await fill('/dashboard/send', { to: bob.username, amount: '4,000' })).location);
      expect(textOf(review)).toMatch(/Amount 4,000 sats, about €1\.00 .*Total 4,000 sats, about €1\.00/);
      const invoice = await browser.get((await fill('/dashboard/receive', { amount: '4,000' })).location);
      expect(textOf(invoice)).toContain('About €1.00, paid into your Bitcoin wallet');
      const conversion = await browser.get((await fill('/dashboard/convert', { amount: '20,000' })).location);
      expect(textOf(conversion)).toMatch(/You give 20,000 sats, about €5\.00, from your Bitcoin wallet/);
      expect(await show('/dashboard/convert')).toContain('Bitcoin wallet 200,000 sats, about €50.00');
    });

    it('is frozen in the history; dollars stay dollars', async () => {
      await choose('EUR');
      await sendSats(app, alice, bob.wallets.BTC, 4_000);
      await sendSats(app, alice, alice.wallets.USD, 20_000);
      await setRates({ EUR: 0.25, JPY: 100 });
      await choose('JPY');
      const history = await show('/dashboard/history');
      expect(history).toMatch(/−4,000 sats [^−+]*about €1\.00/);
      expect(history).toMatch(/\+\$\d+\.\d\d [^−+]*about €\d+\.\d\d/);
      const wallet = await browser.get('/dashboard');
      expect(textOf(wallet)).toMatch(/US dollar \$\d+\.\d\d about ¥\d+/);
      const before = wallet.text.slice(0, wallet.text.indexOf(bob.username));
      const link = before.slice(before.lastIndexOf('/dashboard/history/')).split('"')[0] ?? '';
      expect(await show(link)).toContain('about €1.00 at the time');
    });

    it('is dollars while the chosen one has no price, and stays chosen', async () => {
      await choose('EUR');
      await setRates({});
      expect(await show('/dashboard')).toContain('200,000 sats about $100.00');
      expect((await browser.get('/dashboard/account')).text).toContain('<option value="EUR" selected>EUR (no price now)</option>');
      expect(await show('/dashboard/account')).not.toContain('This server has');
      await setRates(undefined);
      expect(await show('/dashboard/account')).toContain('This server has no prices now.');
      // The history keeps what it has frozen.
      expect(await show('/dashboard')).toMatch(/Bitcoin 200,000 sats Your limits Recent activity .*about \$100\.00/);
    });
  });
});
