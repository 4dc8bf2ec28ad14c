import { eventually } from '../../src/testing/eventually.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp, fundsOf, payFromDollars, personWithCents, PRICE, setPrice } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { lnurlOf } from '../../src/money/lnurl/lnurl-text.js';
import { LnurlService } from '../support/lnurl-service.js';
import { dataOf } from '../support/graphql.js';
import type { KeyName } from '../support/wallet-client.js';

/** 5,050,000 cents a bitcoin: 0.0505 cents a satoshi. A route costs at most 10 satoshis or 0.5 %. */
const PROBE = `mutation ($input: LnUsdInvoiceFeeProbeInput!) { answer: lnUsdInvoiceFeeProbe(input: $input) { amount errors { code message path } } }`;
const PROBE_CENTS = `mutation ($input: LnNoAmountUsdInvoiceFeeProbeInput!) { answer: lnNoAmountUsdInvoiceFeeProbe(input: $input) { amount errors { code message path } } }`;
const STATUS =
  'query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) { status settlementAmount settlementFee settlementCurrency } } } } }';

describe('Lightning payments from a wallet in dollars', () => {
  let app: TestApp;
  let hasty: TestApp;
  let fixture: Fixture;
  let carol: Person;

  beforeAll(async () => {
    const env = { RECONCILE_AFTER_SECONDS: '0' };
    app = await createDollarApp({ env });
    hasty = await createDollarApp({ beside: app, env: { ...env, PAYMENT_WAIT_SECONDS: '1' } });
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    // Each process asks for the price by itself.
    for (const each of [hasty, app]) await setPrice(each, PRICE);
    carol = await personWithCents(fixture, 10_000);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(async () => {
    await hasty.close();
    await app.close();
  });

  const cents = async (): Promise<number> => (await fundsOf(app, carol)).cents;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const historyOf = async (hash: string): Promise<any[]> =>
    (await dataOf(app.url, STATUS, { hash }, carol.as('read'))).me.defaultAccount.wallets.flatMap(
      (wallet: { transactionsByPaymentHash: unknown[] }) => wallet.transactionsByPaymentHash,
    );
  const refused = (code: string, path: readonly string[] | null): object => ({
    status: 'FAILURE',
    errors: [{ code, path, message: expect.any(String) as string }],
    transaction: null,
  });
  const withoutAmount = (): Promise<{ paymentRequest: string; paymentHash: string }> =>
    fixture.simulator.createOutsideInvoice({ amountMsat: null });

  it('charge the amount and what the route cost, rounded up to a cent; the rest of the reserve stays', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(10_000, { routeFeeMsat: 20_000n });
    // 505 cents, and 10,020 satoshis cost 506.01.
    expect(await payFromDollars(app, carol, paymentRequest)).toMatchObject({
      status: 'SUCCESS',
      errors: [],
      transaction: { status: 'SUCCESS', settlementAmount: -507, settlementFee: 2, settlementCurrency: 'USD' },
    });
    expect(await cents()).toBe(10_000 - 507);
    expect(await historyOf(paymentHash)).toEqual([
      { status: 'SUCCESS', settlementAmount: -507, settlementFee: 2, settlementCurrency: 'USD' },
    ]);
  });

  it('cost the amount alone if the route is free', async () => {
    const { paymentRequest } = await fixture.outside(10_000, { routeFeeMsat: 0n });
    expect(await payFromDollars(app, carol, paymentRequest)).toMatchObject({ transaction: { settlementAmount: -505, settlementFee: 0 } });
    expect(await cents()).toBe(10_000 - 505);
  });

  it('return every cent when they fail, also if the price has moved', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(10_000, { fail: 'no_route' });
    expect(await payFromDollars(app, carol, paymentRequest)).toMatchObject({
      status: 'FAILURE',
      errors: [{ code: 'ROUTE_FINDING_ERROR' }],
    });
    expect(await cents()).toBe(10_000);
    expect(await historyOf(paymentHash)).toEqual([
      { status: 'FAILURE', settlementAmount: -505, settlementFee: 0, settlementCurrency: 'USD' },
    ]);
    const held = await fixture.outside(10_000, { hold: true });
    expect(await payFromDollars(hasty, carol, held.paymentRequest)).toMatchObject({ status: 'PENDING' });
    // 505 cents and 50 satoshis of fee: 507.525.
    expect(await cents()).toBe(10_000 - 508);
    await setPrice(app, PRICE * 3n);
    await fixture.release(held.paymentHash, 'rejected');
    await eventually(async () => (await cents()) === 10_000);
    expect(await fundsOf(app, carol)).toEqual({ sats: 0, cents: 10_000 });
  });

  it('end at the price at which they were held', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(10_000, { hold: true, routeFeeMsat: 0n });
    expect(await payFromDollars(hasty, carol, paymentRequest)).toMatchObject({ status: 'PENDING' });
    await setPrice(app, PRICE * 3n);
    await fixture.release(paymentHash);
    await eventually(async () => (await historyOf(paymentHash))[0].status === 'SUCCESS');
    expect(await cents()).toBe(10_000 - 505);
    expect(await payFromDollars(app, carol, paymentRequest)).toMatchObject({ status: 'ALREADY_PAID' });
  });

  it('charge no more than was held when the node takes more: that is the operator’s loss', async () => {
    const { paymentRequest } = await fixture.outside(10_000, { routeFeeMsat: 0n, overchargeMsat: 1_000_000n });
    expect(await payFromDollars(app, carol, paymentRequest)).toMatchObject({ status: 'SUCCESS', transaction: { settlementAmount: -508 } });
    expect(await cents()).toBe(10_000 - 508);
    const { rows } = await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id = -5');
    expect(rows[0]?.posted).toBe(-950_000n);
  });

  it('send cents to an invoice without an amount', async () => {
    const { paymentRequest, paymentHash } = await withoutAmount();
    expect(await payFromDollars(app, carol, paymentRequest, 1_000, { memo: 'gift' })).toMatchObject({
      status: 'SUCCESS',
      transaction: { settlementCurrency: 'USD', memo: 'gift' },
    });
    const { rows } = await app.pool.query<{ amount: bigint; fee: bigint; cents: bigint }>(
      'SELECT amount_msat AS amount, fee_msat AS fee, held_cents AS cents FROM payment WHERE payment_hash = $1',
      [paymentHash],
    );
    expect(rows[0]?.amount).toBe(19_801_000n);
    const [row] = await historyOf(paymentHash);
    expect(row.settlementAmount).toBe(-1_000 - row.settlementFee);
    expect(await cents()).toBe(10_000 + row.settlementAmount);
  });

  it('pay an invoice in bitcoin of this server, at once and without a fee', async () => {
    const bob = await fixture.user();
    const { paymentRequest } = await bob.invoice(10_000);
    expect(await payFromDollars(app, carol, paymentRequest)).toMatchObject({
      status: 'SUCCESS',
      transaction: { settlementAmount: -505, settlementFee: 0 },
    });
    expect(await bob.sats()).toBe(10_000);
    const own = await carol.invoice(1_000);
    expect(await payFromDollars(app, carol, own.paymentRequest)).toMatchObject({
      status: 'SUCCESS',
      transaction: { settlementAmount: -51 },
    });
    expect(await fundsOf(app, carol)).toEqual({ sats: 1_000, cents: 10_000 - 505 - 51 });
  });

  it('are refused without cover for amount and reserve, without a price, and in the wrong currency', async () => {
    const { paymentRequest } = await fixture.outside(198_000);
    // 9,999 cents without, and 10,049 with the fee limit.
    expect(await payFromDollars(app, carol, paymentRequest)).toEqual(refused('INSUFFICIENT_BALANCE', ['input', 'walletId']));
    const open = await withoutAmount();
    expect(await payFromDollars(app, carol, open.paymentRequest, 0)).toMatchObject({
      errors: [{ message: 'A valid usd amount is required' }],
    });
    expect(await payFromDollars(app, carol, open.paymentRequest)).toEqual(refused('INVALID_INPUT', ['input', 'paymentRequest']));
    expect(await payFromDollars(app, carol, paymentRequest, 100)).toEqual(refused('INVALID_INPUT', ['input', 'paymentRequest']));
    expect(await payFromDollars(app, carol, open.paymentRequest, 100, { walletId: carol.wallets.BTC })).toEqual(
      refused('INVALID_INPUT', ['input', 'walletId']),
    );
    const sats = `mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) { status errors { code } } }`;
    const input = { walletId: carol.wallets.USD, paymentRequest: open.paymentRequest, amount: 100 };
    expect((await dataOf(app.url, sats, { input }, carol.as('write'))).answer).toEqual({
      status: 'FAILURE',
      errors: [{ code: 'INVALID_INPUT' }],
    });
    await setPrice(app, undefined);
    expect(await payFromDollars(app, carol, paymentRequest)).toEqual(refused('PRICE_UNAVAILABLE', null));
    expect(await payFromDollars(app, carol, open.paymentRequest, 100)).toEqual(refused('PRICE_UNAVAILABLE', null));
    expect(await cents()).toBe(10_000);
  });

  describe('to a Lightning address or an LNURL', () => {
    let service: LnurlService;
    beforeAll(async () => {
      service = await LnurlService.start(
        async (amountMsat, descriptionHash) =>
          (await fixture.simulator.createOutsideInvoice({ amountMsat, descriptionHash, faults: { routeFeeMsat: 20_000n } })).paymentRequest,
      );
    });
    beforeEach(() => service.behave({ offer: { maxSendable: 1_000_000_000 } }));
    afterAll(() => service.close());

    const SENT = '{ status errors { code message path } transaction { settlementAmount settlementFee settlementCurrency } }';
    const PAY_LNURL = `mutation ($input: LnurlPaymentSendInput!) { sent: lnurlPaymentSend(input: $input) ${SENT} }`;
    const PAY_ADDRESS = `mutation ($input: LnAddressPaymentSendInput!) { sent: lnAddressPaymentSend(input: $input) ${SENT} }`;
    const send = async (document: string, input: object, headers = {}): Promise<unknown> =>
      (await dataOf(app.url, document, { input: { walletId: carol.wallets.USD, ...input } }, { ...carol.as('write'), ...headers })).sent;
    const addressOf = ({ username }: Person): string => `${username}@${new URL(app.url).host}`;

    it('send the amount in satoshis, and charge it and the fee in cents', async () => {
      const input = { lnurl: lnurlOf(`${service.url}/pay`), amount: 10_000 };
      const once = (): Promise<unknown> => send(PAY_LNURL, input, { 'idempotency-key': 'dollars' });
      const sent = { status: 'SUCCESS', errors: [], transaction: { settlementAmount: -507, settlementFee: 2, settlementCurrency: 'USD' } };
      expect(await once()).toEqual(sent);
      expect(await once()).toEqual(sent);
      expect(service.requests).toEqual(['/pay', '/callback?id=7&amount=10000000']);
      expect(await cents()).toBe(10_000 - 507);
    });

    it('pay an address of this server inside, one’s own too', async () => {
      const bob = await fixture.user();
      const inside = { status: 'SUCCESS', transaction: { settlementAmount: -505, settlementFee: 0 } };
      expect(await send(PAY_ADDRESS, { lnAddress: addressOf(bob), amount: 10_000 })).toMatchObject(inside);
      expect(await bob.sats()).toBe(10_000);
      expect(await send(PAY_ADDRESS, { lnAddress: addressOf(carol), amount: 10_000 })).toMatchObject(inside);
      expect(await fundsOf(app, carol)).toEqual({ sats: 10_000, cents: 10_000 - 1_010 });
    });

    it('are refused without cover, and before any request without a price', async () => {
      const lnurl = lnurlOf(`${service.url}/pay`);
      // 9,999 cents without, and 10,049 with the fee limit.
      expect(await send(PAY_LNURL, { lnurl, amount: 198_000 })).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INSUFFICIENT_BALANCE' }],
      });
      service.behave();
      await setPrice(app, undefined);
      expect(await send(PAY_LNURL, { lnurl, amount: 100 })).toMatchObject({ status: 'FAILURE', errors: [{ code: 'PRICE_UNAVAILABLE' }] });
      const address = { lnAddress: addressOf(await fixture.user()), amount: 100 };
      expect(await send(PAY_ADDRESS, address)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'PRICE_UNAVAILABLE' }] });
      expect(service.requests).toEqual([]);
      expect(await cents()).toBe(10_000);
    });
  });

  describe('a fee probe', () => {
    const probe = async (document: string, input: object, key: KeyName = 'read'): Promise<unknown> =>
      (await dataOf(app.url, document, { input: { walletId: carol.wallets.USD, ...input } }, carol.as(key))).answer;

    it('says in cents what the payment then costs', async () => {
      const { paymentRequest } = await fixture.outside(10_000, { routeFeeMsat: 20_000n });
      expect(await probe(PROBE, { paymentRequest })).toEqual({ amount: 2, errors: [] });
      expect(await payFromDollars(app, carol, paymentRequest)).toMatchObject({ transaction: { settlementFee: 2 } });
    });

    it('costs nothing for an invoice of this server, and for a free route', async () => {
      const bob = await fixture.user();
      expect(await probe(PROBE, { paymentRequest: (await bob.invoice(10_000)).paymentRequest })).toEqual({ amount: 0, errors: [] });
      expect(await probe(PROBE, { paymentRequest: (await fixture.outside(10_000, { routeFeeMsat: 0n })).paymentRequest })).toEqual({
        amount: 0,
        errors: [],
      });
    });

    it('gives the limit beside the error without a route', async () => {
      const { paymentRequest } = await fixture.outside(10_000, { fail: 'no_route' });
      expect(await probe(PROBE, { paymentRequest })).toMatchObject({ amount: 3, errors: [{ code: 'ROUTE_FINDING_ERROR' }] });
    });

    it('of an amount in cents', async () => {
      const { paymentRequest } = await withoutAmount();
      const { amount } = (await probe(PROBE_CENTS, { paymentRequest, amount: 1_000 })) as { amount: number };
      const { transaction } = await payFromDollars(app, carol, paymentRequest, 1_000);
      expect(amount).toBe(transaction.settlementFee);
    });

    it('is refused for what the payment is refused for', async () => {
      const { paymentRequest } = await fixture.outside(10_000);
      expect(await probe(PROBE, { paymentRequest, walletId: carol.wallets.BTC })).toMatchObject({
        amount: null,
        errors: [{ code: 'INVALID_INPUT' }],
      });
      await setPrice(app, undefined);
      expect(await probe(PROBE, { paymentRequest })).toMatchObject({ amount: null, errors: [{ code: 'PRICE_UNAVAILABLE' }] });
    });
  });
});
