import { LnurlInvoiceService } from '../../src/money/lnurl/index.js';
import { Clock } from '../../src/platform/kernel/clock.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TestApp } from '../support/app.js';
import { lnurlOf } from '../../src/money/lnurl/lnurl-text.js';
import { BrowserSession, hiddenFields, type Fields, type Visit } from '../support/browser-session.js';
import { createDollarApp, createInvoice, fundsOf, personWithCents, PRICE, setPrice } from '../support/dollars.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { LnurlService } from '../support/lnurl-service.js';
import { TimeTravel } from '../support/time-travel.js';

/** Stands for the name of a user, who is not there yet when the table of cases is made. */
const BOB = 'bob';

const OFFER = 'This is a BOLT 12 offer. This server can’t pay offers: ask the recipient for an invoice or a Lightning address.';
const UNREADABLE = 'This bitcoin address can’t be read. Copy it again.';
const OTHER_NETWORK = 'This bitcoin address is for another network.';

/** A person pays from the pages: the form is checked, the review says what will happen, and a confirmation pays once. */
describe('/dashboard/send', () => {
  let app: TestApp;
  let fixture: Fixture;
  let service: LnurlService;
  let alice: Person;
  let bob: Person;
  let browser: BrowserSession;
  let form: Visit;

  beforeAll(async () => {
    // A page that waited as long as the API would end these tests.
    app = await createDollarApp({ env: { PAYMENT_WAIT_SECONDS: '300' }, settings: { PaymentSettings: { pageWaitMs: 1_000 } } });
    fixture = new Fixture(app);
    service = await LnurlService.start(
      async (amountMsat, descriptionHash) =>
        (await fixture.simulator.createOutsideInvoice({ amountMsat, descriptionHash, faults: { routeFeeMsat: 0n } })).paymentRequest,
    );
  });
  beforeEach(async () => {
    [alice, bob] = [await fixture.user({ sats: 20_000 }), await fixture.user()];
    browser = await signedIn(alice);
    form = await browser.get('/dashboard/send');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.expectBalanced();
  });
  afterAll(async () => {
    service.close();
    await app.close();
  });

  const signedIn = async ({ email }: Person): Promise<BrowserSession> => {
    const session = new BrowserSession(app.url);
    await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
    return session;
  };
  const fill = (fields: Fields): Promise<Visit> =>
    browser.post('/dashboard/send', { ...hiddenFields(form), amount: '', unit: 'sats', memo: '', ...fields });
  const reviewOf = async (fields: Fields): Promise<Visit> => {
    const { status, location } = await fill(fields);
    expect(status).toBe(303);
    return browser.get(location);
  };
  const confirm = (review: Visit): Promise<Visit> => browser.post('/dashboard/send/review', hiddenFields(review));
  /** A page waits a second for the end of a payment, which a busy machine may not reach within it. */
  const untilEnded = (payer = alice): Promise<unknown> =>
    eventually(
      async () =>
        (await app.pool.query(`SELECT FROM payment WHERE account_id = $1 AND state = 'in_flight'`, [payer.accountId])).rowCount === 0,
    );
  const pay = async (review: Visit, payer = alice): Promise<Visit> => {
    const visit = await confirm(review);
    await untilEnded(payer);
    return visit;
  };
  /** The text of the main part without markup. */
  const textOf = ({ text }: Visit): string =>
    text
      .slice(text.indexOf('<main'))
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  const faultOf = (page: Visit, field: string): unknown => [
    page.status,
    new RegExp(`<a href="#${field}">([^<]*)</a>`).exec(page.text)?.[1],
    new RegExp(`id="${field}-error">([^<]*)<`).exec(page.text)?.[1],
  ];
  const fault = (text: string): unknown => [422, text, text];

  it('pays a user of this server, once: pressed twice, reloaded, and from the browser’s Back', async () => {
    const review = await reviewOf({ to: bob.username, amount: '1,500', memo: 'Lunch' });
    expect(review.status).toBe(200);
    expect(textOf(review)).toMatch(
      new RegExp(
        `Send 1,500 sats\\? .*To ${bob.username} @ ?localhost:\\d+ .*Network fee None .*Balance afterwards 18,500 sats .*Note Lunch`,
      ),
    );
    expect(await alice.sats()).toBe(20_000);
    const answers = await Promise.all([confirm(review), confirm(review)]);
    answers.push(await confirm(review));
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(textOf(await browser.get(answers[0]?.location ?? ''))).toMatch(/Sent .*Amount 1,500 sats Network fee None Payee/);
    const back = await browser.get(review.url);
    expect([back.status, back.location]).toEqual([303, answers[0]?.location]);
    expect(textOf(await browser.get(back.location))).toMatch(/Lunch .*−1,500 sats .*Sent/);
    expect([await alice.sats(), await bob.sats()]).toEqual([18_500, 1_500]);
  });

  it('pays a Lightning address of this server inside', async () => {
    const { host } = new URL(app.url);
    for (const to of [
      `${bob.username.toUpperCase()}@${host}`,
      `⚡\ufe0f${bob.username}+tips@${host}`,
      `lightning:₿${bob.username}@${host}`,
    ])
      expect((await confirm(await reviewOf({ to, amount: '7' }))).status).toBe(303);
    expect(await bob.sats()).toBe(21);
  });

  it('pays an invoice from outside: the review says what it costs at most, and the same order pays once', async () => {
    const { paymentRequest } = await fixture.outside(1_000, { routeFeeMsat: 3_000n });
    const review = await reviewOf({ to: ` lightning:${paymentRequest.toUpperCase()} ` });
    expect(textOf(review)).toMatch(/Amount 1,000 sats .*Network fee .*at most \d+ sats .*Total at most 1,\d+ sats .*or more/);
    const [one, two] = await Promise.all([confirm(review), confirm(review)]);
    expect([one.status, two.status, one.location]).toEqual([303, 303, two.location]);
    await untilEnded();
    expect(textOf(await browser.get(one.location))).toContain('Network fee 3 sats');
    expect(await alice.sats()).toBe(20_000 - 1_003);
  });

  it('shows a payment whose end is not known as pending, and its failure as such', async () => {
    const held = await fixture.outside(1_000, { hold: true });
    const { location } = await confirm(await reviewOf({ to: held.paymentRequest }));
    expect(textOf(await browser.get(location))).toMatch(/Pending .*Payment pending\. .*Don’t pay this invoice again/);
    await fixture.release(held.paymentHash);
    const failing = await fixture.outside(500, { fail: 'no_route' });
    const failed = await pay(await reviewOf({ to: failing.paymentRequest }));
    expect(textOf(await browser.get(failed.location))).toMatch(
      /Failed .*no route found .*Nothing was charged: the full amount is in your balance/,
    );
  });

  it('shows a payment as pending while the API still waits, and the page is loaded again until the end', async () => {
    const [held, other] = [await fixture.outside(1_000, { hold: true }), await fixture.outside(1_000, { hold: true })];
    const byApi = alice.pay(other.paymentRequest);
    const { location } = await confirm(await reviewOf({ to: held.paymentRequest }));
    const refresh = /<noscript><meta http-equiv="refresh" content="(\d+)" \/><\/noscript>/;
    const [pending, looked] = [await browser.get(location), /data-due="(\d+)"/];
    expect([refresh.exec(pending.text)?.[1], looked.exec(pending.text)?.[1]]).toEqual(['2', '2']);
    await new TimeTravel(app).historyOf(alice.accountId, 3_600);
    expect([refresh.exec((await browser.get(location)).text)?.[1]]).toEqual(['60']);
    for (const { paymentHash } of [held, other]) await fixture.release(paymentHash);
    expect((await byApi).status).toBe('SUCCESS');
    await untilEnded();
    const sent = await browser.get(location);
    expect([textOf(sent), refresh.test(sent.text), looked.test(sent.text)]).toEqual([expect.stringMatching(/Sent/), false, false]);
  });

  it('says on the buttons what a person waits for', async () => {
    expect(form.text).toContain('<button data-busy="Checking…">Review payment</button>');
    const review = await reviewOf({ to: bob.username, amount: '7' });
    expect(review.text).toContain('<button data-busy="Sending…">Send 7 sats</button>');
  });

  it.each<[string, (invoice: string) => string]>([
    ['in an address of the chain', (invoice) => `bitcoin:bcrt1qexample?amount=0.00001&lightning=${invoice}`],
    ['in one in capitals', (invoice) => `BITCOIN:BCRT1QEXAMPLE?LIGHTNING=${invoice.toUpperCase()}`],
    ['after lightning://, between invisible characters', (invoice) => `\u200blightning://${invoice}\u2060`],
  ])('reads an invoice %s', async (_, pasted) => {
    const { paymentRequest } = await fixture.outside(1_000, { routeFeeMsat: 0n });
    await pay(await reviewOf({ to: pasted(paymentRequest) }));
    expect(await alice.sats()).toBe(19_000);
  });

  it('pays an invoice without an amount with the amount of the form', async () => {
    const { paymentRequest } = await fixture.simulator.createOutsideInvoice({
      amountMsat: null,
      memo: 'any',
      faults: { routeFeeMsat: 0n },
    });
    expect(faultOf(await fill({ to: paymentRequest }), 'amount')).toEqual(fault('This invoice states no amount. Enter one.'));
    await pay(await reviewOf({ to: paymentRequest, amount: '250' }));
    expect(await alice.sats()).toBe(19_750);
  });

  it('pays an LNURL elsewhere by the invoice that it requests for the review, which is paid once', async () => {
    const to = lnurlOf(`${service.url}/pay`);
    const review = await reviewOf({ to, amount: '300' });
    expect(textOf(review)).toMatch(/To lnurl1\w+ .*Amount 300 sats .*Invoice lnbcrt/);
    for (let n = 0; n < 2; n++) expect((await pay(review)).status).toBe(303);
    expect(await alice.sats()).toBe(19_700);
    // The receipt and the history name the service.
    const { host } = new URL(service.url);
    expect(textOf(await browser.get((await confirm(review)).location))).toMatch(new RegExp(`To ${host} .*Payee ${host} `));
    expect(textOf(await browser.get(`/dashboard/history?q=${host}`))).toContain(`To ${host}`);
    // A short LNURL has the form of a username.
    expect(faultOf(await fill({ to: lnurlOf('http://127.0.0.1:9/pay'), amount: '300' }), 'to')).toEqual(
      fault('The recipient’s server did not return an invoice. Nothing was sent. Check the address, or try again later.'),
    );
  });

  it.each<[string, Parameters<LnurlService['behave']>[0], string]>([
    ['says why', { offer: { status: 'ERROR', reason: 'The shop\u0000 is\nclosed\u202e.' } }, 'The shop is closed.'],
    ['says why with the status 400', { status: 400, answer: { status: 'error', reason: 'Only one tea a day' } }, 'Only one tea a day'],
    ['says too much', { offer: { status: 'ERROR', reason: 'no '.repeat(5_000) } }, `${'no '.repeat(66)}n…`],
    ['sends markup', { answer: { status: 'ERROR', reason: '<b>no</b>' } }, '&lt;b&gt;no&lt;/b&gt;'],
  ])('says to the payer why the service of an LNURL refuses, where it %s', async (_, behaviour, reason) => {
    service.behave(behaviour);
    const page = await fill({ to: lnurlOf(`${service.url}/pay`), amount: '300' });
    service.behave();
    expect(page.status).toBe(422);
    expect(page.text).toContain(`The recipient’s server refused: <bdi>${reason}</bdi> Nothing was sent.`);
  });

  it.each(['busy', 'unavailable'] as const)('does not blame the address where this server is the cause: %s', async (kind) => {
    const asked = jest.spyOn(app.get(LnurlInvoiceService), 'request').mockResolvedValueOnce({ kind });
    const page = await fill({ to: lnurlOf(`${service.url}/pay`), amount: '300' });
    asked.mockRestore();
    expect(faultOf(page, 'to')).toEqual(fault('Invoices are temporarily unavailable. Nothing was sent. Please try again.'));
  });

  it.each([undefined, null, 7, '', '\u0000\u200b\n', { text: 'no' }])('says nothing of a reason that is %j', async (reason) => {
    service.behave({ offer: { status: 'ERROR', reason } });
    const page = await fill({ to: lnurlOf(`${service.url}/pay`), amount: '300' });
    service.behave();
    expect(faultOf(page, 'to')).toEqual(
      fault('The recipient’s server did not return an invoice. Nothing was sent. Check the address, or try again later.'),
    );
  });

  it.each<[string, Fields, string, string]>([
    ['nothing', {}, 'to', 'Enter an invoice, a username of this server or a Lightning address.'],
    ['words', { to: 'my friend Bob' }, 'to', 'Enter an invoice, a username of this server or a Lightning address.'],
    ['a long text', { to: 'x'.repeat(2_501) }, 'to', 'Enter an invoice, a username of this server or a Lightning address.'],
    ['an invoice with a typing error', { to: `lnbcrt10n1${'q'.repeat(60)}` }, 'to', 'This invoice can’t be read. Copy it again.'],
    ['one that is cut short', { to: 'lnbc2500u1pvjluezpp5qqqsyqc' }, 'to', 'This invoice can’t be read. Copy it again.'],
    ['one in both cases', { to: `LNBCRT10n1${'q'.repeat(60)}` }, 'to', 'This invoice can’t be read. Copy it again.'],
    ['a BOLT 12 offer', { to: `lno1${'q'.repeat(200)}` }, 'to', OFFER],
    ['a short one', { to: 'LNO1QGSQVGNWGCG35' }, 'to', OFFER],
    ['an LNURL with a typing error', { to: `lnurl1${'q'.repeat(100)}` }, 'to', 'This LNURL can’t be read. Copy it again.'],
    ['one that is cut short', { to: 'LIGHTNING:LNURL1DP68GURN8GHJ7' }, 'to', 'This LNURL can’t be read. Copy it again.'],
    ['an address of another network', { to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }, 'to', OTHER_NETWORK],
    [
      'an address alone',
      { to: 'BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KYGT080' },
      'amount',
      'A bitcoin address states no amount. Enter one.',
    ],
    ['an old one of another network', { to: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }, 'to', OTHER_NETWORK],
    ['an old one with a typing error', { to: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfm' }, 'to', UNREADABLE],
    ['a payment link without an invoice', { to: 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1' }, 'to', OTHER_NETWORK],
    ['a user whose name begins like an address', { to: 'tb1alice' }, 'to', 'No user of this server has this name.'],
    ['half an address', { to: 'bc1qw508d6' }, 'to', UNREADABLE],
    ['a user whose name begins like an invoice', { to: 'lnbc_fan' }, 'to', 'No user of this server has this name.'],
    ['too many digits', { to: BOB, amount: '9'.repeat(16) }, 'amount', 'The largest amount is 10,000,000,000,000 sats.'],
    ['more sats than all', { to: BOB, amount: '10000000000001' }, 'amount', 'The largest amount is 10,000,000,000,000 sats.'],
    // A bitcoin costs $50,000.
    ['more dollars', { to: BOB, amount: '5000000000.01', unit: 'USD' }, 'amount', 'The largest amount is $5,000,000,000.00.'],
    ['an unknown user', { to: 'not_a_user_here', amount: '1' }, 'to', 'No user of this server has this name.'],
  ])('refuses %s, and keeps what was typed', async (_, fields, field, text) => {
    const page = await fill({ ...fields, ...(fields['to'] === BOB && { to: bob.username }), memo: 'Kept' });
    expect(faultOf(page, field)).toEqual(fault(text));
    expect(page.text).toContain('value="Kept"');
  });

  it('refuses what cannot be paid before it asks for a confirmation', async () => {
    expect(faultOf(await fill({ to: alice.username, amount: '1' }), 'to')).toEqual(fault('This is you. Enter another recipient.'));
    expect(faultOf(await fill({ to: bob.username }), 'amount')).toEqual(fault('Enter an amount of at least 1 sat.'));
    expect(faultOf(await fill({ to: bob.username, amount: '20001' }), 'amount')).toEqual(
      fault('You have 20,000 sats. This needs 20,001 sats.'),
    );
    const { paymentRequest } = await fixture.outside(1_000);
    expect(faultOf(await fill({ to: paymentRequest, amount: '5' }), 'amount')).toEqual(
      fault('This invoice states its amount, 1,000 sats. Leave this field empty.'),
    );
    const dear = await fixture.outside(20_000);
    expect(
      ((await fill({ to: dear.paymentRequest })).text.match(/You have 20,000 sats\. This needs 20,\d+ sats, with a network fee/g) ?? [])
        .length,
    ).toBe(2);
    expect((await fill({ to: bob.username, amount: '1', memo: 'é'.repeat(320) })).status).toBe(422);
  });

  it('takes dollars, rounded down to whole sats, while there is a price, and only sats without one', async () => {
    await setPrice(app, 6_125_000n);
    expect(textOf(form)).toContain('Paid from your Bitcoin wallet, even if you enter dollars. sats US dollar');
    expect(textOf(await reviewOf({ to: bob.username, amount: '2', unit: 'USD' }))).toContain('Send 3,265 sats?');
    await setPrice(app, undefined);
    expect(textOf(await browser.get('/dashboard/send'))).toMatch(/Enter sats: this server has no price of dollars now\. sats Note/);
    const page = await fill({ to: bob.username, amount: '5', unit: 'USD' });
    expect(faultOf(page, 'amount')).toEqual(fault('No price is available now. Enter the amount in sats.'));
    // Five dollars are no five sats.
    expect(page.text).toMatch(/<input id="amount" name="amount" type="text" value=""/);
    expect((await fill({ to: bob.username, amount: '5' })).status).toBe(303);
    await setPrice(app, PRICE);
  });

  it('shows the balance, and no choice of a wallet without dollars', () => {
    expect(textOf(form)).toMatch(/Recipient .*Balance: 20,000 sats ?, about \$10\.00 Amount \(leave empty if the invoice states it\)/);
    expect(form.text).not.toMatch(/name="wallet"|limit/i);
  });

  describe('from the wallet in dollars', () => {
    let rich: Person;

    beforeEach(async () => {
      rich = await personWithCents(fixture, 2_500);
      await fixture.fund(rich, 5_000);
      browser = await signedIn(rich);
      form = await browser.get('/dashboard/send');
    });
    const fromDollars = (fields: Fields): Promise<Visit> => reviewOf({ ...fields, wallet: 'USD' });
    const cents = async (): Promise<number> => (await fundsOf(app, rich)).cents;

    it('is a choice that shows both balances', () => {
      expect(textOf(form)).toContain('From Balance: 5,000 sats and $25.00 Bitcoin wallet US dollar wallet');
    });

    it('pays a user of this server exactly the cents that were typed', async () => {
      const review = await fromDollars({ to: bob.username, amount: '5', unit: 'USD' });
      expect(textOf(review)).toMatch(
        /Send \$5\.00\? .*Amount \$5\.00 ?, about 9,900 sats .*Balance afterwards \$20\.00 .*From US dollar wallet/,
      );
      for (let n = 0; n < 2; n++) expect((await confirm(review)).status).toBe(303);
      expect([await cents(), await bob.sats()]).toEqual([2_000, 9_900]);
    });

    it('rounds sats that were typed up to a cent', async () => {
      await confirm(await fromDollars({ to: bob.username, amount: '1' }));
      expect([await cents(), await bob.sats()]).toEqual([2_499, 19]);
    });

    it('pays invoices from outside: with an amount, without one, and by an LNURL', async () => {
      const stated = await fixture.outside(1_000, { routeFeeMsat: 0n });
      const review = await fromDollars({ to: stated.paymentRequest });
      expect(textOf(review)).toMatch(
        /Send \$0\.51\? .*Amount \$0\.51 ?, about 1,000 sats Network fee .*at most \$0\.0\d Total at most \$0\.5\d/,
      );
      expect((await pay(review, rich)).status).toBe(303);
      expect(await cents()).toBe(2_449);
      const open = await fixture.simulator.createOutsideInvoice({ amountMsat: null, memo: 'any', faults: { routeFeeMsat: 0n } });
      expect(
        textOf(await browser.get((await pay(await fromDollars({ to: open.paymentRequest, amount: '1.00', unit: 'USD' }), rich)).location)),
      ).toMatch(/−\$1\.00/);
      expect(await cents()).toBe(2_349);
      // Sats that were typed are what the service is asked for.
      const byService = await fromDollars({ to: lnurlOf(`${service.url}/pay`), amount: '300' });
      expect(textOf(byService)).toMatch(/Amount \$0\.16 ?, about 300 sats/);
      await pay(byService, rich);
      expect(await cents()).toBe(2_333);
    });

    it('pays the cents of an invoice of this server', async () => {
      const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', bob, 300);
      const review = await fromDollars({ to: invoice.paymentRequest as string });
      expect(textOf(review)).toMatch(/Send \$3\.00\? .*Network fee None .*Balance afterwards \$22\.00/);
      expect((await confirm(review)).status).toBe(303);
      expect([await cents(), (await fundsOf(app, bob)).cents]).toEqual([2_200, 300]);
    });

    it('asks again when the price makes it dearer, and pays no more than was seen', async () => {
      const { paymentRequest } = await fixture.outside(1_000, { routeFeeMsat: 0n });
      const review = await fromDollars({ to: paymentRequest });
      await setPrice(app, PRICE * 2n);
      const again = await confirm(review);
      expect([again.status, textOf(again)]).toEqual([422, expect.stringMatching(/The price has changed: .*Send \$1\.01/)]);
      expect(await cents()).toBe(2_500);
      expect((await pay(again, rich)).status).toBe(303);
      expect(await cents()).toBe(2_399);
      await setPrice(app, PRICE);
    });

    it('refuses more than it has, and without a price', async () => {
      const page = await fill({ to: bob.username, amount: '25.01', unit: 'USD', wallet: 'USD' });
      expect(faultOf(page, 'amount')).toEqual(fault('You have $25.00. This needs $25.01.'));
      expect(page.text).toContain('<option value="USD" selected>US dollar wallet');
      expect(faultOf(await fill({ to: bob.username, amount: '0', unit: 'USD', wallet: 'USD' }), 'amount')).toEqual(
        fault('Enter an amount of at least $0.01.'),
      );
      const { paymentRequest } = await fixture.outside(1_000);
      await setPrice(app, undefined);
      expect((await browser.get('/dashboard/send')).text).not.toContain('name="wallet"');
      expect(faultOf(await fill({ to: bob.username, amount: '1', wallet: 'USD' }), 'amount')).toEqual(
        fault('No price is available now. Pay from your Bitcoin wallet.'),
      );
      expect(faultOf(await fill({ to: paymentRequest, wallet: 'USD' }), 'to')).toEqual(
        fault('There is no price of dollars now. Try again later.'),
      );
      await setPrice(app, PRICE);
    });
  });

  it('does not let a person believe that an invoice was paid twice', async () => {
    const { paymentRequest } = await fixture.outside(1_000);
    const [review, same] = [await reviewOf({ to: paymentRequest }), await reviewOf({ to: paymentRequest })];
    const { location } = await pay(review);
    const form = await fill({ to: paymentRequest });
    expect(faultOf(form, 'to')).toEqual([422, 'You have paid this invoice already.', 'You have paid this invoice already. ']);
    expect(form.text).toContain(`<a href="${location.replace(app.url, '')}">View payment</a>`);
    for (const page of [await confirm(same), await browser.get(same.url)]) {
      expect(page.status).toBe(422);
      expect(textOf(page)).toMatch(/Nothing was sent You have paid this invoice already\. View payment/);
      expect(page.text).toContain(`<a href="${location.replace(app.url, '')}">View payment</a>`);
      expect(page.text).not.toContain('>Send 1,000 sats<');
    }
    // The order that paid it leads to its payment.
    expect((await confirm(review)).location).toBe(location);
    const held = await fixture.outside(500, { hold: true });
    await confirm(await reviewOf({ to: held.paymentRequest }));
    expect(faultOf(await fill({ to: held.paymentRequest }), 'to')).toEqual([
      422,
      'You are paying this invoice already.',
      'You are paying this invoice already. ',
    ]);
    await fixture.release(held.paymentHash);
  });

  it('says why a confirmed payment was not sent, and that nothing was sent', async () => {
    const own = await reviewOf({ to: (await alice.invoice(10)).paymentRequest });
    const page = await confirm(own);
    expect(page.status).toBe(422);
    expect(textOf(page)).toMatch(/Nothing was sent This invoice is your own\./);
    const stopped = await reviewOf({ to: bob.username, amount: '1' });
    const dear = await reviewOf({ to: bob.username, amount: '15000' });
    await confirm(await reviewOf({ to: bob.username, amount: '10000' }));
    const again = await browser.get(dear.url);
    expect([again.status, textOf(again)]).toEqual([422, expect.stringContaining('Your balance does not cover')]);
    expect((await confirm(dear)).status).toBe(422);
    await app.pool.query(`INSERT INTO payment_freeze (subject, because, cause) VALUES ($1, 'test', 'operator')`, [alice.accountId]);
    expect(textOf(await confirm(stopped))).toMatch(
      /Nothing was sent The operator of this server has stopped the payments of your account\./,
    );
    await app.pool.query('DELETE FROM payment_freeze');
    expect(await alice.sats()).toBe(10_000);
  });

  it('shows the review after a sign-in at its own address: reload and Back show the review, and once it is paid the payment', async () => {
    const review = await reviewOf({ to: bob.username, amount: '31', memo: 'Tea' });
    await fixture.endSessions(alice);
    const { location } = await browser.post(review.url, hiddenFields(review));
    expect(await bob.sats()).toBe(0);
    const back = await browser.submit(await browser.get(location), { email: alice.email, password: PASSWORD });
    expect(back.location).toBe(review.url);
    const [shown, reloaded] = [await browser.get(back.location), await browser.get(back.location)];
    for (const page of [shown, reloaded])
      expect([page.status, textOf(page)]).toEqual([200, expect.stringMatching(/Send 31 sats\? .*Note Tea/)]);
    const paid = await confirm(shown);
    expect(paid.location).toContain('/dashboard/history/');
    expect(await bob.sats()).toBe(31);
    expect(await browser.get(review.url)).toMatchObject({ status: 303, location: paid.location });
    // The old page in another tab: its session has ended.
    expect(await confirm(review)).toMatchObject({ status: 403, text: expect.stringContaining('data-testid="error-form"') as string });
    expect(await bob.sats()).toBe(31);
  });

  it('posts the confirmation to the address of the review', async () => {
    const review = await reviewOf({ to: bob.username, amount: '9' });
    expect(review.text).toContain(`action="${review.url.replace(app.url, '')}"`);
  });

  it('takes a confirmation for 15 minutes, and says of a review that has expired that nothing was sent', async () => {
    const [review, paid] = [
      await reviewOf({ to: bob.username, amount: '9', memo: 'Late' }),
      await reviewOf({ to: bob.username, amount: '8' }),
    ];
    const { location } = await confirm(paid);
    const now = Date.now();
    jest.spyOn(app.get(Clock), 'now').mockReturnValue(now + 16 * 60_000);
    for (const late of [await confirm(review), await browser.get(review.url)]) {
      expect([late.status, textOf(late)]).toEqual([410, expect.stringContaining('The review has expired. Nothing was sent.')]);
      for (const kept of [bob.username, '9', 'Late']) expect(late.text).toContain(`value="${kept}"`);
    }
    for (const late of [await confirm(paid), await browser.get(paid.url)]) expect([late.status, late.location]).toEqual([303, location]);
    jest.restoreAllMocks();
    expect(await bob.sats()).toBe(8);
    const { text } = await browser.get(review.url.replace('/review', ''));
    for (const kept of [bob.username, '9']) expect(text).toContain(`value="${kept}"`);
  });

  it('does not say that nothing was sent of a review that it does not know', async () => {
    const review = await reviewOf({ to: bob.username, amount: '9' });
    const others = await (await signedIn(bob)).get(review.url);
    const unknown = [
      others,
      await browser.get('/dashboard/send/review?order=abc'),
      await browser.get('/dashboard/send/review'),
      await browser.post('/dashboard/send/review', { ...hiddenFields(form), order: 'abc' }),
    ];
    for (const page of unknown) {
      expect([page.status, textOf(page)]).toEqual([
        410,
        expect.stringContaining(
          'The review has expired. If you confirmed it, the payment is in your history . Look there before you pay again.',
        ),
      ]);
      expect(textOf(page)).not.toContain('Nothing was sent');
      expect(page.text).toContain('<a href="/dashboard/history">history</a>');
    }
    expect(await bob.sats()).toBe(0);
  });
});
