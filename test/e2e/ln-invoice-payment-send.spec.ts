import { encodeInvoice } from '../../src/money/lightning/bolt11/index.js';
import type { Faults, OutsideInvoice } from '../../src/money/lightning/index.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';
import { untilListening } from '../support/event-probe.js';
import { Fixture, type Person } from '../support/fixture.js';

const OUTCOMES = `subscription { myUpdates { update { ... on PaymentUpdate { status transaction { id status settlementAmount settlementFee settlementVia { ... on SettlementViaLn { preImage } } } } } } }`;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message path } transaction { id status direction settlementAmount settlementFee } } }`;
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) { id status settlementAmount settlementFee settlementVia { ... on SettlementViaLn { preImage } } } } } } }`;

const CREATE_WITHOUT_AMOUNT =
  'mutation ($input: LnNoAmountInvoiceCreateInput!) { made: lnNoAmountInvoiceCreate(input: $input) { invoice { paymentHash paymentRequest } } }';
const PAY_AMOUNT = `mutation ($input: LnNoAmountInvoicePaymentInput!) { paid: lnNoAmountInvoicePaymentSend(input: $input) { status errors { code message path }
  transaction { id status direction memo settlementAmount settlementFee } } }`;
const SIDES = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) {
  direction status memo settlementAmount settlementFee initiationVia { __typename } settlementVia { __typename ... on SettlementViaIntraLedger { preImage } } } } } } }`;
const MAX_SATS = 10_000_000_000_000;
const LEASE_SECONDS = 60;
const DEMO_NOT_FOUND_SECONDS = 60;

interface Told {
  readonly myUpdates: {
    readonly update: {
      readonly status: string;
      readonly transaction: { readonly id: string; readonly settlementAmount: number; readonly settlementFee: number };
    };
  };
}

describe('the payment of an invoice', () => {
  let app: TestApp;
  /** Another process of the same installation, which waits only a second for an outcome. */
  let hasty: TestApp;
  let fixture: Fixture;
  let timeTravel: TimeTravel;

  beforeAll(async () => {
    const reconciling = { RECONCILE_AFTER_SECONDS: '0', PAYMENT_LEASE_SECONDS: String(LEASE_SECONDS) };
    const env = { ACCOUNT_LIMITS: 'none', ...reconciling };
    app = await createTestApp({ env });
    hasty = await createTestApp({ beside: app, env: { ...env, PAYMENT_WAIT_SECONDS: '1' } });
    [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
  });
  afterEach(async () => {
    await fixture.simulator.setAway(false);
    await fixture.expectBalanced();
  });
  afterAll(async () => {
    await hasty.close();
    await app.close();
  });

  /** A person's transactions with this payment hash, newest first. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const historyOf = async (person: Person, hash: string): Promise<any[]> =>
    (await dataOf(app.url, HISTORY, { hash }, person.as('read'))).me.defaultAccount.wallets[0].transactionsByPaymentHash;
  /** Subscribes to the outcomes of a person's payments; the subscription ends with the test. */
  const outcomesOf = async (person: Person): Promise<Subscribed<Told>> => {
    let told: Subscribed<Told> | undefined;
    await untilListening(app, 'transaction.changed', person.accountId, () => {
      told = new Subscribed<Told>(socketClient(app.url, person.as('read')), OUTCOMES);
    });
    if (!told) throw new Error('No socket listens');
    return told;
  };
  const is = async (condition: string, paymentHash: string): Promise<boolean> =>
    (await app.pool.query(`SELECT 1 FROM payment WHERE payment_hash = $1 AND ${condition}`, [paymentHash])).rowCount === 1;
  const seen = (paymentHash: string): Promise<boolean> => eventually(() => is('seen_in_flight', paymentHash));
  /** Pays, and waits a second at most. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const payHastily = async (payer: Person, paymentRequest: string): Promise<any> =>
    (await dataOf(hasty.url, PAY, { input: { walletId: payer.wallets.BTC, paymentRequest } }, payer.as('write'))).lnInvoicePaymentSend;
  const invoiceOf = async (person: Person, memo?: string): Promise<{ paymentHash: string; paymentRequest: string }> =>
    (await dataOf(app.url, CREATE_WITHOUT_AMOUNT, { input: { walletId: person.wallets.BTC, memo } }, person.as('receive'))).made
      .invoice as { paymentHash: string; paymentRequest: string };
  const pay = async (
    payer: Person,
    paymentRequest: string,
    amount: unknown,
    { walletId = payer.wallets.BTC, memo, at = app }: { walletId?: string; memo?: string; at?: TestApp } = {},
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  ): Promise<any> => (await dataOf(at.url, PAY_AMOUNT, { input: { walletId, paymentRequest, amount, memo } }, payer.as('write'))).paid;
  const written = (more: object): string =>
    encodeInvoice(
      {
        network: 'regtest',
        amountMsat: 1_000n,
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
  const failure = (code: string, message: string, path: readonly string[] | null = null): object => ({
    status: 'FAILURE',
    errors: [{ code, message, path }],
  });
  const SUCCESS = { status: 'SUCCESS', errors: [] };
  const PENDING = { status: 'PENDING', errors: [] };
  const NO_ROUTE = failure('ROUTE_FINDING_ERROR', 'Unable to find a route for payment.');

  describe('an invoice of this server', () => {
    it('moves the money at once, without a fee and without the node', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
      const { paymentRequest, paymentHash } = await alice.invoice(1_000);
      expect(await bob.pay(paymentRequest)).toEqual({
        ...SUCCESS,
        transaction: { id: expect.any(String) as string, status: 'SUCCESS', direction: 'SEND', settlementAmount: -1_000, settlementFee: 0 },
      });
      expect([await alice.sats(), await bob.sats()]).toEqual([1_000, 0]);
      const paid = await fixture.simulator.listPayments();
      expect(paid.filter((payment) => payment.paymentHash === paymentHash)).toEqual([]);
      await eventually(async () => (await fixture.simulator.payOutside(paymentRequest)).status === 'cancelled');
    });

    it('is accepted in capitals', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      expect(await bob.pay((await alice.invoice(100)).paymentRequest.toUpperCase())).toMatchObject(SUCCESS);
    });

    it('is paid while the node is unavailable', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      const { paymentRequest } = await alice.invoice(100);
      await fixture.simulator.setAway(true);
      expect(await bob.pay(paymentRequest)).toMatchObject(SUCCESS);
      await fixture.simulator.setAway(false);
      expect(await alice.sats()).toBe(100);
    });

    it('is paid once in thirty attempts of one payer', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
      const { paymentRequest } = await alice.invoice(10);
      const answers = await Promise.all(Array.from({ length: 30 }, () => bob.pay(paymentRequest)));
      expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 'ALREADY_PAID')).toHaveLength(29);
      expect(new Set(answers.map(({ transaction }) => transaction.id)).size).toBe(1);
      expect([await alice.sats(), await bob.sats()]).toEqual([10, 990]);
    });

    it('is paid by one of many payers, and the others keep their money', async () => {
      const alice = await fixture.user();
      const payers = await Promise.all(Array.from({ length: 5 }, () => fixture.user({ sats: 50 })));
      const { paymentRequest } = await alice.invoice(50);
      const answers = await Promise.all(payers.map((payer) => payer.pay(paymentRequest)));
      expect(answers.map(({ status }) => status).sort()).toEqual(['FAILURE', 'FAILURE', 'FAILURE', 'FAILURE', 'SUCCESS']);
      for (const answer of answers)
        if (answer.status === 'FAILURE')
          expect(answer).toEqual({
            ...failure('LIGHTNING_PAYMENT_ERROR', 'Invoice is already paid', ['input', 'paymentRequest']),
            transaction: null,
          });
      expect((await Promise.all(payers.map((payer) => payer.sats()))).sort()).toEqual([0, 50, 50, 50, 50]);
      expect(await alice.sats()).toBe(50);
    });

    it('paid inside and outside at once credits the recipient with both payments, whether it states the amount or not', async () => {
      for (let i = 0; i < 6; i++) {
        const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
        const { paymentRequest } = i % 2 ? await alice.invoice(100) : await invoiceOf(alice);
        const [inside, outside] = await Promise.all([
          i % 2 ? bob.pay(paymentRequest) : pay(bob, paymentRequest, 100),
          fixture.simulator.payOutside(paymentRequest, i % 2 ? {} : { amountMsat: 500_000n }),
        ]);
        const [moved, arrived] = [inside.status === 'SUCCESS' ? 100 : 0, outside.status === 'paid' ? (i % 2 ? 100 : 500) : 0];
        expect(moved + arrived).toBeGreaterThan(0);
        await eventually(async () => (await alice.sats()) === moved + arrived);
        expect(await bob.sats()).toBe(100 - moved);
      }
    });

    it.each([
      ['expired', (hash: string) => timeTravel.invoice(hash, 86_400), 'The invoice has expired'],
      [
        'cancelled',
        (hash: string) => app.pool.query(`UPDATE invoice SET state = 'cancelled' WHERE payment_hash = $1`, [hash]),
        'The invoice was cancelled',
      ],
    ] as const)('is refused once it is %s', async (_state, change, message) => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      const { paymentRequest, paymentHash } = await alice.invoice(100);
      await change(paymentHash);
      expect(await bob.pay(paymentRequest)).toEqual({
        ...failure('LIGHTNING_PAYMENT_ERROR', message, ['input', 'paymentRequest']),
        transaction: null,
      });
      expect(await bob.sats()).toBe(100);
      expect(await historyOf(bob, paymentHash)).toEqual([]);
    });

    it('is refused to its owner', async () => {
      const alice = await fixture.user({ sats: 100 });
      expect(await alice.pay((await alice.invoice(10)).paymentRequest)).toEqual({
        ...failure('CANT_PAY_SELF', 'User tried to pay themselves'),
        transaction: null,
      });
      expect(await alice.sats()).toBe(100);
    });

    it('can use up the balance to the last satoshi, and not one more', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      expect(await bob.pay((await alice.invoice(101)).paymentRequest)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INSUFFICIENT_BALANCE' }],
        transaction: null,
      });
      expect(await bob.pay((await alice.invoice(100)).paymentRequest)).toMatchObject(SUCCESS);
      expect(await bob.pay((await alice.invoice(1)).paymentRequest)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INSUFFICIENT_BALANCE' }],
      });
    });
  });

  describe('an invoice of an outside node', () => {
    it.each([
      [1_000, 4_999n, 5],
      [1_000, 0n, 0],
      [100_000, 321_001n, 322],
    ])('of %i sats for a route of %i msat costs %i sats, and the rest of the hold is free again', async (sats, routeFeeMsat, fee) => {
      const bob = await fixture.user({ sats: 200_000 });
      const outside = await fixture.outside(sats, { routeFeeMsat });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject({
        ...SUCCESS,
        transaction: { settlementAmount: -sats - fee, settlementFee: fee },
      });
      expect(await bob.sats()).toBe(200_000 - sats - fee);
      expect(await historyOf(bob, outside.paymentHash)).toMatchObject([
        { status: 'SUCCESS', settlementAmount: -sats - fee, settlementFee: fee, settlementVia: { preImage: outside.preimage } },
      ]);
    });

    it.each([
      [1_000, 1_010],
      [10_000, 10_050],
    ])('of %i sats requires %i: its amount and the fee limit', async (sats, needed) => {
      const bob = await fixture.user({ sats: needed - 1 });
      const outside = await fixture.outside(sats, { routeFeeMsat: 'limit' });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INSUFFICIENT_BALANCE', path: ['input', 'walletId'] }],
        transaction: null,
      });
      await fixture.fund(bob, 1);
      expect(await bob.pay(outside.paymentRequest)).toMatchObject({ ...SUCCESS, transaction: { settlementFee: needed - sats } });
      expect(await bob.sats()).toBe(0);
    });

    it('with a part of a satoshi is charged in whole ones', async () => {
      const bob = await fixture.user({ sats: 1_000 });
      const outside = await fixture.simulator.createOutsideInvoice({ amountMsat: 100_001n, faults: { routeFeeMsat: 0n } });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject({
        ...SUCCESS,
        transaction: { settlementAmount: -101, settlementFee: expect.any(Number) as number },
      });
      expect(await bob.sats()).toBe(899);
    });

    it('whose route costs more than the fee limit is not paid', async () => {
      const bob = await fixture.user({ sats: 2_000 });
      const outside = await fixture.outside(1_000, { routeFeeMsat: 10_001n });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject(NO_ROUTE);
      expect(await bob.sats()).toBe(2_000);
    });

    it('for which a broken node takes more than the fee limit: the loss account pays the rest', async () => {
      const bob = await fixture.user({ sats: 2_000 });
      const outside = await fixture.outside(1_000, { routeFeeMsat: 'limit', overchargeMsat: 7_500n });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject({
        ...SUCCESS,
        transaction: { settlementAmount: -1_010, settlementFee: 10 },
      });
      expect(await bob.sats()).toBe(990);
      const { rows } = await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id = -5');
      expect(rows[0]?.posted).toBe(-7_500n);
    });

    it.each([
      ['no_route', 'ROUTE_FINDING_ERROR', 'Unable to find a route for payment.'],
      ['insufficient_liquidity', 'ROUTE_FINDING_ERROR', 'Unable to find a route for payment.'],
      ['rejected', 'LIGHTNING_PAYMENT_ERROR', 'The recipient rejected the payment'],
      ['timeout', 'LIGHTNING_PAYMENT_ERROR', 'The payment timed out; nothing was charged'],
      ['expired', 'LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'],
      ['error', 'LIGHTNING_PAYMENT_ERROR', 'The Lightning node could not send the payment; nothing was charged'],
    ] as const)('that fails for %s returns the error, voids the hold, and can be paid again', async (fail, code, message) => {
      const bob = await fixture.user({ sats: 1_000 });
      const outside = await fixture.outside(100, { fail });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code, message }],
        transaction: { status: 'FAILURE', settlementAmount: -100, settlementFee: 0 },
      });
      expect(await bob.sats()).toBe(1_000);
      await fixture.simulator.setFaults(outside.paymentHash, { routeFeeMsat: 0n });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject(SUCCESS);
      expect(await bob.sats()).toBe(900);
      expect((await historyOf(bob, outside.paymentHash)).map(({ status }) => status)).toEqual(['SUCCESS', 'FAILURE']);
    });

    it('that was paid is ALREADY_PAID to its payer, whatever the balance', async () => {
      const bob = await fixture.user({ sats: 110 });
      const outside = await fixture.outside(100, { routeFeeMsat: 10_000n });
      const first = await bob.pay(outside.paymentRequest);
      for (let i = 0; i < 3; i++)
        expect(await bob.pay(outside.paymentRequest)).toEqual({ status: 'ALREADY_PAID', errors: [], transaction: first.transaction });
      expect(await bob.sats()).toBe(0);
    });

    it('that another account pays or has paid is refused, without that account’s transaction', async () => {
      const [bob, carol] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
      const outside = await fixture.outside(100, { hold: true });
      const PAID = { ...failure('LIGHTNING_PAYMENT_ERROR', 'Invoice is already paid', ['input', 'paymentRequest']), transaction: null };
      const BEING_PAID = {
        ...failure('INVOICE_BEING_PAID', 'Another account is paying this invoice now; nothing was sent', ['input', 'paymentRequest']),
        transaction: null,
      };
      const first = bob.pay(outside.paymentRequest);
      await eventually(async () => (await bob.sats()) === 890);
      expect(await carol.pay(outside.paymentRequest)).toEqual(BEING_PAID);
      await fixture.release(outside.paymentHash);
      expect(await first).toMatchObject(SUCCESS);
      expect(await carol.pay(outside.paymentRequest)).toEqual(PAID);
      expect(await carol.sats()).toBe(1_000);
      expect(await historyOf(carol, outside.paymentHash)).toEqual([]);
    });

    it('that failed for one account can be paid by another', async () => {
      const [bob, carol] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
      const outside = await fixture.outside(100, { fail: 'no_route' });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject(NO_ROUTE);
      await fixture.simulator.setFaults(outside.paymentHash, {});
      expect(await carol.pay(outside.paymentRequest)).toMatchObject(SUCCESS);
      expect(await bob.sats()).toBe(1_000);
    });
  });

  describe('an outcome that is not known at once', () => {
    it.each([
      ['settled in the end', undefined, 'SUCCESS'],
      ['failed in the end', 'rejected', 'FAILURE'],
    ] as const)('%s: PENDING, in the history at once, and pushed at the end', async (_what, reason, outcome) => {
      const bob = await fixture.user({ sats: 1_000 });
      const told = await outcomesOf(bob);
      const outside = await fixture.outside(100, { routeFeeMsat: 2_000n, hold: true });
      const payload = await payHastily(bob, outside.paymentRequest);
      expect(payload).toMatchObject({ ...PENDING, transaction: { status: 'PENDING', settlementAmount: -110, settlementFee: 10 } });
      expect(await bob.sats()).toBe(890);
      expect(await historyOf(bob, outside.paymentHash)).toEqual([
        expect.objectContaining({ id: payload.transaction.id as string, status: 'PENDING', settlementVia: { preImage: null } }),
      ]);
      expect(await payHastily(bob, outside.paymentRequest)).toEqual({ ...PENDING, transaction: payload.transaction });
      // From here on the node has acknowledged this attempt, so its answers are about this one and no other.
      await seen(outside.paymentHash);
      await fixture.release(outside.paymentHash, reason);
      const { update } = (await told.next()).myUpdates;
      const [amount, fee] = outcome === 'SUCCESS' ? [-102, 2] : [-100, 0];
      expect(update).toEqual({
        status: outcome,
        transaction: {
          id: payload.transaction.id,
          status: outcome,
          settlementAmount: amount,
          settlementFee: fee,
          settlementVia: { preImage: outcome === 'SUCCESS' ? outside.preimage : null },
        },
      });
      expect(await bob.sats()).toBe(outcome === 'SUCCESS' ? 898 : 1_000);
      if (outcome === 'SUCCESS') expect(await payHastily(bob, outside.paymentRequest)).toMatchObject({ status: 'ALREADY_PAID' });
    });

    it('is no failure when the answer was lost: the outcome is booked', async () => {
      const bob = await fixture.user({ sats: 1_000 });
      const settled = await fixture.outside(100, { dropResponse: true, delayMs: 300, routeFeeMsat: 0n });
      expect(await bob.pay(settled.paymentRequest)).toMatchObject(SUCCESS);
      const failed = await fixture.outside(100, { dropResponse: true, fail: 'rejected' });
      // That failure may be about an earlier attempt, so the node has to report it twice.
      expect(await payHastily(bob, failed.paymentRequest)).toMatchObject(PENDING);
      await timeTravel.payment(failed.paymentHash, LEASE_SECONDS);
      await eventually(async () => {
        await timeTravel.paymentIsDue(failed.paymentHash);
        return is('not_found_at IS NOT NULL', failed.paymentHash);
      });
      expect(await bob.sats()).toBe(790);
      await timeTravel.payment(failed.paymentHash, LEASE_SECONDS);
      await eventually(async () => (await bob.sats()) === 900);
      expect(await historyOf(bob, failed.paymentHash)).toMatchObject([{ status: 'FAILURE' }]);
    });

    it('stays PENDING to its payer while the node is unavailable: a repeat never returns PAYMENT_NOT_SENT', async () => {
      const bob = await fixture.user({ sats: 1_000 });
      const outside = await fixture.outside(100, { hold: true, routeFeeMsat: 0n });
      const first = await payHastily(bob, outside.paymentRequest);
      await fixture.simulator.setAway(true);
      expect(await payHastily(bob, outside.paymentRequest)).toEqual({ ...PENDING, transaction: first.transaction });
      await fixture.release(outside.paymentHash);
      await fixture.simulator.setAway(false);
      await eventually(async () => (await bob.sats()) === 900);
      await fixture.simulator.setAway(true);
      expect(await payHastily(bob, outside.paymentRequest)).toMatchObject({ status: 'ALREADY_PAID' });
    });

    it('is PENDING when the call never reached the node, until the node has not found it for a lease', async () => {
      const bob = await fixture.user({ sats: 1_000 });
      const outside = await fixture.outside(100, { lost: true });
      const told = await outcomesOf(bob);
      expect(await payHastily(bob, outside.paymentRequest)).toMatchObject(PENDING);
      await timeTravel.payment(outside.paymentHash, LEASE_SECONDS);
      await eventually(async () => {
        await timeTravel.paymentIsDue(outside.paymentHash);
        return is('not_found_at IS NOT NULL', outside.paymentHash);
      });
      expect(await bob.sats()).toBe(890);
      await timeTravel.payment(outside.paymentHash, DEMO_NOT_FOUND_SECONDS);
      expect((await told.next()).myUpdates.update).toMatchObject({ status: 'FAILURE' });
      expect(await bob.sats()).toBe(1_000);
      await fixture.simulator.setFaults(outside.paymentHash, { routeFeeMsat: 0n });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject(SUCCESS);
    });

    it.each([
      ['it did not leave', async (): Promise<Faults> => ({ notSent: true })],
      ['the node was away', async (): Promise<Faults> => (await fixture.simulator.setAway(true), {})],
    ])('is a failure at once, and the hold is void, when it was certainly not sent: %s', async (_what, arrange) => {
      const bob = await fixture.user({ sats: 1_000 });
      const outside = await fixture.outside(100, await arrange());
      expect(await bob.pay(outside.paymentRequest)).toMatchObject(
        failure('LIGHTNING_PAYMENT_ERROR', 'The payment was never sent; nothing was charged'),
      );
      expect(await bob.sats()).toBe(1_000);
      await fixture.simulator.setAway(false);
      await fixture.simulator.setFaults(outside.paymentHash, { routeFeeMsat: 0n });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject(SUCCESS);
    });

    it.each([
      ['sent twice', { duplicateEvent: true }],
      ['sent before the answer', { responseDelayMs: 300 }],
      ['sent late', { eventDelayMs: 300 }],
      ['lost with a broken stream', { disconnect: true }],
      ['sent with every fault', { duplicateEvent: true, responseDelayMs: 300, eventDelayMs: 200, disconnect: true, delayMs: 200 }],
    ] as const)('is booked once when the event is %s', async (_what, faults) => {
      const bob = await fixture.user({ sats: 1_000 });
      const told = await outcomesOf(bob);
      const outside = await fixture.outside(100, { routeFeeMsat: 3_000n, ...faults });
      expect(await bob.pay(outside.paymentRequest)).toMatchObject({ ...SUCCESS, transaction: { settlementAmount: -103 } });
      expect((await told.next()).myUpdates.update).toMatchObject({ status: 'SUCCESS' });
      const second = await fixture.outside(50, { routeFeeMsat: 0n });
      await bob.pay(second.paymentRequest);
      expect((await told.next()).myUpdates.update.transaction.settlementAmount).toBe(-50);
      expect(await bob.sats()).toBe(1_000 - 103 - 50);
    });

    it('is booked right for each payment in a burst with faults', async () => {
      const payers = await Promise.all(Array.from({ length: 4 }, () => fixture.user({ sats: 10_000 })));
      const kinds: Faults[] = [
        {},
        { fail: 'no_route' },
        { delayMs: 200 },
        { dropResponse: true },
        { delayMs: 300, fail: 'timeout' },
        { duplicateEvent: true },
        { dropResponse: true, delayMs: 100, fail: 'rejected' },
        { routeFeeMsat: 'limit' },
      ];
      const invoices = await Promise.all(
        Array.from({ length: 24 }, (_, i) => fixture.outside(20 + i, { routeFeeMsat: 1_000n, ...kinds[i % kinds.length] })),
      );
      await Promise.all(
        invoices.flatMap(({ paymentRequest }, i) =>
          [0, 1].map(async (shift) => payHastily(payers[(i + shift) % 4] as Person, paymentRequest)),
        ),
      );
      // A failure whose answer was lost counts after the lease and a second report of the node.
      await eventually(async () => {
        const { rows } = await app.pool.query<{ payment_hash: string }>(`SELECT payment_hash FROM payment WHERE state = 'in_flight'`);
        for (const { payment_hash: paymentHash } of rows) await timeTravel.payment(paymentHash, LEASE_SECONDS);
        return rows.length === 0;
      });
      for (const payer of payers) {
        const { rows } = await app.pool.query<{ spent: bigint }>(
          `SELECT coalesce(sum(amount), 0)::int8 AS spent FROM transaction WHERE wallet_id = $1 AND status = 'SUCCESS'`,
          [payer.wallets.BTC],
        );
        expect(BigInt(await payer.sats())).toBe((rows[0]?.spent ?? 0n) / 1_000n);
      }
    });
  });

  describe('refusals', () => {
    let bob: Person;
    beforeAll(async () => (bob = await fixture.user({ sats: 1_000 })));
    afterEach(async () => expect(await bob.sats()).toBe(1_000));

    it.each([
      ['for another network', () => written({ network: 'mainnet' }), 'INVOICE_DECODE_ERROR', 'The invoice is for another network'],
      ['without an amount', () => written({ amountMsat: null }), 'INVALID_INPUT', 'The invoice does not state an amount'],
      ['whose time is over', () => written({ createdAtSeconds: 1_700_000_000 }), 'LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'],
      [
        'with a letter changed',
        () => written({}).replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
        'INVOICE_DECODE_ERROR',
        'Invalid value for LnPaymentRequest',
      ],
      ['cut short', () => written({}).slice(0, -10), 'INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest'],
    ])('an invoice %s', async (_what, paymentRequest, code, message) => {
      expect(await bob.pay(paymentRequest())).toEqual({ ...failure(code, message, ['input', 'paymentRequest']), transaction: null });
    });

    it.each([
      ['lightning: before it', 'lightning:lnbcrt1x'],
      ['a novel', `lnbcrt${'a'.repeat(7_084)}`],
    ])('text that is %s: without a status, before execution', async (_what, paymentRequest) => {
      expect(await bob.pay(paymentRequest)).toEqual({
        status: null,
        errors: [{ code: 'INVALID_INPUT', message: 'Invalid value for LnPaymentRequest', path: ['input', 'paymentRequest'] }],
        transaction: null,
      });
    });

    it('an amount beyond all balances', async () => {
      expect(await bob.pay(written({ amountMsat: 2_100_000_000_000_000_000n }))).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: expect.stringMatching(/INSUFFICIENT_BALANCE|INVALID_INPUT/) as string }],
      });
    });

    it('wallets of other accounts, unknown ones, or without dollars', async () => {
      const carol = await fixture.user({ sats: 100 });
      const outside = await fixture.outside(10);
      const send = async (walletId: string): Promise<unknown> => {
        const document =
          'mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message path } transaction { id } } }';
        return (await dataOf(app.url, document, { input: { walletId, paymentRequest: outside.paymentRequest } }, bob.as('write')))
          .lnInvoicePaymentSend;
      };
      for (const walletId of [carol.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f']) {
        expect(await send(walletId)).toEqual({
          ...failure('NOT_FOUND', 'Wallet not found', ['input', 'walletId']),
          transaction: null,
        });
      }
      expect(await send(bob.wallets.USD)).toEqual({
        ...failure('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and the fee limit', ['input', 'walletId']),
        transaction: null,
      });
      expect(await carol.sats()).toBe(100);
    });
  });

  it('shows the transaction to a key that may only write', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
    const { paymentRequest } = await alice.invoice(10);
    const document = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status transaction { settlementVia { ... on SettlementViaIntraLedger { preImage counterPartyUsername } } } } }`;
    const variables = { input: { walletId: bob.wallets.BTC, paymentRequest } };
    const { lnInvoicePaymentSend } = await dataOf(app.url, document, variables, bob.as('write'));
    expect(lnInvoicePaymentSend).toEqual({
      status: 'SUCCESS',
      transaction: { settlementVia: { preImage: expect.stringMatching(/^[0-9a-f]{64}$/) as string, counterPartyUsername: alice.username } },
    });
  });

  describe('that states no amount', () => {
    let bob: Person;
    beforeAll(async () => (bob = await fixture.user({ sats: 1_000 })));

    const outside = (faults: Faults = {}): Promise<OutsideInvoice> =>
      fixture.simulator.createOutsideInvoice({ amountMsat: null, memo: 'from outside', faults });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
    const sidesOf = async (person: Person, hash: string): Promise<any[]> =>
      (await dataOf(app.url, SIDES, { hash }, person.as('read'))).me.defaultAccount.wallets[0].transactionsByPaymentHash;
    const refused = (code: string, message: string, path: readonly string[] | null = ['input', 'paymentRequest']): object => ({
      ...failure(code, message, path),
      transaction: null,
    });
    const PAID = refused('LIGHTNING_PAYMENT_ERROR', 'Invoice is already paid');

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
      expect(await sidesOf(alice, paymentHash)).toEqual([{ ...both, direction: 'RECEIVE', memo: 'tips', settlementAmount: 300 }]);
      expect(await sidesOf(bob, paymentHash)).toEqual([{ ...both, direction: 'SEND', memo: 'thanks', settlementAmount: -300 }]);
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
      const payers = await Promise.all(Array.from({ length: 3 }, () => fixture.user({ sats: 50 })));
      const { paymentRequest } = await invoiceOf(alice);
      const answers = await Promise.all(payers.map((payer, i) => pay(payer, paymentRequest, 10 + i)));
      const paid = answers.findIndex(({ status }) => status === 'SUCCESS');
      expect(answers.filter((_, i) => i !== paid)).toEqual(Array.from({ length: 2 }, () => PAID));
      expect(await Promise.all(payers.map((payer) => payer.sats()))).toEqual(payers.map((_, i) => (i === paid ? 40 - i : 50)));
      expect(await alice.sats()).toBe(10 + paid);
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
          refused('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and the fee limit', ['input', 'walletId']),
        );
      expect(await pay(bob, paymentRequest, '100')).toMatchObject(SUCCESS);
      expect([await alice.sats(), await bob.sats()]).toEqual([100, 0]);
    });

    it('is refused to its owner, expired, and cancelled', async () => {
      const [alice, bob] = [await fixture.user({ sats: 100 }), await fixture.user({ sats: 100 })];
      const [own, expired, cancelled] = [await invoiceOf(alice), await invoiceOf(alice), await invoiceOf(alice)];
      expect(await pay(alice, own.paymentRequest, 10)).toEqual(refused('CANT_PAY_SELF', 'User tried to pay themselves', null));
      await timeTravel.invoice(expired.paymentHash, 86_400);
      expect(await pay(bob, expired.paymentRequest, 10)).toEqual(refused('LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'));
      await app.pool.query(`UPDATE invoice SET state = 'cancelled' WHERE payment_hash = $1`, [cancelled.paymentHash]);
      expect(await pay(bob, cancelled.paymentRequest, 10)).toEqual(refused('LIGHTNING_PAYMENT_ERROR', 'The invoice was cancelled'));
      expect([await alice.sats(), await bob.sats()]).toEqual([100, 100]);
    });

    it('in another text, with an amount that a stranger chose, is not paid', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
      const { paymentHash } = await invoiceOf(alice);
      expect(await pay(bob, written({ amountMsat: null, paymentHash }), 10)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INVOICE_TEXT_MISMATCH' }],
      });
      expect(await bob.pay(written({ paymentHash, amountMsat: 10_000n }))).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'INVOICE_TEXT_MISMATCH' }],
      });
      expect(await bob.sats()).toBe(100);
    });

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
      expect(await sidesOf(bob, paymentHash)).toMatchObject([{ status: 'SUCCESS', settlementAmount: -101, settlementFee: 1 }]);
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
      expect((await sidesOf(bob, paymentHash)).map(({ status, settlementAmount }) => [status, settlementAmount])).toEqual([
        ['SUCCESS', -300],
        ['FAILURE', -900],
      ]);
    });

    it('is paid once under an idempotency key, which is refused for another amount', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
      const { paymentRequest } = await invoiceOf(alice);
      const send = (amount: number): Promise<unknown> =>
        graphql(
          app.url,
          PAY_AMOUNT,
          { input: { walletId: bob.wallets.BTC, paymentRequest, amount } },
          { ...bob.as('write'), 'idempotency-key': 'tip' },
        );
      const first = await send(100);
      expect(first).toMatchObject({ data: { paid: SUCCESS } });
      expect(await send(100)).toEqual(first);
      expect(await send(200)).toMatchObject({ errors: [{ extensions: { code: 'IDEMPOTENCY_CONFLICT' } }] });
      expect([await alice.sats(), await bob.sats()]).toEqual([100, 900]);
    });

    it.each([
      ['for another network', { network: 'mainnet' }, 'INVOICE_DECODE_ERROR', 'The invoice is for another network'],
      ['that states its amount', { amountMsat: 10_000n }, 'INVALID_INPUT', 'The invoice states its amount: another one cannot be chosen'],
      ['whose time is over', { createdAtSeconds: 1_700_000_000 }, 'LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'],
    ])('is refused if it is one %s', async (_what, more, code, message) => {
      expect(await pay(bob, written({ amountMsat: null, ...more }), 10)).toEqual(refused(code, message));
    });

    it('is refused if it states its amount, also with that amount', async () => {
      const { paymentRequest } = await (await fixture.user()).invoice(10);
      for (const amount of [10, 11])
        expect(await pay(bob, paymentRequest, amount)).toEqual(
          refused('INVALID_INPUT', 'The invoice states its amount: another one cannot be chosen'),
        );
    });

    it('is refused by lnInvoicePaymentSend, of this server or from outside', async () => {
      const alice = await fixture.user();
      for (const { paymentRequest } of [await invoiceOf(alice), await outside()])
        expect(await bob.pay(paymentRequest)).toEqual(refused('INVALID_INPUT', 'The invoice does not state an amount'));
    });

    it.each([[0], ['0']])('is refused for the amount %j', async (amount) => {
      const path = ['input', 'amount'];
      for (const { paymentRequest } of [await invoiceOf(await fixture.user()), await outside()])
        expect(await pay(bob, paymentRequest, amount)).toEqual(refused('INVALID_INPUT', 'A valid satoshi amount is required', path));
    });

    it('is refused for wallets of other accounts, unknown ones, or in dollars', async () => {
      const carol = await fixture.user();
      const { paymentRequest } = await outside();
      for (const walletId of [carol.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'])
        expect(await pay(bob, paymentRequest, 1, { walletId })).toEqual(refused('NOT_FOUND', 'Wallet not found', ['input', 'walletId']));
      expect(await pay(bob, paymentRequest, 1, { walletId: bob.wallets.USD })).toEqual(
        refused('INVALID_INPUT', "Unsupported operation for wallet's currency.", ['input', 'walletId']),
      );
    });
  });
});
