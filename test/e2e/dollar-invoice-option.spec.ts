import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dealerRateOf, DealerService, msatOfBill, msatOfBillNow, type DealerRate } from '../../src/money/price/index.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields } from '../support/browser-session.js';
import { createDollarApp, createInvoice, fundsOf, payFromDollars, personWithCents, PRICE, setPrice } from '../support/dollars.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { PROJECT } from '../support/server-process.js';

/** The defaults: the dealer's spread, and that of invoices. */
const [SPREAD_BPS, INVOICE_SPREAD_BPS] = [20, 50];
const OPEN_CENTS = 30_000;
const CENTS = 10_000;
/** At 4,975,000 cents a bitcoin. */
const STATED = 201_006;

const PAY = `mutation ($input: LnInvoicePaymentInput!) { answer: lnInvoicePaymentSend(input: $input) {
  status errors { code path message } transaction { settlementAmount settlementFee } } }`;
const PROBE = `mutation ($input: LnInvoiceFeeProbeInput!) { answer: lnInvoiceFeeProbe(input: $input) { amount errors { code path } } }`;
const NO_AMOUNT =
  'mutation ($input: LnNoAmountInvoiceCreateInput!) { answer: lnNoAmountInvoiceCreate(input: $input) { invoice { paymentRequest paymentHash } } }';
const PAY_AMOUNT = 'mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) { status } }';

