import { encodeInvoice } from '../../src/money/lightning/bolt11/index.js';
import type { Faults } from '../../src/money/lightning/index.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';
import { untilListening } from '../support/event-probe.js';
import { Fixture, type Person } from '../support/fixture.js';

const OUTCOMES = `subscription { myUpdates { update { ... on PaymentUpdate { status transaction { id status settlementAmount settlementFee settlementVia { ... on SettlementViaLn { preImage } } } } } } }`;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message path } transaction { id status direction settlementAmount settlementFee } } }`;
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) { id status settlementAmount settlementFee settlementVia { ... on SettlementViaLn { preImage } } } } } } }`;

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

describe('lnInvoicePaymentSend', () => {
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

    it('paid inside and outside at once credits the recipient with both payments', async () => {
      for (let i = 0; i < 5; i++) {
        const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
        const { paymentRequest } = await alice.invoice(100);
        const [inside, outside] = await Promise.all([bob.pay(paymentRequest), fixture.simulator.payOutside(paymentRequest)]);
        const payments = Number(inside.status === 'SUCCESS') + Number(outside.status === 'paid');
        expect(payments).toBeGreaterThan(0);
        await eventually(async () => (await alice.sats()) === 100 * payments);
        expect(await bob.sats()).toBe(inside.status === 'SUCCESS' ? 0 : 100);
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

    const KEY = Buffer.alloc(32, 7);
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
        KEY,
      );

    it.each([
      ['for another network', () => written({ network: 'mainnet' }), 'INVOICE_DECODE_ERROR', 'The invoice is for another network'],
      [
        'for another network, though like ours',
        () => written({ network: 'testnet' }),
        'INVOICE_DECODE_ERROR',
        'The invoice is for another network',
      ],
      ['without an amount', () => written({ amountMsat: null }), 'INVALID_INPUT', 'The invoice does not state an amount'],
      ['whose time is over', () => written({ createdAtSeconds: 1_700_000_000 }), 'LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'],
      [
        'with a letter changed',
        () => written({}).replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
        'INVOICE_DECODE_ERROR',
        'Invalid value for LnPaymentRequest',
      ],
      ['cut short', () => written({}).slice(0, -10), 'INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest'],
      ['that is no invoice', () => 'lnurl1dp68gurn8ghj7um9wfmxjcm99e3k7mf0', 'INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest'],
    ])('an invoice %s', async (_what, paymentRequest, code, message) => {
      expect(await bob.pay(paymentRequest())).toEqual({ ...failure(code, message, ['input', 'paymentRequest']), transaction: null });
    });

    it.each([
      ['nothing', ''],
      ['a word', 'invoice'],
      ['lightning: before it', 'lightning:lnbcrt1x'],
      ['spaces', ' lnbcrt1x'],
      ['a novel', `lnbcrt${'a'.repeat(7_084)}`],
      ['NUL', 'ln\0'],
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

  it('shows the transaction to a key that may only write, and requires that scope', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
    const { paymentRequest } = await alice.invoice(10);
    const document = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status transaction { settlementVia { ... on SettlementViaIntraLedger { preImage counterPartyUsername } } } } }`;
    const variables = { input: { walletId: bob.wallets.BTC, paymentRequest } };
    for (const key of ['read', 'receive'] as const) {
      const { data, errors } = await graphql(app.url, document, variables, bob.as(key));
      expect(data).toBeNull();
      expect(errors).toMatchObject([
        { message: 'not authorized to execute mutations', extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'write' } },
      ]);
    }
    expect(await bob.sats()).toBe(100);
    const { lnInvoicePaymentSend } = await dataOf(app.url, document, variables, bob.as('write'));
    expect(lnInvoicePaymentSend).toEqual({
      status: 'SUCCESS',
      transaction: { settlementVia: { preImage: expect.stringMatching(/^[0-9a-f]{64}$/) as string, counterPartyUsername: alice.username } },
    });
  });
});
