import { LedgerService } from '../../src/money/ledger/index.js';
import { decodeInvoice } from '../../src/money/lightning/index.js';
import { DealerService } from '../../src/money/price/index.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp, createInvoice, fundsOf, payFromDollars, personWithCents, PRICE, setPrice } from '../support/dollars.js';
import { untilListening } from '../support/event-probe.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';

/** 4,950,000 cents a bitcoin: 100 cents cost 2,020.2 satoshis. */
const SATS_OF_100_CENTS = 2_021;
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { walletCurrency transactionsByPaymentHash(paymentHash: $hash) {
  direction status settlementAmount settlementFee settlementCurrency settlementDisplayAmount memo externalId settlementPrice { base offset }
  initiationVia { __typename } settlementVia { __typename } } } } } }`;
const UPDATES =
  'subscription { myUpdates { update { __typename ... on LnUpdate { status paymentHash walletId transaction { settlementAmount settlementCurrency } } } } }';
const NO_AMOUNT = `mutation ($input: LnNoAmountInvoiceCreateInput!) { lnNoAmountInvoiceCreate(input: $input) { errors { code } invoice { paymentRequest paymentHash } } }`;
const MINUTES = 60_000;

describe('invoices of a wallet in dollars', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;

  beforeAll(async () => {
    app = await createDollarApp({ env: { DEALER_LIMIT_CENTS: '100000' } });
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    await setPrice(app, PRICE);
    alice = await fixture.user();
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const historyOf = async (person: Person, hash: string, currency = 'USD'): Promise<any[]> =>
    (await dataOf(app.url, HISTORY, { hash }, person.as('read'))).me.defaultAccount.wallets.find(
      ({ walletCurrency }: { walletCurrency: string }) => walletCurrency === currency,
    ).transactionsByPaymentHash;
  const paidOutside = async (paymentRequest: string, amountMsat?: bigint): Promise<void> => {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) throw new Error('No invoice');
    await fixture.simulator.payOutside(paymentRequest, amountMsat === undefined ? {} : { amountMsat });
    await eventually(
      async () =>
        (await app.pool.query(`SELECT FROM invoice WHERE payment_hash = $1 AND state = 'paid'`, [decoded.invoice.paymentHash])).rowCount ===
        1,
    );
  };
  const leftMs = (paymentRequest: string): number => {
    const decoded = decodeInvoice(paymentRequest);
    return decoded.ok ? decoded.invoice.expiresAt.getTime() - Date.now() : NaN;
  };
  const refused = (code: string, path: readonly string[] | null): object => ({
    invoice: null,
    errors: [{ code, path, message: expect.any(String) as string }],
  });
  const noAmount = async (person: Person, more: object = {}): Promise<{ paymentRequest: string; paymentHash: string }> =>
    (await dataOf(app.url, NO_AMOUNT, { input: { walletId: person.wallets.USD, ...more } }, person.as('receive'))).lnNoAmountInvoiceCreate
      .invoice;

  it('credit the cents that were asked for, whatever the price is when they are paid from outside', async () => {
    const { invoice, errors } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100, { memo: 'tea', externalId: 'tea-1' });
    expect(errors).toEqual([]);
    expect(invoice).toMatchObject({ satoshis: SATS_OF_100_CENTS, externalId: 'tea-1' });
    const updates: Subscribed<unknown>[] = [];
    const client = socketClient(app.url, alice.as('read'));
    await untilListening(app, 'transaction.changed', alice.accountId, () => void updates.push(new Subscribed(client, UPDATES)));
    await setPrice(app, PRICE / 2n);
    await paidOutside(invoice.paymentRequest);
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 100 });
    expect(await historyOf(alice, invoice.paymentHash)).toEqual([
      {
        direction: 'RECEIVE',
        status: 'SUCCESS',
        settlementAmount: 100,
        settlementFee: 0,
        settlementCurrency: 'USD',
        settlementDisplayAmount: '1.00',
        memo: 'tea',
        externalId: 'tea-1',
        settlementPrice: { base: 1_000_000, offset: 6 },
        initiationVia: { __typename: 'InitiationViaLn' },
        settlementVia: { __typename: 'SettlementViaLn' },
      },
    ]);
    expect(await updates[0]?.next()).toEqual({
      myUpdates: {
        update: {
          __typename: 'LnUpdate',
          status: 'PAID',
          paymentHash: invoice.paymentHash,
          walletId: alice.wallets.USD,
          transaction: { settlementAmount: 100, settlementCurrency: 'USD' },
        },
      },
    });
    await client.dispose();
  });

  it('are paid from inside: by bitcoin through the dealer, by dollars cent for cent', async () => {
    const [bob, carol] = [await fixture.user({ sats: 5_000 }), await personWithCents(fixture, 200)];
    const [first, second] = [
      (await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100)).invoice,
      (await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100)).invoice,
    ];
    expect(await bob.pay(first.paymentRequest)).toMatchObject({
      status: 'SUCCESS',
      transaction: { settlementAmount: -SATS_OF_100_CENTS, settlementFee: 0 },
    });
    expect(await payFromDollars(app, carol, second.paymentRequest)).toMatchObject({
      status: 'SUCCESS',
      transaction: { settlementAmount: -100, settlementFee: 0, settlementCurrency: 'USD' },
    });
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 200 });
    expect([await fundsOf(app, bob), await fundsOf(app, carol)]).toEqual([
      { sats: 5_000 - SATS_OF_100_CENTS, cents: 0 },
      { sats: 0, cents: 100 },
    ]);
    expect(await bob.pay(first.paymentRequest)).toMatchObject({ status: 'ALREADY_PAID' });
  });

  it('convert between the wallets of one person', async () => {
    await fixture.fund(alice, 3_000);
    const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100);
    expect(await alice.pay(invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await fundsOf(app, alice)).toEqual({ sats: 3_000 - SATS_OF_100_CENTS, cents: 100 });
  });

  it('are created for others without a credential, in cents or in satoshis', async () => {
    const inCents = await createInvoice(app, 'lnUsdInvoiceCreateOnBehalfOfRecipient', alice, 100, { memo: 'tip' });
    const inSats = await createInvoice(app, 'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient', alice, 2_000);
    expect([inCents.invoice.satoshis, inSats.invoice.satoshis]).toEqual([SATS_OF_100_CENTS, 2_000]);
    await paidOutside(inCents.invoice.paymentRequest);
    await paidOutside(inSats.invoice.paymentRequest);
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 100 + 99 });
  });

  /** The application counts by the clock of the database, which it measures to some milliseconds. */
  const CLOCKS_DIFFER = 1_000;
  it('expire after two minutes at the latest', async () => {
    for (const [expiresIn, minutes] of [
      [undefined, 2],
      [1, 1],
      [2, 2],
      [5, 2],
      [15, 2],
      [0, 2],
    ] as const) {
      const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100, { expiresIn });
      const left = leftMs(invoice.paymentRequest);
      expect(left).toBeLessThanOrEqual(minutes * MINUTES + CLOCKS_DIFFER);
      expect(left).toBeGreaterThan((minutes - 1) * MINUTES);
    }
    expect(leftMs((await noAmount(alice, { expiresIn: 60 })).paymentRequest)).toBeLessThanOrEqual(2 * MINUTES + CLOCKS_DIFFER);
  });

  it('without an amount credit what arrives, at the price of their creation', async () => {
    const [outside, inside, dollars] = [await noAmount(alice), await noAmount(alice), await noAmount(alice)];
    const [bob, carol] = [await fixture.user({ sats: 2_000 }), await personWithCents(fixture, 100)];
    await setPrice(app, PRICE * 2n);
    await paidOutside(outside.paymentRequest, 1_000_000n);
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 49 });
    const pay = `mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) { status } }`;
    const input = { walletId: bob.wallets.BTC, paymentRequest: inside.paymentRequest, amount: 2_000 };
    expect((await dataOf(app.url, pay, { input }, bob.as('write'))).answer).toEqual({ status: 'SUCCESS' });
    expect(await payFromDollars(app, carol, dollars.paymentRequest, 100)).toMatchObject({ status: 'SUCCESS' });
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 49 + 99 + 100 });
  });

  it('credit in bitcoin what is worth less than a cent', async () => {
    const { paymentRequest, paymentHash } = await noAmount(alice);
    await paidOutside(paymentRequest, 20_000n);
    expect(await fundsOf(app, alice)).toEqual({ sats: 20, cents: 0 });
    expect(await historyOf(alice, paymentHash, 'BTC')).toMatchObject([{ settlementAmount: 20, settlementCurrency: 'BTC' }]);
  });

  it('credit what is paid beyond their amount, at their price', async () => {
    const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100);
    await paidOutside(invoice.paymentRequest, BigInt(SATS_OF_100_CENTS) * 2_000n);
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 200 });
  });

  it('credit in bitcoin what is more than twice their amount: a cent is no price for everything', async () => {
    const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 1);
    // The simulated node takes no more than twice the amount: the statement that books what another one may take is undone.
    const client = await app.pool.connect();
    const booked = async (text: string, values: unknown[]): Promise<unknown[]> =>
      (await client.query<Record<string, unknown>>(text, values)).rows;
    await client.query('BEGIN');
    expect(
      await booked('SELECT codes FROM invoice_settle_v2($1, NULL, ARRAY[ROW(1000000, $2::text, 50000000)]::invoice_settlement[], NULL)', [
        'another node',
        invoice.paymentHash,
      ]),
    ).toEqual([{ codes: ['credited'] }]);
    expect(await booked('SELECT t.currency, t.amount FROM transaction t WHERE t.payment_hash = $1', [invoice.paymentHash])).toEqual([
      { currency: 'BTC', amount: 50_000_000n },
    ]);
    await client.query('ROLLBACK');
    client.release();
  });

  it('are credited once, whatever the dealer’s price is when the settlement is reported again', async () => {
    const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100);
    const client = await app.pool.connect();
    // Each call would have a transaction of its own.
    const settled = async (index: number, sats: number, bid: number): Promise<unknown> => {
      await client.query("SET LOCAL ledger.applied = 'no'");
      return (
        await client.query<{ codes: unknown }>(
          'SELECT codes FROM invoice_settle_v2($1, NULL, ARRAY[ROW($2::bigint, $3::text, $4::numeric)]::invoice_settlement[], $5)',
          ['another node', index, invoice.paymentHash, sats * 1_000, bid],
        )
      ).rows[0]?.codes;
    };
    await client.query('BEGIN');
    expect(await settled(7, 3_000, 4_000_000)).toEqual(['credited']);
    expect(await settled(7, 3_000, 3_700_000)).toEqual(['seen']);
    expect((await client.query(`SELECT FROM settlement_review WHERE payment_hash = $1`, [invoice.paymentHash])).rowCount).toBe(0);
    expect(await settled(7, 3_001, 3_700_000)).toEqual(['refused']);
    await client.query('ROLLBACK');
    client.release();
  });

  it('that were forgotten credit a payment that is reported late, at their price', async () => {
    const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreateOnBehalfOfRecipient', alice, 100);
    await app.pool.query(
      `WITH gone AS (DELETE FROM invoice WHERE payment_hash = $1 RETURNING *)
       INSERT INTO invoice_forgotten (payment_hash, wallet_id, cents_per_btc, dealer_cents_per_btc) SELECT decode(payment_hash, 'hex'), wallet_id, cents_per_btc, dealer_cents_per_btc FROM gone`,
      [invoice.paymentHash],
    );
    await setPrice(app, PRICE / 2n);
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await eventually(async () => (await fundsOf(app, alice)).cents === 100);
  });

  it('are refused for zero cents, for less than a cent, and for a wallet in bitcoin', async () => {
    const own = 'lnUsdInvoiceCreate';
    expect(await createInvoice(app, own, alice, 0)).toEqual({
      invoice: null,
      errors: [{ code: 'INVALID_INPUT', message: 'A valid usd amount is required', path: ['input', 'amount'] }],
    });
    expect(await createInvoice(app, 'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient', alice, 20)).toEqual(
      refused('INVALID_INPUT', ['input', 'amount']),
    );
    expect(await createInvoice(app, own, alice, 100, { walletId: alice.wallets.BTC })).toEqual(
      refused('INVALID_INPUT', ['input', 'walletId']),
    );
    const other = await fixture.user();
    expect(await createInvoice(app, own, alice, 100, { walletId: other.wallets.USD })).toEqual(refused('NOT_FOUND', ['input', 'walletId']));
    await expect(alice.invoice(100, 'x', { walletId: alice.wallets.USD })).rejects.toThrow('INVALID_INPUT');
  });

  it('are refused if they cost more satoshis than an invoice can state', async () => {
    await setPrice(app, 100n);
    expect(await createInvoice(app, 'lnUsdInvoiceCreate', alice, 10_000_000_000_000)).toEqual(
      refused('INVALID_INPUT', ['input', 'amount']),
    );
  });

  it('are refused without a price and beyond the dealer’s limit; one that was created before is paid', async () => {
    expect(await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100_001)).toEqual(refused('DEALER_LIMIT', null));
    const { invoice } = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 100);
    await setPrice(app, undefined);
    for (const field of [
      'lnUsdInvoiceCreate',
      'lnUsdInvoiceCreateOnBehalfOfRecipient',
      'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient',
    ] as const)
      expect(await createInvoice(app, field, alice, 2_000)).toEqual(refused('PRICE_UNAVAILABLE', null));
    expect((await alice.invoice(10)).paymentRequest).toMatch(/^lnbcrt/);
    await paidOutside(invoice.paymentRequest);
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 100 });
  });

  it('are refused where customers have all that the dealer may owe, without an amount too', async () => {
    const { usdCents } = await app.get(LedgerService).dealerPosition();
    const limit = jest.spyOn(app.get(DealerService), 'limitCents', 'get').mockReturnValue(-usdCents);
    try {
      expect(await createInvoice(app, 'lnUsdInvoiceCreate', alice, 1)).toEqual(refused('DEALER_LIMIT', null));
      const { lnNoAmountInvoiceCreate: made } = await dataOf(
        app.url,
        NO_AMOUNT,
        { input: { walletId: alice.wallets.USD } },
        alice.as('receive'),
      );
      expect(made).toEqual({ invoice: null, errors: [{ code: 'DEALER_LIMIT' }] });
    } finally {
      limit.mockRestore();
    }
  });

  it('repeated with an idempotency key are the same invoice, also at another price', async () => {
    const document = `mutation ($input: LnUsdInvoiceCreateInput!) { lnUsdInvoiceCreate(input: $input) { errors { code } invoice { paymentHash paymentRequest satoshis } } }`;
    const input = { walletId: alice.wallets.USD, amount: 100 };
    const headers = { ...alice.as('receive'), 'idempotency-key': `i-${alice.userId}` };
    const unanswered = (): Promise<unknown> =>
      app.pool.query(`UPDATE idempotency SET state = 'running', answer = NULL, claim = NULL, claimed_until = now()`);
    const first = await graphql(app.url, document, { input }, headers);
    await unanswered();
    await setPrice(app, PRICE * 2n);
    expect((await graphql(app.url, document, { input }, headers)).data).toEqual(first.data);
    // As if the process had ended between the node's invoice and the row: its price is not known any more.
    await unanswered();
    await app.pool.query('DELETE FROM invoice WHERE wallet_id = $1', [alice.wallets.USD]);
    const { lnUsdInvoiceCreate: again } = (await graphql(app.url, document, { input }, headers)).data as {
      lnUsdInvoiceCreate: { invoice: { satoshis: number; paymentRequest: string } };
    };
    expect(again.invoice.satoshis).toBe(1_011);
    await paidOutside(again.invoice.paymentRequest);
    expect(await fundsOf(app, alice)).toEqual({ sats: 0, cents: 100 });
  });
});
