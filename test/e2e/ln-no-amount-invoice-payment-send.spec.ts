import { encodeInvoice, type Faults, type OutsideInvoice } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';

const CREATE =
  'mutation ($input: LnNoAmountInvoiceCreateInput!) { lnNoAmountInvoiceCreate(input: $input) { invoice { paymentHash paymentRequest } } }';
const PAY = `mutation ($input: LnNoAmountInvoicePaymentInput!) { lnNoAmountInvoicePaymentSend(input: $input) { status errors { code message path }
  transaction { id status direction memo settlementAmount settlementFee } } }`;
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) {
  direction status memo settlementAmount settlementFee initiationVia { __typename } settlementVia { __typename ... on SettlementViaIntraLedger { preImage } } } } } } }`;
const INVOICE =
  'query ($wallet: WalletId!, $hash: PaymentHash!) { me { defaultAccount { walletById(walletId: $wallet) { invoiceByPaymentHash(paymentHash: $hash) { __typename paymentStatus } } } } }';
const MAX_SATS = 10_000_000_000_000;

describe('lnNoAmountInvoicePaymentSend', () => {
  let app: TestApp;
  /** Another process of the same installation, which waits only a second for an outcome. */
  let hasty: TestApp;
  let fixture: Fixture;

  beforeAll(async () => {
    const env = { ACCOUNT_LIMITS: 'none', RECONCILE_AFTER_SECONDS: '0' };
    app = await createTestApp({ env });
    hasty = await createTestApp({ beside: app, env: { ...env, PAYMENT_WAIT_SECONDS: '1' } });
    fixture = new Fixture(app);
  });
  afterEach(async () => {
    await fixture.simulator.setAway(false);
    await fixture.expectBalanced();
  });
  afterAll(async () => {
    await hasty.close();
    await app.close();
  });

  const invoiceOf = async (person: Person, memo?: string): Promise<{ paymentHash: string; paymentRequest: string }> =>
    (await dataOf(app.url, CREATE, { input: { walletId: person.wallets.BTC, memo } }, person.as('receive'))).lnNoAmountInvoiceCreate
      .invoice as { paymentHash: string; paymentRequest: string };
  const outside = (faults: Faults = {}): Promise<OutsideInvoice> =>
    fixture.simulator.createOutsideInvoice({ amountMsat: null, memo: 'from outside', faults });
  const pay = async (
    payer: Person,
    paymentRequest: string,
    amount: unknown,
    { walletId = payer.wallets.BTC, memo, at = app }: { walletId?: string; memo?: string; at?: TestApp } = {},
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  ): Promise<any> =>
    (await dataOf(at.url, PAY, { input: { walletId, paymentRequest, amount, memo } }, payer.as('write'))).lnNoAmountInvoicePaymentSend;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const historyOf = async (person: Person, hash: string): Promise<any[]> =>
    (await dataOf(app.url, HISTORY, { hash }, person.as('read'))).me.defaultAccount.wallets[0].transactionsByPaymentHash;
  const failure = (code: string, message: string, path: readonly string[] | null = ['input', 'paymentRequest']): object => ({
    status: 'FAILURE',
    errors: [{ code, message, path }],
    transaction: null,
  });
  const SUCCESS = { status: 'SUCCESS', errors: [] };
  const PAID = failure('LIGHTNING_PAYMENT_ERROR', 'Invoice is already paid');

  describe('an invoice of this server', () => {
    it('moves the chosen amount at once, without a fee and without the node', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
      const { paymentRequest, paymentHash } = await invoiceOf(alice, 'tips');
      await fixture.simulator.setAway(true);
      expect(await pay(bob, paymentRequest, 300, { memo: 'thanks' })).toEqual({
        ...SUCCESS,
        transaction: {
          id: expect.any(String) as string,
          status: 'SUCCESS',
          direction: 'SEND',
          memo: 'thanks',
          settlementAmount: -300,
          settlementFee: 0,
        },
      });
      await fixture.simulator.setAway(false);
      expect([await alice.sats(), await bob.sats()]).toEqual([300, 700]);
      const settlementVia = { __typename: 'SettlementViaIntraLedger', preImage: expect.stringMatching(/^[0-9a-f]{64}$/) as string };
      const both = { status: 'SUCCESS', settlementFee: 0, initiationVia: { __typename: 'InitiationViaLn' }, settlementVia };
      expect(await historyOf(alice, paymentHash)).toEqual([{ ...both, direction: 'RECEIVE', memo: 'tips', settlementAmount: 300 }]);
      expect(await historyOf(bob, paymentHash)).toEqual([{ ...both, direction: 'SEND', memo: 'thanks', settlementAmount: -300 }]);
      const { me } = await dataOf(app.url, INVOICE, { wallet: alice.wallets.BTC, hash: paymentHash }, alice.as('read'));
      expect(me.defaultAccount.walletById.invoiceByPaymentHash).toEqual({ __typename: 'LnNoAmountInvoice', paymentStatus: 'PAID' });
      // The node was away: a job cancels its copy, and an outside payment before that would be credited.
      const IS_CANCELLED = `SELECT FROM simulator.invoice WHERE payment_hash = $1 AND state = 'cancelled'`;
      await eventually(async () => (await app.pool.query(IS_CANCELLED, [paymentHash])).rowCount === 1);
      expect((await fixture.simulator.payOutside(paymentRequest, { amountMsat: 1_000n })).status).toBe('cancelled');
    });

    it('is paid once by one payer, whatever the amounts: the repeats get the first transaction', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 10_000 })];
      const { paymentRequest } = await invoiceOf(alice);
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => pay(bob, paymentRequest, 10 + (i % 3))));
      expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 'ALREADY_PAID')).toHaveLength(19);
      const first = answers[0].transaction as { settlementAmount: number };
      expect(new Set(answers.map(({ transaction }) => transaction.id)).size).toBe(1);
      expect([await alice.sats(), await bob.sats()]).toEqual([-first.settlementAmount, 10_000 + first.settlementAmount]);
      expect(await pay(bob, paymentRequest, 9_000)).toEqual({ status: 'ALREADY_PAID', errors: [], transaction: first });
    });

    it('is paid by one of several payers with different amounts, and the others keep their money', async () => {
      const alice = await fixture.user();
      const payers = await Promise.all(Array.from({ length: 5 }, () => fixture.user({ sats: 50 })));
      const { paymentRequest } = await invoiceOf(alice);
      const answers = await Promise.all(payers.map((payer, i) => pay(payer, paymentRequest, 10 + i)));
      const paid = answers.findIndex(({ status }) => status === 'SUCCESS');
      expect(answers.filter((_, i) => i !== paid)).toEqual(Array.from({ length: 4 }, () => PAID));
      expect(await Promise.all(payers.map((payer) => payer.sats()))).toEqual(payers.map((_, i) => (i === paid ? 40 - i : 50)));
      expect(await alice.sats()).toBe(10 + paid);
    });

    it('paid inside and outside at once credits the recipient with both payments', async () => {
      for (let i = 0; i < 5; i++) {
        const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
        const { paymentRequest } = await invoiceOf(alice);
        const [inside, arrived] = await Promise.all([
          pay(bob, paymentRequest, 30),
          fixture.simulator.payOutside(paymentRequest, { amountMsat: 500_000n }),
        ]);
        const [moved, received] = [inside.status === 'SUCCESS' ? 30 : 0, arrived.status === 'paid' ? 500 : 0];
        expect(moved + received).toBeGreaterThan(0);
        await eventually(async () => (await alice.sats()) === moved + received);
        expect(await bob.sats()).toBe(100 - moved);
      }
    });

    it('that was paid from outside is paid for everyone', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      const { paymentRequest } = await invoiceOf(alice);
      await fixture.simulator.payOutside(paymentRequest, { amountMsat: 5_000n });
      await eventually(async () => (await alice.sats()) === 5);
      expect(await pay(bob, paymentRequest, 5)).toEqual(PAID);
      expect(await bob.sats()).toBe(100);
    });

    it('can use up the balance to the last satoshi, and not one more', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      const { paymentRequest } = await invoiceOf(alice);
      for (const amount of [101, MAX_SATS])
        expect(await pay(bob, paymentRequest, amount)).toEqual(
          failure('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and the fee limit', ['input', 'walletId']),
        );
      expect(await pay(bob, paymentRequest, '100')).toMatchObject(SUCCESS);
      expect([await alice.sats(), await bob.sats()]).toEqual([100, 0]);
    });

    it('is refused to its owner, expired, and cancelled', async () => {
      const [alice, bob] = [await fixture.user({ sats: 100 }), await fixture.user({ sats: 100 })];
      const [own, expired, cancelled] = [await invoiceOf(alice), await invoiceOf(alice), await invoiceOf(alice)];
      expect(await pay(alice, own.paymentRequest, 10)).toEqual(failure('CANT_PAY_SELF', 'User tried to pay themselves', null));
      await new TimeTravel(app).invoice(expired.paymentHash, 86_400);
      expect(await pay(bob, expired.paymentRequest, 10)).toEqual(failure('LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'));
      await app.pool.query(`UPDATE invoice SET state = 'cancelled' WHERE payment_hash = $1`, [cancelled.paymentHash]);
      expect(await pay(bob, cancelled.paymentRequest, 10)).toEqual(failure('LIGHTNING_PAYMENT_ERROR', 'The invoice was cancelled'));
      expect([await alice.sats(), await bob.sats()]).toEqual([100, 100]);
    });

    it('in another text, with an amount that a stranger chose, is not paid', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      const { paymentHash } = await invoiceOf(alice);
      expect(await pay(bob, written({ paymentHash }), 10)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INVOICE_TEXT_MISMATCH' }],
      });
      expect(await bob.pay(written({ paymentHash, amountMsat: 10_000n }))).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INVOICE_TEXT_MISMATCH' }],
      });
      expect(await bob.sats()).toBe(100);
    });
  });

  describe('an invoice of an outside node', () => {
    it.each([
      [1_000, 0n, 0],
      [1_000, 4_999n, 5],
      [1_000, 'limit', 10],
      [10_000, 'limit', 50],
    ] as const)(
      'of %i sats for a route of %s msat costs %i sats, and the rest of the hold is free again',
      async (sats, routeFeeMsat, fee) => {
        const bob = await fixture.user({ sats: 20_000 });
        const { paymentRequest, paymentHash } = await outside({ routeFeeMsat });
        expect(await pay(bob, paymentRequest, sats)).toMatchObject({
          ...SUCCESS,
          transaction: { memo: 'from outside', settlementAmount: -sats - fee, settlementFee: fee },
        });
        expect(await bob.sats()).toBe(20_000 - sats - fee);
        const sent = (await fixture.simulator.listPayments()).filter((payment) => payment.paymentHash === paymentHash);
        expect(sent).toMatchObject([{ direction: 'out', state: 'settled', amountMsat: BigInt(sats) * 1_000n }]);
      },
    );

    it('requires the amount and the fee limit', async () => {
      const bob = await fixture.user({ sats: 1_009 });
      const { paymentRequest } = await outside({ routeFeeMsat: 'limit' });
      expect(await pay(bob, paymentRequest, 1_000)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'INSUFFICIENT_BALANCE' }] });
      expect(await pay(bob, paymentRequest, 999)).toMatchObject({ ...SUCCESS, transaction: { settlementAmount: -1_009 } });
    });

    it('that was paid is ALREADY_PAID to its payer with any amount, and paid to others', async () => {
      const [bob, carol] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
      const { paymentRequest } = await outside({ routeFeeMsat: 0n });
      const first = await pay(bob, paymentRequest, 100);
      for (const amount of [100, 200])
        expect(await pay(bob, paymentRequest, amount)).toEqual({ status: 'ALREADY_PAID', errors: [], transaction: first.transaction });
      expect(await pay(carol, paymentRequest, 100)).toEqual(PAID);
      expect([await bob.sats(), await carol.sats()]).toEqual([900, 1_000]);
    });

    it('in flight is PENDING for its payer with any amount, with the amount of the first attempt', async () => {
      const [bob, carol] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
      const { paymentRequest, paymentHash } = await outside({ routeFeeMsat: 1_000n, hold: true });
      const first = await pay(bob, paymentRequest, 100, { at: hasty });
      expect(first).toMatchObject({ status: 'PENDING', errors: [], transaction: { settlementAmount: -110 } });
      expect(await pay(bob, paymentRequest, 500, { at: hasty })).toEqual(first);
      expect(await pay(carol, paymentRequest, 500)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'INVOICE_BEING_PAID' }] });
      await fixture.release(paymentHash);
      await eventually(async () => (await bob.sats()) === 899);
      expect(await historyOf(bob, paymentHash)).toMatchObject([{ status: 'SUCCESS', settlementAmount: -101, settlementFee: 1 }]);
      expect(await carol.sats()).toBe(1_000);
    });

    it('that failed can be paid with another amount', async () => {
      const bob = await fixture.user({ sats: 1_000 });
      const { paymentRequest, paymentHash } = await outside({ fail: 'no_route' });
      expect(await pay(bob, paymentRequest, 900)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'ROUTE_FINDING_ERROR', message: 'Unable to find a route for payment.' }],
        transaction: { status: 'FAILURE', settlementAmount: -900, settlementFee: 0 },
      });
      expect(await bob.sats()).toBe(1_000);
      await fixture.simulator.setFaults(paymentHash, { routeFeeMsat: 0n });
      expect(await pay(bob, paymentRequest, 300)).toMatchObject(SUCCESS);
      expect(await bob.sats()).toBe(700);
      expect((await historyOf(bob, paymentHash)).map(({ status, settlementAmount }) => [status, settlementAmount])).toEqual([
        ['SUCCESS', -300],
        ['FAILURE', -900],
      ]);
    });
  });

  describe('an idempotency key', () => {
    it('pays once, and is refused for another amount', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
      const { paymentRequest } = await invoiceOf(alice);
      const send = (amount: number): Promise<unknown> =>
        graphql(
          app.url,
          PAY,
          { input: { walletId: bob.wallets.BTC, paymentRequest, amount } },
          { ...bob.as('write'), 'idempotency-key': 'tip' },
        );
      const first = await send(100);
      expect(first).toMatchObject({ data: { lnNoAmountInvoicePaymentSend: SUCCESS } });
      expect(await send(100)).toEqual(first);
      expect(await send(200)).toMatchObject({ errors: [{ extensions: { code: 'IDEMPOTENCY_CONFLICT' } }] });
      expect([await alice.sats(), await bob.sats()]).toEqual([100, 900]);
    });
  });

  const written = (more: object): string =>
    encodeInvoice(
      {
        network: 'regtest',
        amountMsat: null,
        createdAtSeconds: Math.floor(Date.now() / 1000),
        paymentHash: 'cd'.repeat(32),
        paymentSecret: 'ef'.repeat(32),
        description: 'x',
        expirySeconds: 600,
        minFinalCltvExpiryDelta: 80,
        ...more,
      },
      Buffer.alloc(32, 7),
    );

  describe('refusals', () => {
    let bob: Person;
    beforeAll(async () => (bob = await fixture.user({ sats: 1_000 })));
    afterEach(async () => expect(await bob.sats()).toBe(1_000));

    it.each([
      ['for another network', () => written({ network: 'mainnet' }), 'INVOICE_DECODE_ERROR', 'The invoice is for another network'],
      [
        'that states its amount',
        () => written({ amountMsat: 10_000n }),
        'INVALID_INPUT',
        'The invoice states its amount: another one cannot be chosen',
      ],
      ['whose time is over', () => written({ createdAtSeconds: 1_700_000_000 }), 'LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'],
      ['cut short', () => written({}).slice(0, -10), 'INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest'],
    ])('an invoice %s', async (_what, paymentRequest, code, message) => {
      expect(await pay(bob, paymentRequest(), 10)).toEqual(failure(code, message));
    });

    it('an invoice of this server that states its amount, also with that amount', async () => {
      const { paymentRequest } = await (await fixture.user()).invoice(10);
      for (const amount of [10, 11])
        expect(await pay(bob, paymentRequest, amount)).toEqual(
          failure('INVALID_INPUT', 'The invoice states its amount: another one cannot be chosen'),
        );
    });

    it('an invoice without an amount in lnInvoicePaymentSend, of this server or from outside', async () => {
      const alice = await fixture.user();
      for (const { paymentRequest } of [await invoiceOf(alice), await outside()])
        expect(await bob.pay(paymentRequest)).toEqual(failure('INVALID_INPUT', 'The invoice does not state an amount'));
    });

    it.each([[0], ['0'], [0.0]])('an amount of %j', async (amount) => {
      const path = ['input', 'amount'];
      for (const { paymentRequest } of [await invoiceOf(await fixture.user()), await outside()])
        expect(await pay(bob, paymentRequest, amount)).toEqual(failure('INVALID_INPUT', 'A valid satoshi amount is required', path));
    });

    it.each([
      [-1, 'Invalid value for SatAmount'],
      [1.5, 'Invalid value for SatAmount'],
      [MAX_SATS + 1, 'Value too big for SatAmount'],
      ['many', 'Invalid value for SatAmount'],
    ])('an amount of %j: without a status, before execution', async (amount, message) => {
      expect(await pay(bob, written({}), amount)).toEqual({
        status: null,
        errors: [{ code: 'INVALID_INPUT', message, path: ['input', 'amount'] }],
        transaction: null,
      });
    });

    it('wallets of other accounts, unknown ones, or in dollars', async () => {
      const carol = await fixture.user();
      const { paymentRequest } = await outside();
      for (const walletId of [carol.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'])
        expect(await pay(bob, paymentRequest, 1, { walletId })).toEqual(failure('NOT_FOUND', 'Wallet not found', ['input', 'walletId']));
      expect(await pay(bob, paymentRequest, 1, { walletId: bob.wallets.USD })).toEqual(
        failure('INVALID_INPUT', "Unsupported operation for wallet's currency.", ['input', 'walletId']),
      );
    });

    it.each(['read', 'receive'] as const)('a key with %s alone', async (key) => {
      const { paymentRequest } = await outside();
      const { errors } = await graphql(app.url, PAY, { input: { walletId: bob.wallets.BTC, paymentRequest, amount: 1 } }, bob.as(key));
      expect(errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'write' } }]);
    });
  });
});
