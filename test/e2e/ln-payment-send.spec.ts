import type { Faults } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { untilListening } from '../support/event-probe.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql, socketClient, Subscribed } from '../support/graphql.js';
import { TimeTravel } from '../support/time-travel.js';
import { writtenInvoice } from '../support/written-invoice.js';

const OUTCOMES = `subscription { myUpdates { update { ... on PaymentUpdate { status transaction { id status settlementAmount settlementFee settlementVia { ... on SettlementViaLn { preImage } } } } } } }`;
const PAYLOAD = `{ status errors { code message path } transaction { id status direction memo settlementAmount settlementFee
  settlementVia { ... on SettlementViaIntraLedger { preImage counterPartyUsername } } } }`;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { answer: lnInvoicePaymentSend(input: $input) ${PAYLOAD} }`;
const PAY_CHOSEN = `mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) ${PAYLOAD} }`;
const CREATE_OPEN =
  'mutation ($input: LnNoAmountInvoiceCreateInput!) { lnNoAmountInvoiceCreate(input: $input) { invoice { paymentHash paymentRequest } } }';
const HISTORY = `query ($hash: PaymentHash!) { me { defaultAccount { wallets { transactionsByPaymentHash(paymentHash: $hash) {
  id direction status memo settlementAmount settlementFee initiationVia { __typename }
  settlementVia { __typename ... on SettlementViaLn { preImage } ... on SettlementViaIntraLedger { preImage } } } } } } }`;
const INVOICE =
  'query ($wallet: WalletId!, $hash: PaymentHash!) { me { defaultAccount { walletById(walletId: $wallet) { invoiceByPaymentHash(paymentHash: $hash) { __typename paymentStatus } } } } }';
const STATUS =
  'query ($input: LnInvoicePaymentStatusInput!) { status: lnInvoicePaymentStatus(input: $input) { errors { message } status } }';
const IS_CANCELLED = `SELECT FROM simulator.invoice WHERE payment_hash = $1 AND state = 'cancelled'`;

const LEASE_SECONDS = 60;
const DEMO_NOT_FOUND_SECONDS = 60;

interface MadeInvoice {
  readonly paymentHash: string;
  readonly paymentRequest: string;
}
interface Told {
  readonly myUpdates: {
    readonly update: {
      readonly status: string;
      readonly transaction: { readonly id: string; readonly settlementAmount: number; readonly settlementFee: number };
    };
  };
}

describe('lnInvoicePaymentSend and lnNoAmountInvoicePaymentSend', () => {
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

  const openInvoiceOf = async (person: Person, memo?: string): Promise<MadeInvoice> =>
    (await dataOf(app.url, CREATE_OPEN, { input: { walletId: person.wallets.BTC, memo } }, person.as('receive'))).lnNoAmountInvoiceCreate
      .invoice as MadeInvoice;
  /** Pays an invoice with a key that may only send: with an amount, one that states none. */
  const pay = async (
    payer: Person,
    paymentRequest: string,
    amount?: unknown,
    { at = app, ...more }: { walletId?: string; memo?: string; at?: TestApp } = {},
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  ): Promise<any> => {
    const input = { walletId: payer.wallets.BTC, paymentRequest, amount, ...more };
    return (await dataOf(at.url, amount === undefined ? PAY : PAY_CHOSEN, { input }, payer.as('write'))).answer;
  };
  /** Pays, and waits a second at most. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const payHastily = (payer: Person, paymentRequest: string, amount?: number): Promise<any> =>
    pay(payer, paymentRequest, amount, { at: hasty });
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
  const failure = (code: string, message: string, path: readonly string[] | null = ['input', 'paymentRequest']): object => ({
    status: 'FAILURE',
    errors: [{ code, message, path }],
    transaction: null,
  });
  const SUCCESS = { status: 'SUCCESS', errors: [] };
  const PENDING = { status: 'PENDING', errors: [] };
  const PAID = failure('LIGHTNING_PAYMENT_ERROR', 'Invoice is already paid');
  const INSUFFICIENT = failure('INSUFFICIENT_BALANCE', 'The balance does not cover the amount and the fee limit', ['input', 'walletId']);

  it.each<[string, (invoice: string) => string]>([
    ['after its scheme', (invoice) => `lightning:${invoice}`],
    ['after its scheme in capitals', (invoice) => ` LIGHTNING:${invoice.toUpperCase()}\r\n`],
    ['between invisible characters', (invoice) => `\u200b\ufeff${invoice}\u2060 `],
    ['in an address of the chain', (invoice) => `bitcoin:bcrt1qexample?amount=0.000003&lightning=${invoice}`],
  ])('an invoice is paid, found and followed as it was pasted: %s', async (_what, pasted) => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
    const { paymentRequest } = await alice.invoice(300);
    expect(await pay(bob, pasted(paymentRequest))).toMatchObject(SUCCESS);
    const { status } = await dataOf(app.url, STATUS, { input: { paymentRequest: pasted(paymentRequest) } });
    expect(status).toEqual({ errors: [], status: 'PAID' });
    expect(await alice.sats()).toBe(300);
  });

  it('a fraction of a satoshi is not paid, in a variable or in the document', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
    expect(await pay(bob, (await openInvoiceOf(alice)).paymentRequest, 163.2653)).toMatchObject({
      status: 'SUCCESS',
      transaction: { settlementAmount: -163 },
    });
    const input = (amount: string, paymentRequest: string): string =>
      `{ walletId: "${bob.wallets.BTC}", amount: ${amount}, paymentRequest: "${paymentRequest}" }`;
    for (const [amount, status] of [
      ['100.99999999999999999999', 'SUCCESS'],
      ['0.5', 'FAILURE'],
      ['-0.5', null],
    ] as const) {
      const { paymentRequest } = await openInvoiceOf(alice);
      const { answer } = await dataOf(
        app.url,
        `mutation { answer: lnNoAmountInvoicePaymentSend(input: ${input(amount, paymentRequest)}) { status } }`,
        {},
        bob.as('write'),
      );
      expect(answer).toEqual({ status });
    }
    expect([await alice.sats(), await bob.sats()]).toEqual([263, 737]);
  });

  it('an invoice in upper and lower case is not paid: BIP 173 forbids decoding it', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
    const { paymentRequest } = await alice.invoice(300);
    const mixed = `LN${paymentRequest.slice(2)}`;
    for (const text of [mixed, `lightning:${mixed}`, `bitcoin:?lightning=${mixed}`])
      expect(await pay(bob, text)).toMatchObject({ status: null, errors: [{ message: 'Invalid value for LnPaymentRequest' }] });
    expect([await alice.sats(), await bob.sats()]).toEqual([0, 1_000]);
  });

  describe.each([
    ['that states its amount', false],
    ['whose payer chooses the amount', true],
  ])('an invoice %s', (_what, isOpen) => {
    const make = (person: Person, sats: number, memo?: string): Promise<MadeInvoice> =>
      isOpen ? openInvoiceOf(person, memo) : person.invoice(sats, memo);
    const outside = (sats: number, faults: Faults = {}): ReturnType<Fixture['outside']> =>
      fixture.simulator.createOutsideInvoice({ amountMsat: isOpen ? null : BigInt(sats) * 1_000n, memo: 'from outside', faults });
    /** What a payer chooses, where that is possible. */
    const chosen = <Amount>(amount: Amount): Amount | undefined => (isOpen ? amount : undefined);

    describe('of this server', () => {
      it('moves the money at once, without a fee and without the node', async () => {
        const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
        const { paymentRequest, paymentHash } = await make(alice, 300, 'tips');
        await fixture.simulator.setAway(true);
        expect(await pay(bob, paymentRequest, chosen(300), { memo: 'thanks' })).toEqual({
          ...SUCCESS,
          transaction: {
            id: expect.any(String) as string,
            status: 'SUCCESS',
            direction: 'SEND',
            memo: 'thanks',
            settlementAmount: -300,
            settlementFee: 0,
            settlementVia: { preImage: expect.stringMatching(/^[0-9a-f]{64}$/) as string, counterPartyUsername: alice.username },
          },
        });
        await fixture.simulator.setAway(false);
        expect([await alice.sats(), await bob.sats()]).toEqual([300, 700]);
        const settlementVia = { __typename: 'SettlementViaIntraLedger', preImage: expect.stringMatching(/^[0-9a-f]{64}$/) as string };
        const both = { status: 'SUCCESS', settlementFee: 0, initiationVia: { __typename: 'InitiationViaLn' }, settlementVia };
        expect(await historyOf(alice, paymentHash)).toMatchObject([{ ...both, direction: 'RECEIVE', memo: 'tips', settlementAmount: 300 }]);
        expect(await historyOf(bob, paymentHash)).toMatchObject([{ ...both, direction: 'SEND', memo: 'thanks', settlementAmount: -300 }]);
        const { me } = await dataOf(app.url, INVOICE, { wallet: alice.wallets.BTC, hash: paymentHash }, alice.as('read'));
        expect(me.defaultAccount.walletById.invoiceByPaymentHash).toEqual({
          __typename: isOpen ? 'LnNoAmountInvoice' : 'LnInvoice',
          paymentStatus: 'PAID',
        });
        const paid = await fixture.simulator.listPayments();
        expect(paid.filter((payment) => payment.paymentHash === paymentHash)).toEqual([]);
        // The node was away: a job cancels its copy, and an outside payment before that would be credited.
        await eventually(async () => (await app.pool.query(IS_CANCELLED, [paymentHash])).rowCount === 1);
        expect((await fixture.simulator.payOutside(paymentRequest, { amountMsat: chosen(1_000n) })).status).toBe('cancelled');
      });

      it('is paid once in twenty attempts of one payer, whatever the amounts: the repeats get the first transaction', async () => {
        const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 10_000 })];
        const { paymentRequest } = await make(alice, 10);
        const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => pay(bob, paymentRequest, chosen(10 + (i % 3)))));
        expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 'ALREADY_PAID')).toHaveLength(19);
        const first = answers[0].transaction as { settlementAmount: number };
        expect(new Set(answers.map(({ transaction }) => transaction.id)).size).toBe(1);
        expect([await alice.sats(), await bob.sats()]).toEqual([-first.settlementAmount, 10_000 + first.settlementAmount]);
        expect(await pay(bob, paymentRequest, chosen(9_000))).toEqual({ status: 'ALREADY_PAID', errors: [], transaction: first });
      });

      it('is paid by one of several payers, and the others keep their money', async () => {
        const alice = await fixture.user();
        const payers = await Promise.all(Array.from({ length: 5 }, () => fixture.user({ sats: 50 })));
        const { paymentRequest } = await make(alice, 10);
        const answers = await Promise.all(payers.map((payer, i) => pay(payer, paymentRequest, chosen(10 + i))));
        const paid = answers.findIndex(({ status }) => status === 'SUCCESS');
        const sats = chosen(10 + paid) ?? 10;
        expect(answers.filter((_, i) => i !== paid)).toEqual(Array.from({ length: 4 }, () => PAID));
        expect(await Promise.all(payers.map((payer) => payer.sats()))).toEqual(payers.map((_, i) => (i === paid ? 50 - sats : 50)));
        expect(await alice.sats()).toBe(sats);
      });

      it('paid inside and outside at once credits the recipient with both payments', async () => {
        for (let i = 0; i < 5; i++) {
          const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
          const { paymentRequest } = await make(alice, 30);
          const [inside, arrived] = await Promise.all([
            pay(bob, paymentRequest, chosen(30)),
            fixture.simulator.payOutside(paymentRequest, { amountMsat: chosen(500_000n) }),
          ]);
          const [moved, received] = [inside.status === 'SUCCESS' ? 30 : 0, arrived.status === 'paid' ? (chosen(500) ?? 30) : 0];
          expect(moved + received).toBeGreaterThan(0);
          await eventually(async () => (await alice.sats()) === moved + received);
          expect(await bob.sats()).toBe(100 - moved);
        }
      });

      it('that was paid from outside is paid for everyone', async () => {
        const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
        const { paymentRequest } = await make(alice, 5);
        await fixture.simulator.payOutside(paymentRequest, { amountMsat: chosen(5_000n) });
        await eventually(async () => (await alice.sats()) === 5);
        expect(await pay(bob, paymentRequest, chosen(5))).toEqual(PAID);
        expect(await bob.sats()).toBe(100);
      });

      it('can use up the balance to the last satoshi, and not one more', async () => {
        const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
        for (const amount of isOpen ? [101, 10_000_000_000_000] : [101])
          expect(await pay(bob, (await make(alice, amount)).paymentRequest, chosen(amount))).toEqual(INSUFFICIENT);
        expect(await pay(bob, (await make(alice, 100)).paymentRequest, chosen('100'))).toMatchObject(SUCCESS);
        expect(await pay(bob, (await make(alice, 1)).paymentRequest, chosen(1))).toEqual(INSUFFICIENT);
        expect([await alice.sats(), await bob.sats()]).toEqual([100, 0]);
      });

      it('is refused to its owner, expired, and cancelled', async () => {
        const [alice, bob] = [await fixture.user({ sats: 100 }), await fixture.user({ sats: 100 })];
        const [own, expired, cancelled] = [await make(alice, 10), await make(alice, 10), await make(alice, 10)];
        expect(await pay(alice, own.paymentRequest, chosen(10))).toEqual(failure('CANT_PAY_SELF', 'User tried to pay themselves', null));
        await timeTravel.invoice(expired.paymentHash, 86_400);
        expect(await pay(bob, expired.paymentRequest, chosen(10))).toEqual(failure('LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'));
        await app.pool.query(`UPDATE invoice SET state = 'cancelled' WHERE payment_hash = $1`, [cancelled.paymentHash]);
        expect(await pay(bob, cancelled.paymentRequest, chosen(10))).toEqual(
          failure('LIGHTNING_PAYMENT_ERROR', 'The invoice was cancelled'),
        );
        expect([await alice.sats(), await bob.sats()]).toEqual([100, 100]);
        for (const { paymentHash } of [expired, cancelled]) expect(await historyOf(bob, paymentHash)).toEqual([]);
      });
    });

    describe('of an outside node', () => {
      it.each([
        [1_000, 0n, 0],
        [1_000, 4_999n, 5],
        [1_000, 'limit', 10],
        [10_000, 'limit', 50],
        [100_000, 321_001n, 322],
      ] as const)(
        'of %i sats for a route of %s msat costs %i sats, and the rest of the hold is free again',
        async (sats, routeFeeMsat, fee) => {
          const bob = await fixture.user({ sats: 200_000 });
          const { paymentRequest, paymentHash, preimage } = await outside(sats, { routeFeeMsat });
          expect(await pay(bob, paymentRequest, chosen(sats))).toMatchObject({
            ...SUCCESS,
            transaction: { memo: 'from outside', settlementAmount: -sats - fee, settlementFee: fee },
          });
          expect(await bob.sats()).toBe(200_000 - sats - fee);
          expect(await historyOf(bob, paymentHash)).toMatchObject([
            { status: 'SUCCESS', settlementAmount: -sats - fee, settlementFee: fee, settlementVia: { preImage: preimage } },
          ]);
          const sent = (await fixture.simulator.listPayments()).filter((payment) => payment.paymentHash === paymentHash);
          expect(sent).toMatchObject([{ direction: 'out', state: 'settled', amountMsat: BigInt(sats) * 1_000n }]);
        },
      );

      it.each([
        [1_000, 1_010],
        [10_000, 10_050],
      ])('of %i sats requires %i: its amount and the fee limit', async (sats, needed) => {
        const bob = await fixture.user({ sats: needed - 1 });
        const { paymentRequest } = await outside(sats, { routeFeeMsat: 'limit' });
        expect(await pay(bob, paymentRequest, chosen(sats))).toEqual(INSUFFICIENT);
        await fixture.fund(bob, 1);
        expect(await pay(bob, paymentRequest, chosen(sats))).toMatchObject({ ...SUCCESS, transaction: { settlementFee: needed - sats } });
        expect(await bob.sats()).toBe(0);
      });

      it.each([
        ['no_route', 'ROUTE_FINDING_ERROR', 'Unable to find a route for payment.'],
        ['insufficient_liquidity', 'ROUTE_FINDING_ERROR', 'Unable to find a route for payment.'],
        ['rejected', 'LIGHTNING_PAYMENT_ERROR', 'The recipient rejected the payment'],
        ['timeout', 'LIGHTNING_PAYMENT_ERROR', 'The payment timed out; nothing was charged'],
        ['expired', 'LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'],
        ['error', 'LIGHTNING_PAYMENT_ERROR', 'The Lightning node could not send the payment; nothing was charged'],
      ] as const)('that fails for %s returns the error, voids the hold, and can be paid again', async (fail, code, message) => {
        const [bob, carol] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
        const { paymentRequest, paymentHash } = await outside(900, { fail });
        for (const payer of [bob, carol]) {
          expect(await pay(payer, paymentRequest, chosen(900))).toMatchObject({
            status: 'FAILURE',
            errors: [{ code, message }],
            transaction: { status: 'FAILURE', settlementAmount: -900, settlementFee: 0 },
          });
          expect(await payer.sats()).toBe(1_000);
        }
        await fixture.simulator.setFaults(paymentHash, { routeFeeMsat: 0n });
        const second = chosen(300) ?? 900;
        expect(await pay(bob, paymentRequest, chosen(second))).toMatchObject(SUCCESS);
        expect(await bob.sats()).toBe(1_000 - second);
        expect((await historyOf(bob, paymentHash)).map(({ status, settlementAmount }) => [status, settlementAmount])).toEqual([
          ['SUCCESS', -second],
          ['FAILURE', -900],
        ]);
      });

      it('that was paid is ALREADY_PAID to its payer with any amount and balance, and paid to others', async () => {
        const [bob, carol] = [await fixture.user({ sats: 110 }), await fixture.user({ sats: 1_000 })];
        const { paymentRequest } = await outside(100, { routeFeeMsat: 10_000n });
        const { transaction } = await pay(bob, paymentRequest, chosen(100));
        for (const amount of [100, 200])
          expect(await pay(bob, paymentRequest, chosen(amount))).toEqual({ status: 'ALREADY_PAID', errors: [], transaction });
        expect(await pay(carol, paymentRequest, chosen(100))).toEqual(PAID);
        expect([await bob.sats(), await carol.sats()]).toEqual([0, 1_000]);
      });

      it('in flight is PENDING for its payer with any amount, and being paid for others, who see nothing of it', async () => {
        const [bob, carol] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
        const { paymentRequest, paymentHash } = await outside(100, { routeFeeMsat: 1_000n, hold: true });
        const first = await payHastily(bob, paymentRequest, chosen(100));
        expect(first).toMatchObject({ ...PENDING, transaction: { settlementAmount: -110 } });
        expect(await payHastily(bob, paymentRequest, chosen(500))).toEqual(first);
        expect(await pay(carol, paymentRequest, chosen(500))).toEqual(
          failure('INVOICE_BEING_PAID', 'Another account is paying this invoice now; nothing was sent'),
        );
        await fixture.release(paymentHash);
        await eventually(async () => (await bob.sats()) === 899);
        expect(await historyOf(bob, paymentHash)).toMatchObject([{ status: 'SUCCESS', settlementAmount: -101, settlementFee: 1 }]);
        expect(await pay(carol, paymentRequest, chosen(100))).toEqual(PAID);
        expect(await carol.sats()).toBe(1_000);
        expect(await historyOf(carol, paymentHash)).toEqual([]);
      });
    });

    it('is not paid from wallets of other accounts, unknown ones, or in dollars that there are not', async () => {
      const [bob, carol] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 100 })];
      const { paymentRequest } = await outside(10);
      for (const walletId of [carol.wallets.BTC, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'])
        expect(await pay(bob, paymentRequest, chosen(1), { walletId })).toEqual(
          failure('NOT_FOUND', 'Wallet not found', ['input', 'walletId']),
        );
      expect(await pay(bob, paymentRequest, chosen(1), { walletId: bob.wallets.USD })).toEqual(
        isOpen ? failure('INVALID_INPUT', "Unsupported operation for wallet's currency.", ['input', 'walletId']) : INSUFFICIENT,
      );
      expect([await bob.sats(), await carol.sats()]).toEqual([1_000, 100]);
    });
  });

  it('an invoice of this server is accepted in capitals, and in another text with an amount that a stranger chose not paid', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 100 })];
    const { paymentHash } = await openInvoiceOf(alice);
    const MISMATCH = { status: 'FAILURE', errors: [{ code: 'INVOICE_TEXT_MISMATCH' }] };
    expect(await pay(bob, writtenInvoice({ paymentHash, amountMsat: null }), 10)).toMatchObject(MISMATCH);
    expect(await pay(bob, writtenInvoice({ paymentHash, amountMsat: 10_000n }))).toMatchObject(MISMATCH);
    expect(await bob.sats()).toBe(100);
    expect(await pay(bob, (await alice.invoice(100)).paymentRequest.toUpperCase())).toMatchObject(SUCCESS);
  });

  describe('an invoice of an outside node', () => {
    it('with a part of a satoshi is charged in whole ones', async () => {
      const bob = await fixture.user({ sats: 1_000 });
      const outside = await fixture.simulator.createOutsideInvoice({ amountMsat: 100_001n, faults: { routeFeeMsat: 0n } });
      expect(await pay(bob, outside.paymentRequest)).toMatchObject({
        ...SUCCESS,
        transaction: { settlementAmount: -101, settlementFee: expect.any(Number) as number },
      });
      expect(await bob.sats()).toBe(899);
    });

    it('whose route costs more than the fee limit is not paid', async () => {
      const bob = await fixture.user({ sats: 2_000 });
      const outside = await fixture.outside(1_000, { routeFeeMsat: 10_001n });
      expect(await pay(bob, outside.paymentRequest)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'ROUTE_FINDING_ERROR' }] });
      expect(await bob.sats()).toBe(2_000);
    });

    it('for which a broken node takes more than the fee limit: the loss account pays the rest', async () => {
      const bob = await fixture.user({ sats: 2_000 });
      const outside = await fixture.outside(1_000, { routeFeeMsat: 'limit', overchargeMsat: 7_500n });
      expect(await pay(bob, outside.paymentRequest)).toMatchObject({
        ...SUCCESS,
        transaction: { settlementAmount: -1_010, settlementFee: 10 },
      });
      expect(await bob.sats()).toBe(990);
      const { rows } = await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id = -5');
      expect(rows[0]?.posted).toBe(-7_500n);
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
      expect(await historyOf(bob, outside.paymentHash)).toMatchObject([
        { id: payload.transaction.id as string, status: 'PENDING', settlementVia: { preImage: null } },
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
      expect(await pay(bob, settled.paymentRequest)).toMatchObject(SUCCESS);
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
      expect(await pay(bob, outside.paymentRequest)).toMatchObject(SUCCESS);
    });

    it.each([
      ['it did not leave', async (): Promise<Faults> => ({ notSent: true })],
      ['the node was away', async (): Promise<Faults> => (await fixture.simulator.setAway(true), {})],
    ])('is a failure at once, and the hold is void, when it was certainly not sent: %s', async (_what, arrange) => {
      const bob = await fixture.user({ sats: 1_000 });
      const outside = await fixture.outside(100, await arrange());
      expect(await pay(bob, outside.paymentRequest)).toMatchObject({
        status: 'FAILURE',
        errors: [{ code: 'LIGHTNING_PAYMENT_ERROR', message: 'The payment was never sent; nothing was charged', path: null }],
      });
      expect(await bob.sats()).toBe(1_000);
      await fixture.simulator.setAway(false);
      await fixture.simulator.setFaults(outside.paymentHash, { routeFeeMsat: 0n });
      expect(await pay(bob, outside.paymentRequest)).toMatchObject(SUCCESS);
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
      expect(await pay(bob, outside.paymentRequest)).toMatchObject({ ...SUCCESS, transaction: { settlementAmount: -103 } });
      expect((await told.next()).myUpdates.update).toMatchObject({ status: 'SUCCESS' });
      const second = await fixture.outside(50, { routeFeeMsat: 0n });
      await pay(bob, second.paymentRequest);
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

  it('an idempotency key pays once, and is refused for another amount', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
    const { paymentRequest } = await openInvoiceOf(alice);
    const send = (amount: number): Promise<unknown> => {
      const input = { walletId: bob.wallets.BTC, paymentRequest, amount };
      return graphql(app.url, PAY_CHOSEN, { input }, { ...bob.as('write'), 'idempotency-key': 'tip' });
    };
    const first = await send(100);
    expect(first).toMatchObject({ data: { answer: SUCCESS } });
    expect(await send(100)).toEqual(first);
    expect(await send(200)).toMatchObject({ errors: [{ extensions: { code: 'IDEMPOTENCY_CONFLICT' } }] });
    expect([await alice.sats(), await bob.sats()]).toEqual([100, 900]);
  });
});
