import { LightningBackend, type Faults, type FeeProbe, type FeeProbeRequest } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';
import type { KeyName } from '../support/wallet-client.js';
import { writtenInvoice } from '../support/written-invoice.js';

const PROBE =
  'mutation ($input: LnInvoiceFeeProbeInput!) { lnInvoiceFeeProbe(input: $input) { amount errors { __typename code message path } } }';

const PROBE_AMOUNT =
  'mutation ($input: LnNoAmountInvoiceFeeProbeInput!) { probe: lnNoAmountInvoiceFeeProbe(input: $input) { amount errors { __typename code message path } } }';
const PAY_AMOUNT =
  'mutation ($input: LnNoAmountInvoicePaymentInput!) { paid: lnNoAmountInvoicePaymentSend(input: $input) { status transaction { settlementFee } } }';
const CREATE =
  'mutation ($input: LnNoAmountInvoiceCreateInput!) { made: lnNoAmountInvoiceCreate(input: $input) { invoice { paymentRequest } } }';

describe('the fee probe of an invoice', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let node: LightningBackend;
  let askNode: LightningBackend['probeFee'];
  /** What the node was asked. */
  const asked: FeeProbeRequest[] = [];

  beforeAll(async () => {
    app = await createTestApp({ env: { LIGHTNING_CALL_SECONDS: '1', ACCOUNT_LIMITS: 'none' } });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 400_000 })];
    node = app.get(LightningBackend);
    askNode = node.probeFee.bind(node);
  });
  beforeEach(() => {
    asked.splice(0);
    answerBy(askNode);
  });
  afterEach(async () => {
    await fixture.simulator.setAway(false);
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const answerBy = (answer: LightningBackend['probeFee']): void => {
    node.probeFee = (request) => {
      asked.push(request);
      return answer(request);
    };
  };
  const probe = async (
    paymentRequest: string,
    { walletId = bob.wallets.BTC, key }: { walletId?: string; key?: KeyName } = {},
  ): Promise<unknown> => (await dataOf(app.url, PROBE, { input: { walletId, paymentRequest } }, bob.as(key ?? 'write'))).lnInvoiceFeeProbe;
  /** A caller whose answer comes too late, as on a busy machine, gets the fee limit, and the answer when it asks again. */
  const expectProbed = async (ask: () => Promise<unknown>, wanted: object): Promise<void> =>
    void (await eventually(async () => {
      expect(await ask()).toEqual(wanted);
      return true;
    }));
  const fee = (amount: number): object => ({ amount, errors: [] });
  const refusal = (
    code: string,
    message: string,
    path: readonly string[] | null = ['input', 'paymentRequest'],
    amount?: number,
  ): object => ({
    amount: amount ?? null,
    errors: [{ __typename: 'GraphQLApplicationError', code, message, path }],
  });
  const noRoute = (limit: number): object => refusal('ROUTE_FINDING_ERROR', 'Unable to find a route for payment.', null, limit);

  describe('an invoice of an outside node', () => {
    it.each([
      [1_000, 0n, 0],
      [1_000, 4_999n, 5],
      [100_000, 321_001n, 322],
      [10_000, 'limit', 50],
    ] as const)('of %i sats for a route of %s msat: %i sats, as the payment then costs', async (sats, routeFeeMsat, expected) => {
      const { paymentRequest } = await fixture.outside(sats, { routeFeeMsat });
      await expectProbed(() => probe(paymentRequest), fee(expected));
      expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS', transaction: { settlementFee: expected } });
    });

    it('with a part of a satoshi: what is charged beside the amount', async () => {
      const { paymentRequest } = await fixture.simulator.createOutsideInvoice({ amountMsat: 100_001n, faults: { routeFeeMsat: 0n } });
      const { transaction } = (await bob.pay(paymentRequest)) as { transaction: { settlementFee: number } };
      await expectProbed(() => probe(paymentRequest), fee(transaction.settlementFee));
    });

    it('moves, holds and stores nothing, whatever the balance', async () => {
      const carol = await fixture.user();
      const { paymentRequest, paymentHash } = await fixture.outside(50_000);
      const input = { walletId: carol.wallets.BTC, paymentRequest };
      await expectProbed(async () => (await dataOf(app.url, PROBE, { input }, carol.as('read'))).lnInvoiceFeeProbe, fee(51));
      const { rows } = await app.pool.query('SELECT 1 FROM payment WHERE payment_hash = $1', [paymentHash]);
      expect(rows).toEqual([]);
      expect((await fixture.simulator.listPayments()).filter((sent) => sent.paymentHash === paymentHash)).toEqual([]);
      expect(await carol.sats()).toBe(0);
    });

    it('asks the node with the amount and the fee limit of the payment', async () => {
      const { paymentRequest } = await fixture.outside(10_000);
      await probe(paymentRequest.toUpperCase());
      expect(asked).toEqual([{ paymentRequest, amountMsat: 10_000_000n, feeLimitMsat: 50_000n }]);
    });

    it.each([
      ['no route', { fail: 'no_route' }],
      ['channels without the amount', { fail: 'insufficient_liquidity' }],
      ['a route above the fee limit', { routeFeeMsat: 10_001n }],
    ] as const)('with %s: the error, beside the fee limit', async (_what, faults) => {
      const { paymentRequest } = await fixture.outside(1_000, faults);
      await expectProbed(() => probe(paymentRequest), noRoute(10));
    });
  });

  describe('without an estimate of the node: the fee limit', () => {
    it.each([
      [1_000, 10],
      [2_001, 11],
    ])('of %i sats is %i', async (sats, limit) => {
      const { paymentRequest } = await fixture.outside(sats);
      await fixture.simulator.setAway(true);
      expect(await probe(paymentRequest)).toEqual(fee(limit));
    });

    it.each<[string, () => Promise<FeeProbe>]>([
      ['cannot probe', () => Promise.resolve({ status: 'unsupported' })],
      ['does not know', () => Promise.resolve({ status: 'unknown' })],
      ['never answers', () => new Promise(() => undefined)],
      ['throws', () => Promise.reject(new Error('out of memory'))],
      ['names a fee above the limit', () => Promise.resolve({ status: 'known', feeMsat: 1_000_000n })],
    ])('of a node that %s', async (_what, answer) => {
      answerBy(answer);
      expect(await probe((await fixture.outside(1_000)).paymentRequest)).toEqual(fee(10));
    });

    it('and the node is asked again', async () => {
      const { paymentRequest } = await fixture.outside(1_000, { routeFeeMsat: 3_000n });
      await fixture.simulator.setAway(true);
      expect(await probe(paymentRequest)).toEqual(fee(10));
      await fixture.simulator.setAway(false);
      await expectProbed(() => probe(paymentRequest), fee(3));
    });

    it('and an answer that comes too late is kept for the next caller', async () => {
      const { paymentRequest } = await fixture.outside(1_000);
      let answer: (probe: FeeProbe) => void = () => undefined;
      answerBy(() => new Promise<FeeProbe>((resolve) => (answer = resolve)));
      expect(await probe(paymentRequest)).toEqual(fee(10));
      answer({ status: 'known', feeMsat: 4_000n });
      await eventually(async () => ((await probe(paymentRequest)) as { amount: number }).amount === 4);
      expect(asked).toHaveLength(1);
    });
  });

  it('an estimate is kept, and shared by callers, but not by amounts or texts', async () => {
    const { paymentRequest } = await fixture.outside(1_000, { routeFeeMsat: 2_000n });
    await Promise.all(Array.from({ length: 5 }, () => expectProbed(() => probe(paymentRequest), fee(2))));
    expect(await probe(paymentRequest, { key: 'read' })).toEqual(fee(2));
    expect(asked).toHaveLength(1);
    const other = await fixture.outside(1_000, { routeFeeMsat: 5_000n });
    await expectProbed(() => probe(other.paymentRequest), fee(5));
    expect(asked).toHaveLength(2);
  });

  describe('an invoice of this server costs nothing, and the node is not asked', () => {
    afterEach(() => expect(asked).toEqual([]));

    it('of another account, also while the node is away', async () => {
      const { paymentRequest } = await alice.invoice(1_000);
      await fixture.simulator.setAway(true);
      expect(await probe(paymentRequest)).toEqual(fee(0));
    });

    it('of the caller', async () => {
      expect(await probe((await bob.invoice(1_000)).paymentRequest)).toEqual(fee(0));
    });

    it('that is paid', async () => {
      const { paymentRequest } = await alice.invoice(1);
      expect(await bob.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      expect(await probe(paymentRequest)).toEqual(fee(0));
    });
  });

  describe('refuses what the payment is refused for', () => {
    afterEach(() => expect(asked).toEqual([]));
    it.each([
      ['for another network', () => writtenInvoice({ network: 'mainnet' }), 'INVOICE_DECODE_ERROR', 'The invoice is for another network'],
      ['without an amount', () => writtenInvoice({ amountMsat: null }), 'INVALID_INPUT', 'The invoice does not state an amount'],
      ['that has expired', () => writtenInvoice({ createdAtSeconds: 1_700_000_000 }), 'LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'],
      ['cut short', () => writtenInvoice().slice(0, -10), 'INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest'],
      ['with a character of no invoice', () => 'ln\0', 'INVALID_INPUT', 'Invalid value for LnPaymentRequest'],
    ])('an invoice %s', async (_what, paymentRequest, code, message) => {
      expect(await probe(paymentRequest())).toEqual(refusal(code, message));
    });

    it.each([
      ['expired', (hash: string) => new TimeTravel(app).invoice(hash, 86_400), 'The invoice has expired'],
      ['was cancelled', (hash: string) => cancelled(hash), 'The invoice was cancelled'],
    ])('an invoice of this server that %s', async (_state, change, message) => {
      const { paymentRequest, paymentHash } = await alice.invoice(100);
      await change(paymentHash);
      expect(await probe(paymentRequest)).toEqual(refusal('LIGHTNING_PAYMENT_ERROR', message));
    });
    const cancelled = (hash: string): Promise<unknown> =>
      app.pool.query(`UPDATE invoice SET state = 'cancelled' WHERE payment_hash = $1`, [hash]);

    it('another text of the hash of an invoice of this server', async () => {
      const { paymentHash } = await alice.invoice(100);
      expect(await probe(writtenInvoice({ paymentHash }))).toMatchObject({ amount: null, errors: [{ code: 'INVOICE_TEXT_MISMATCH' }] });
    });

    it('wallets of other accounts, unknown ones, or in dollars', async () => {
      const { paymentRequest } = await fixture.outside(10);
      for (const walletId of [alice.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'])
        expect(await probe(paymentRequest, { walletId })).toEqual(refusal('NOT_FOUND', 'Wallet not found', ['input', 'walletId']));
      expect(await probe(paymentRequest, { walletId: bob.wallets.USD })).toEqual(
        refusal('INVALID_INPUT', "Unsupported operation for wallet's currency.", ['input', 'walletId']),
      );
    });
  });

  describe('that states no amount', () => {
    const invoiceOf = async (person: Person): Promise<string> =>
      (await dataOf(app.url, CREATE, { input: { walletId: person.wallets.BTC } }, person.as('receive'))).made.invoice
        .paymentRequest as string;
    const outside = async (faults: Faults = {}): Promise<string> =>
      (await fixture.simulator.createOutsideInvoice({ amountMsat: null, faults })).paymentRequest;
    const probeOf = async (paymentRequest: string, amount: unknown, walletId = bob.wallets.BTC): Promise<unknown> =>
      (await dataOf(app.url, PROBE_AMOUNT, { input: { walletId, paymentRequest, amount } }, bob.as('write'))).probe;

    it.each([
      [1_000, 4_999n, 5],
      ['100000', 'limit', 500],
    ] as const)('of %j sats for a route of %s msat: %i sats, as the payment then costs', async (amount, routeFeeMsat, expected) => {
      const paymentRequest = await outside({ routeFeeMsat });
      await expectProbed(() => probeOf(paymentRequest, amount), fee(expected));
      const { paid } = await dataOf(app.url, PAY_AMOUNT, { input: { walletId: bob.wallets.BTC, paymentRequest, amount } }, bob.as('write'));
      expect(paid).toEqual({ status: 'SUCCESS', transaction: { settlementFee: expected } });
    });

    it('differs by amount, and is the fee limit of the amount while the node is away', async () => {
      const paymentRequest = await outside();
      const probes = async (...amounts: number[]): Promise<unknown[]> =>
        Promise.all(amounts.map((amount) => probeOf(paymentRequest, amount)));
      await expectProbed(() => probes(1_000, 9_000, 1_000), [2, 10, 2].map(fee));
      await fixture.simulator.setAway(true);
      expect(await probes(2_000, 100_000)).toEqual([10, 500].map(fee));
    });

    it('without a route: the error, beside the fee limit', async () => {
      const paymentRequest = await outside({ fail: 'no_route' });
      await expectProbed(() => probeOf(paymentRequest, 1_000), noRoute(10));
    });

    it('of this server is 0', async () => {
      for (const person of [alice, bob]) expect(await probeOf(await invoiceOf(person), 1_000)).toEqual(fee(0));
    });

    it('refuses an amount of zero, and one that is too large', async () => {
      for (const paymentRequest of [await invoiceOf(alice), await outside()])
        for (const [amount, message] of [
          [0, 'A valid satoshi amount is required'],
          [10_000_000_000_001, 'Value too big for SatAmount'],
        ] as const)
          expect(await probeOf(paymentRequest, amount)).toEqual(refusal('INVALID_INPUT', message, ['input', 'amount']));
    });

    it('refuses invoices that state their amount, and lnInvoiceFeeProbe those that do not', async () => {
      for (const { paymentRequest } of [await alice.invoice(10), await fixture.outside(10)])
        expect(await probeOf(paymentRequest, 10)).toEqual(
          refusal('INVALID_INPUT', 'The invoice states its amount: another one cannot be chosen'),
        );
      for (const paymentRequest of [await invoiceOf(alice), await outside()])
        expect(await probe(paymentRequest)).toEqual(refusal('INVALID_INPUT', 'The invoice does not state an amount'));
    });

    it('refuses an expired invoice, text that is none, and wallets that cannot pay it', async () => {
      const expired = await fixture.simulator.createOutsideInvoice({ amountMsat: null, ageSeconds: 100_000 });
      expect(await probeOf(expired.paymentRequest, 1)).toEqual(refusal('LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'));
      expect(await probeOf('lnbcrt1qqq', 1)).toEqual(refusal('INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest'));
      expect(await probeOf(await outside(), 1, alice.wallets.BTC)).toEqual(refusal('NOT_FOUND', 'Wallet not found', ['input', 'walletId']));
      expect(await probeOf(await outside(), 1, bob.wallets.USD)).toEqual(
        refusal('INVALID_INPUT', "Unsupported operation for wallet's currency.", ['input', 'walletId']),
      );
    });
  });
});
