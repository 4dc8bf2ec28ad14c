import type { Faults } from '../../src/money/lightning/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';
import type { KeyName } from '../support/wallet-client.js';

const CREATE = 'mutation ($input: LnNoAmountInvoiceCreateInput!) { lnNoAmountInvoiceCreate(input: $input) { invoice { paymentRequest } } }';
const PROBE =
  'mutation ($input: LnNoAmountInvoiceFeeProbeInput!) { probe: lnNoAmountInvoiceFeeProbe(input: $input) { amount errors { code message path } } }';
const PAY =
  'mutation ($input: LnNoAmountInvoicePaymentInput!) { paid: lnNoAmountInvoicePaymentSend(input: $input) { status transaction { settlementFee } } }';

describe('lnNoAmountInvoiceFeeProbe', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 200_000 })];
  });
  afterEach(async () => {
    await fixture.simulator.setAway(false);
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const invoiceOf = async (person: Person): Promise<string> =>
    (await dataOf(app.url, CREATE, { input: { walletId: person.wallets.BTC } }, person.as('receive'))).lnNoAmountInvoiceCreate.invoice
      .paymentRequest as string;
  const outside = async (faults: Faults = {}): Promise<string> =>
    (await fixture.simulator.createOutsideInvoice({ amountMsat: null, faults })).paymentRequest;
  const probe = async (
    paymentRequest: string,
    amount: unknown,
    { walletId = bob.wallets.BTC, key }: { walletId?: string; key?: KeyName } = {},
  ): Promise<unknown> => (await dataOf(app.url, PROBE, { input: { walletId, paymentRequest, amount } }, bob.as(key ?? 'write'))).probe;
  const fee = (amount: number): object => ({ amount, errors: [] });
  const refusal = (code: string, message: string, argument: string): object => ({
    amount: null,
    errors: [{ code, message, path: ['input', argument] }],
  });

  it.each([
    [1_000, 1n, 1],
    [1_000, 4_999n, 5],
    [1_000, 'limit', 10],
    ['100000', 'limit', 500],
  ] as const)('of %j sats for a route of %s msat: %i sats, as the payment then costs', async (amount, routeFeeMsat, expected) => {
    const paymentRequest = await outside({ routeFeeMsat });
    expect(await probe(paymentRequest, amount)).toEqual(fee(expected));
    const { paid } = await dataOf(app.url, PAY, { input: { walletId: bob.wallets.BTC, paymentRequest, amount } }, bob.as('write'));
    expect(paid).toEqual({ status: 'SUCCESS', transaction: { settlementFee: expected } });
  });

  it('differs by amount', async () => {
    const paymentRequest = await outside();
    expect([await probe(paymentRequest, 1_000), await probe(paymentRequest, 9_000), await probe(paymentRequest, 1_000)]).toEqual(
      [2, 10, 2].map(fee),
    );
  });

  it('is the fee limit of the amount while the node is away', async () => {
    const paymentRequest = await outside();
    await fixture.simulator.setAway(true);
    expect([await probe(paymentRequest, 1_000), await probe(paymentRequest, 100_000)]).toEqual([10, 500].map(fee));
  });

  it('without a route: the error, beside the fee limit', async () => {
    expect(await probe(await outside({ fail: 'no_route' }), 1_000)).toEqual({
      amount: 10,
      errors: [{ code: 'ROUTE_FINDING_ERROR', message: 'Unable to find a route for payment.', path: null }],
    });
  });

  it.each(['read', 'write', 'all'] as const)('of an invoice of this server is 0, with a key with %s', async (key) => {
    for (const person of [alice, bob]) expect(await probe(await invoiceOf(person), 1_000, { key })).toEqual(fee(0));
  });

  it('requires read or write', async () => {
    const input = { walletId: bob.wallets.BTC, paymentRequest: await outside(), amount: 1 };
    const { errors } = await graphql(app.url, PROBE, { input }, bob.as('receive'));
    expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read write' } }]);
  });

  it('refuses an amount of zero, and one that is none', async () => {
    for (const paymentRequest of [await invoiceOf(alice), await outside()]) {
      expect(await probe(paymentRequest, 0)).toEqual(refusal('INVALID_INPUT', 'A valid satoshi amount is required', 'amount'));
      expect(await probe(paymentRequest, -1)).toEqual(refusal('INVALID_INPUT', 'Invalid value for SatAmount', 'amount'));
      expect(await probe(paymentRequest, 10_000_000_000_001)).toEqual(refusal('INVALID_INPUT', 'Value too big for SatAmount', 'amount'));
    }
  });

  it('refuses invoices that state their amount, and lnInvoiceFeeProbe those that do not', async () => {
    const message = 'The invoice states its amount: another one cannot be chosen';
    for (const { paymentRequest } of [await alice.invoice(10), await fixture.outside(10)])
      expect(await probe(paymentRequest, 10)).toEqual(refusal('INVALID_INPUT', message, 'paymentRequest'));
    const document =
      'mutation ($input: LnInvoiceFeeProbeInput!) { probe: lnInvoiceFeeProbe(input: $input) { amount errors { code message path } } }';
    for (const paymentRequest of [await invoiceOf(alice), await outside()])
      expect((await dataOf(app.url, document, { input: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('read'))).probe).toEqual(
        refusal('INVALID_INPUT', 'The invoice does not state an amount', 'paymentRequest'),
      );
  });

  it('refuses an expired invoice, text that is none, and wallets that cannot pay it', async () => {
    const expired = await fixture.simulator.createOutsideInvoice({ amountMsat: null, ageSeconds: 100_000 });
    expect(await probe(expired.paymentRequest, 1)).toEqual(refusal('LIGHTNING_PAYMENT_ERROR', 'The invoice has expired', 'paymentRequest'));
    expect(await probe('lnbcrt1qqq', 1)).toEqual(refusal('INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest', 'paymentRequest'));
    const paymentRequest = await outside();
    for (const walletId of [alice.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'])
      expect(await probe(paymentRequest, 1, { walletId })).toEqual(refusal('NOT_FOUND', 'Wallet not found', 'walletId'));
    expect(await probe(paymentRequest, 1, { walletId: bob.wallets.USD })).toEqual(
      refusal('INVALID_INPUT', "Unsupported operation for wallet's currency.", 'walletId'),
    );
  });
});