describe('an invoice in dollars is no option against the operator', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createDollarApp({ env: { DEALER_SPREAD_BPS: String(SPREAD_BPS), DEALER_INVOICE_OPEN_CENTS: String(OPEN_CENTS) } });
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    await setPrice(app, PRICE);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000_000 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const invoiceOf = async (person: Person, cents = CENTS): Promise<{ paymentRequest: string; paymentHash: string; satoshis: number }> =>
    (await createInvoice(app, 'lnUsdInvoiceCreate', person, cents)).invoice;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const pay = async (payer: Person, paymentRequest: string, headers: object = {}): Promise<any> =>
    (await dataOf(app.url, PAY, { input: { walletId: payer.wallets.BTC, paymentRequest } }, { ...payer.as('write'), ...headers })).answer;
  const probe = async (payer: Person, paymentRequest: string): Promise<unknown> =>
    (await dataOf(app.url, PROBE, { input: { walletId: payer.wallets.BTC, paymentRequest } }, payer.as('write'))).answer;
  const refusedFor = (code: string): object => ({ amount: null, errors: [expect.objectContaining({ code })] });
  const spentBy = async (payer: Person): Promise<number> => 1_000_000 - (await fundsOf(app, payer)).sats;

  it.each([
    ['at the same price, what the invoice states', 5_000_000n, 0],
    ['at a price that fell by less than the spread, what it states', 4_980_000n, 0],
    ['at a price that rose, what it states', 5_100_000n, 0],
    ['at a price that fell by more, the satoshis of now', 4_970_000n, 605],
  ])('costs a payer of this server %s; the recipient gets its cents', async (_what, price, more) => {
    const { paymentRequest, satoshis } = await invoiceOf(alice);
    expect(satoshis).toBe(STATED);
    await setPrice(app, price);
    expect(await probe(bob, paymentRequest)).toEqual({ amount: more, errors: [] });
    const key = { 'idempotency-key': `pay ${bob.userId}` };
    const paid = { status: 'SUCCESS', errors: [], transaction: { settlementAmount: -STATED - more, settlementFee: more } };
    expect(await pay(bob, paymentRequest, key)).toEqual(paid);
    expect([await fundsOf(app, alice), await spentBy(bob)]).toEqual([{ sats: 0, cents: CENTS }, STATED + more]);
    // A repeat whose first answer was lost is the same payment, whatever the price is by then.
    await app.pool.query(`UPDATE idempotency SET state = 'running', answer = NULL, claim = NULL, claimed_until = now()`);
    await setPrice(app, 2_500_000n);
    expect(await pay(bob, paymentRequest, key)).toMatchObject({ status: 'SUCCESS', transaction: paid.transaction });
    expect(await spentBy(bob)).toBe(STATED + more);
  });

  it('is refused for nothing once it would cost more than 0.5 % more; from dollars and from outside it is paid', async () => {
    const [first, second] = [await invoiceOf(alice), await invoiceOf(alice)];
    const carol = await personWithCents(fixture, CENTS);
    await setPrice(app, 4_960_000n);
    expect(await probe(bob, first.paymentRequest)).toEqual(refusedFor('INVOICE_PRICE_MOVED'));
    expect(await pay(bob, first.paymentRequest)).toEqual({
      status: 'FAILURE',
      transaction: null,
      errors: [
        {
          code: 'INVOICE_PRICE_MOVED',
          path: ['input', 'paymentRequest'],
          message: 'The price of dollars has moved since this invoice was created; nothing was sent. Ask for another invoice.',
        },
      ],
    });
    expect(await spentBy(bob)).toBe(0);
    expect(await payFromDollars(app, carol, first.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    await fixture.simulator.payOutside(second.paymentRequest);
    await eventually(async () => (await fundsOf(app, alice)).cents === 2 * CENTS);
  });

  it('is refused inside without a price', async () => {
    const { paymentRequest } = await invoiceOf(alice);
    await setPrice(app, undefined);
    expect(await probe(bob, paymentRequest)).toEqual(refusedFor('PRICE_UNAVAILABLE'));
    expect(await pay(bob, paymentRequest)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'PRICE_UNAVAILABLE' }] });
    expect(await spentBy(bob)).toBe(0);
  });

  it.each([
    ['the same', 5_000_000n, 200_401],
    ['higher', 5_100_000n, 196_472],
    ['lower', 4_970_000n, 201_611],
  ])('of one’s own is a conversion at the price of now, which is %s', async (_what, price, sats) => {
    const { paymentRequest } = await invoiceOf(bob);
    await setPrice(app, price);
    expect(await probe(bob, paymentRequest)).toEqual({ amount: Math.max(0, sats - STATED), errors: [] });
    expect(await pay(bob, paymentRequest)).toMatchObject({ status: 'SUCCESS', transaction: { settlementAmount: -sats } });
    expect(await fundsOf(app, bob)).toEqual({ sats: 1_000_000 - sats, cents: CENTS });
  });

  it('of one’s own is refused, too, once it would cost much more', async () => {
    const { paymentRequest } = await invoiceOf(bob);
    await setPrice(app, 4_900_000n);
    expect(await pay(bob, paymentRequest)).toMatchObject({ errors: [{ code: 'INVOICE_PRICE_MOVED' }] });
    expect(await fundsOf(app, bob)).toEqual({ sats: 1_000_000, cents: 0 });
  });

  it('counts in the limits of a key with what it costs', async () => {
    await pay(bob, (await invoiceOf(alice, 1)).paymentRequest);
    const principal = await app.pool.query<{ principal_id: string }>('SELECT principal_id FROM payment WHERE account_id = $1', [
      bob.accountId,
    ]);
    const limited = principal.rows[0]?.principal_id ?? '';
    const { paymentRequest } = await invoiceOf(alice);
    await setPrice(app, 4_970_000n);
    const limit = (sats: number): Promise<unknown> =>
      app.pool.query(`SELECT budget_set($1, $2, 'daily', $3)`, [limited, bob.userId, BigInt(sats) * 1_000n]);
    await limit(STATED + 21 + 604);
    expect(await pay(bob, paymentRequest)).toMatchObject({ errors: [{ code: 'TRANSACTION_RESTRICTED' }] });
    await limit(STATED + 21 + 605);
    expect(await pay(bob, paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    const spent = await app.pool.query(`SELECT msat FROM budget_spent($1, now(), interval '24 hours') WHERE part = 'daily'`, [limited]);
    expect(Number(spent.rows[0]?.msat)).toBe((STATED + 21 + 605) * 1_000);
  });

  it('without an amount brings no more than the price of now', async () => {
    const open = async (): Promise<{ paymentRequest: string; paymentHash: string }> =>
      (await dataOf(app.url, NO_AMOUNT, { input: { walletId: alice.wallets.USD } }, alice.as('receive'))).answer.invoice;
    const [outside, inside] = [await open(), await open()];
    await setPrice(app, PRICE / 2n);
    await fixture.simulator.payOutside(outside.paymentRequest, { amountMsat: 200_000_000n });
    // 200,000 satoshis at 2,495,000 cents.
    await eventually(async () => (await fundsOf(app, alice)).cents === 4_990);
    const input = { walletId: bob.wallets.BTC, paymentRequest: inside.paymentRequest, amount: 200_000 };
    expect((await dataOf(app.url, PAY_AMOUNT, { input }, bob.as('write'))).answer).toEqual({ status: 'SUCCESS' });
    expect((await fundsOf(app, alice)).cents).toBe(2 * 4_990);
  });

  it('brings its own cents at its own price, and what is paid beyond them at that of now', async () => {
    const [more, most] = [await invoiceOf(alice, 1_000), await invoiceOf(alice, 1_000)];
    await setPrice(app, (PRICE * 3n) / 4n);
    await fixture.simulator.payOutside(more.paymentRequest, { amountMsat: BigInt(more.satoshis) * 1_200n });
    await eventually(async () => (await fundsOf(app, alice)).cents === 1_000);
    await fixture.simulator.payOutside(most.paymentRequest, { amountMsat: BigInt(most.satoshis) * 2_000n });
    const worth = Math.floor((most.satoshis * 2 * 3_742_500) / 100_000_000);
    await eventually(async () => (await fundsOf(app, alice)).cents === 1_000 + worth);
  });

  describe('the invoices that are open for an account', () => {
    const created = async (field: Parameters<typeof createInvoice>[1], of: Person, cents: number): Promise<string | undefined> =>
      (await createInvoice(app, field, of, cents)).errors[0]?.code as string | undefined;

    it('have a bound together, and those that others create one of their own', async () => {
      for (const field of ['lnUsdInvoiceCreate', 'lnUsdInvoiceCreateOnBehalfOfRecipient'] as const) {
        expect(await created(field, alice, OPEN_CENTS + 1)).toBe('DEALER_LIMIT');
        expect(await created(field, alice, OPEN_CENTS - CENTS)).toBeUndefined();
        expect(await created(field, alice, CENTS + 1)).toBe('DEALER_LIMIT');
        expect(await created(field, alice, CENTS)).toBeUndefined();
        expect(await created(field, alice, 1)).toBe('DEALER_LIMIT');
        expect(await created(field, bob, 1)).toBeUndefined();
      }
      expect((await alice.invoice(10)).paymentRequest).toMatch(/^lnbcrt/);
    });

    it('count until they are paid, cancelled or expired', async () => {
      const paid = await invoiceOf(alice, OPEN_CENTS);
      expect(await created('lnUsdInvoiceCreate', alice, 1)).toBe('DEALER_LIMIT');
      await pay(bob, paid.paymentRequest);
      const cancelled = await invoiceOf(alice, OPEN_CENTS);
      const document = 'mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success } }';
      const input = { walletId: alice.wallets.USD, paymentHash: cancelled.paymentHash };
      await dataOf(app.url, document, { input }, alice.as('receive'));
      const expired = await invoiceOf(alice, OPEN_CENTS);
      expect(await created('lnUsdInvoiceCreate', alice, 1)).toBe('DEALER_LIMIT');
      await app.pool.query('UPDATE invoice SET expires_at = now() WHERE payment_hash = $1', [expired.paymentHash]);
      expect(await created('lnUsdInvoiceCreate', alice, OPEN_CENTS)).toBeUndefined();
    });

    it('are within it also when they are created at the same time, and a refused one is open nowhere', async () => {
      const all = await Promise.all(Array.from({ length: 8 }, () => created('lnUsdInvoiceCreate', alice, CENTS)));
      expect(all.sort()).toEqual([...Array.from({ length: 5 }, () => 'DEALER_LIMIT'), undefined, undefined, undefined]);
      const open = await app.pool.query('SELECT FROM invoice WHERE wallet_id = $1', [alice.wallets.USD]);
      expect(open.rowCount).toBe(3);
    });
  });

  it('is reviewed on the page with what it costs now, and confirmed for no more', async () => {
    const { paymentRequest } = await invoiceOf(alice);
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: bob.email, password: PASSWORD });
    const form = hiddenFields(await browser.get('/dashboard/send'));
    const sent = await browser.post('/dashboard/send', { ...form, to: paymentRequest, amount: '', unit: 'sats', memo: '' });
    const address = new URL(sent.location);
    const first = await browser.get(address.pathname + address.search);
    expect(first.text).toContain('201,006 sats');
    expect(first.text).not.toContain('The invoice states');
    await setPrice(app, 4_970_000n);
    const confirm = { ...hiddenFields(first) };
    const second = await browser.post('/dashboard/send/review', confirm);
    expect(second.status).toBe(422);
    expect(second.text).toContain('The price has changed: this costs more than you have seen');
    expect(second.text).toContain('Send 201,611 sats');
    expect(second.text).toMatch(/The invoice states[^]*201,006 sats/);
    expect(await spentBy(bob)).toBe(0);
    expect((await browser.post('/dashboard/send/review', hiddenFields(second))).status).toBe(303);
    expect(await spentBy(bob)).toBe(201_611);
    expect((await fundsOf(app, alice)).cents).toBe(CENTS);
  });

  it('is refused on the page once the price has moved further', async () => {
    const { paymentRequest } = await invoiceOf(alice);
    await setPrice(app, 4_900_000n);
    const browser = new BrowserSession(app.url);
    await browser.signInOnTheWay(await browser.get('/dashboard'), { email: bob.email, password: PASSWORD });
    const form = hiddenFields(await browser.get('/dashboard/send'));
    const sent = await browser.post('/dashboard/send', { ...form, to: paymentRequest, amount: '', unit: 'sats', memo: '' });
    expect([sent.status, sent.text.includes('has moved since this invoice was created')]).toEqual([422, true]);
  });

  describe('over a day of prices with 80 % a year and a fall of 3 %', () => {
    /** 15 seconds each, in hundred-thousandths of the price before. */
    const moves = readFileSync(join(PROJECT, 'test/support/price-series.txt'), 'utf8').trim().split(/\s+/).map(Number);
    const prices = [Number(PRICE)];
    for (const move of moves) prices.push((prices.at(-1) as number) * (1 + move / 1e5));
    const STEPS_OPEN = 8;
    const quoteAt = (index: number): bigint => BigInt(Math.round(prices[index] as number));
    const rateAt = (index: number, bps: number): DealerRate =>
      dealerRateOf({ centsPerBtc: quoteAt(index), spreadPpm: 0, at: new Date(), expiresAt: new Date() }, bps * 100);
    const billAt = (index: number, cents: bigint): { amountMsat: bigint; amountCents: bigint; dealerCentsPerBtc: bigint } => {
      const { bid } = rateAt(index, INVOICE_SPREAD_BPS);
      return { amountMsat: msatOfBill(cents, bid as bigint), amountCents: cents, dealerCentsPerBtc: bid as bigint };
    };

    it('has that volatility, and that fall', () => {
      const calm = moves.filter((move) => move !== -3_000);
      const perYear = Math.sqrt((calm.reduce((sum, move) => sum + move ** 2, 0) / calm.length) * 1e-10 * ((365.25 * 86_400) / 15));
      expect([moves.length, calm.length]).toEqual([5_760, 5_759]);
      expect(perYear).toBeGreaterThan(0.79);
      expect(perYear).toBeLessThan(0.83);
    });

    it('gains a payer of this server nothing, and costs what SQL and the probe say', async () => {
      const asked = prices
        .slice(0, -STEPS_OPEN)
        .flatMap((_price, made) =>
          made % 10 > 0 && Math.abs(made - 3_333) > 10
            ? []
            : [1, 4, STEPS_OPEN].flatMap((later) =>
                [true, false].map((isOwn) => ({ isOwn, at: made + later, bill: billAt(made, BigInt(1 + ((made * 7_919) % 99_999))) })),
              ),
        );
      const { rows } = await app.pool.query<{ debit: string; credit: string }>(
        `SELECT t.debit::text, t.credit::text FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[], $5::bigint[], $6::bigint[])
           WITH ORDINALITY AS x (msat, cents, price, is_own, bid, ask, n)
          CROSS JOIN LATERAL dealer_bill_terms(x.msat, ROW(NULL, x.bid, x.ask)::dealer_order, x.cents, x.price, x.is_own) AS t ORDER BY x.n`,
        [
          asked.map(({ bill }) => bill.amountMsat),
          asked.map(({ bill }) => bill.amountCents),
          asked.map(({ bill }) => bill.dealerCentsPerBtc),
          asked.map(({ isOwn }) => isOwn),
          asked.map(({ at }) => rateAt(at, SPREAD_BPS).bid),
          asked.map(({ at }) => rateAt(at, SPREAD_BPS).ask),
        ],
      );
      let [paid, refused, dearer] = [0, 0, 0];
      const wrong = asked.filter(({ isOwn, at, bill }, index) => {
        const cost = msatOfBillNow(bill, isOwn, rateAt(at, SPREAD_BPS), bill.amountMsat);
        if (typeof cost === 'string') return ++refused === 0;
        [paid, dearer] = [paid + 1, dearer + Number(cost > bill.amountMsat)];
        // Less than the cents would be a gain. Within a cent for a bitcoin, by which a rate is rounded.
        const isGain = cost * (quoteAt(at) + 1n) < bill.amountCents * 100_000_000_000n;
        return isGain || rows[index]?.debit !== String(cost) || rows[index].credit !== String(bill.amountCents);
      });
      expect(wrong).toEqual([]);
      expect(paid).toBeGreaterThan(2_500);
      expect(Math.min(refused, dearer)).toBeGreaterThan(10);
    });

    it('gains a payer outside who knows the next two minutes no more than docs/operating.md says', async () => {
      const said = Number(/at most (\d+) dollars a day/.exec(readFileSync(join(PROJECT, 'docs/operating.md'), 'utf8'))?.[1]);
      const defaults = 100_000n;
      expect(app.get(DealerService).openInvoiceCents).toBe(BigInt(OPEN_CENTS));
      // The most that one invoice after the other can bring: best[at] from then on.
      const best = Array.from({ length: prices.length + 1 }, () => 0);
      for (let at = prices.length - 1; at >= 0; at--) {
        const { amountMsat } = billAt(at, defaults);
        const ends = Array.from({ length: STEPS_OPEN }, (_, step) => at + 1 + step).filter((end) => end < prices.length);
        const gainAt = (end: number): number => Number(defaults) - (Number(amountMsat) * (prices[end] as number)) / 1e11;
        best[at] = Math.max(best[at + 1] ?? 0, ...ends.map((end) => gainAt(end) + (best[end] ?? 0)));
      }
      // By the account, and as much again by others for it.
      const dollars = (2 * (best[0] ?? 0)) / 100;
      expect(dollars).toBeLessThanOrEqual(said);
      expect(dollars).toBeGreaterThan(said / 2);
    });
  });
});
