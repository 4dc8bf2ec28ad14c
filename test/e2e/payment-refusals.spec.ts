import { PaymentService, type Payer } from '../../src/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { Payouts } from '../support/payouts.js';
import { writtenInvoice } from '../support/written-invoice.js';
import { dataOf } from '../support/graphql.js';

const REUSED = { kind: 'refused', reason: 'attempt_reused' };
const PAYLOAD = '{ status errors { code message path } transaction { id } }';
const PAY = `mutation ($input: LnInvoicePaymentInput!) { answer: lnInvoicePaymentSend(input: $input) ${PAYLOAD} }`;
const PAY_CHOSEN = `mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) ${PAYLOAD} }`;
const CREATE_OPEN =
  'mutation ($input: LnNoAmountInvoiceCreateInput!) { answer: lnNoAmountInvoiceCreate(input: $input) { invoice { paymentRequest } } }';
const MAX_SATS = 10_000_000_000_000;

let app: TestApp;
let fixture: Fixture;
let payouts: Payouts;
beforeAll(async () => {
  app = await createTestApp({ env: { ACCOUNT_LIMITS: 'none' } });
  fixture = new Fixture(app);
  payouts = new Payouts(app);
  await payouts.fund(1_000_000, 1_000_000);
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

describe('the name of a payment attempt', () => {
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    alice = await fixture.user({ sats: 1_000 });
    bob = await fixture.user({ sats: 1_000 });
  });

  const payerOf = ({ userId, wallets }: Person, attempt?: string): Payer => ({
    userId,
    walletId: wallets.BTC,
    principal: { kind: 'external', id: 'an extension', userId, scopes: new Set() },
    attempt,
  });
  const payments = (): PaymentService => app.get(PaymentService);

  it('is of one payment: another amount, recipient or wallet under it is refused, and nothing moves', async () => {
    const carol = await fixture.user();
    const first = await payments().pay(payerOf(alice, 'loyalty:1'), { recipientWalletId: bob.wallets.BTC, amountSats: 3 });
    expect(first).toMatchObject({ kind: 'settled' });
    expect(await payments().pay(payerOf(alice, 'loyalty:1'), { recipientWalletId: bob.wallets.BTC, amountSats: 3 })).toEqual(first);
    expect(await payments().pay(payerOf(alice, 'loyalty:1'), { recipientWalletId: bob.wallets.BTC, amountSats: 30 })).toEqual(REUSED);
    expect(await payments().pay(payerOf(alice, 'loyalty:1'), { recipientWalletId: carol.wallets.BTC, amountSats: 3 })).toEqual(REUSED);
    expect(await payments().pay(payerOf(bob, 'loyalty:1'), { recipientWalletId: alice.wallets.BTC, amountSats: 3 })).toEqual(REUSED);
    const { paymentRequest } = await carol.invoice(3);
    expect(await payments().pay(payerOf(alice, 'loyalty:1'), { paymentRequest })).toEqual(REUSED);
    expect([await alice.sats(), await bob.sats(), await carol.sats()]).toEqual([997, 1_003, 0]);
    expect(await payments().findEarlier(payerOf(bob, 'loyalty:1'))).toBeUndefined();
  });

  it('is of one payment also for calls that come together', async () => {
    const [before, other] = [await alice.sats(), await bob.sats()];
    const outcomes = await Promise.all(
      [3, 4, 3, 4].map((sats) => payments().pay(payerOf(alice, 'loyalty:2'), { recipientWalletId: bob.wallets.BTC, amountSats: sats })),
    );
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['refused', 'refused', 'settled', 'settled']);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toEqual([REUSED, REUSED]);
    expect((await alice.sats()) + (await bob.sats())).toBe(before + other);
  });

  it('is of one payment to a bitcoin address too', async () => {
    const dave = await fixture.user({ sats: 100_000 });
    const [address, other] = [payouts.outside(), payouts.outside()];
    const order = { address, amountSats: 20_000, speed: 'FAST' } as const;
    const inside = await payments().pay(payerOf(dave, 'payroll:1'), { recipientWalletId: bob.wallets.BTC, amountSats: 3 });
    expect(inside).toMatchObject({ kind: 'settled' });
    expect(await payments().pay(payerOf(dave, 'payroll:1'), order)).toEqual(REUSED);
    const first = await payments().pay(payerOf(dave, 'payroll:2'), order);
    expect(first).toMatchObject({ kind: 'queued' });
    expect(await payments().pay(payerOf(dave, 'payroll:2'), { ...order, address: address.toUpperCase() })).toEqual(first);
    for (const change of [{ address: other }, { amountSats: 20_001 }, { amountSats: 0.5 }])
      expect(await payments().pay(payerOf(dave, 'payroll:2'), { ...order, ...change })).toEqual(REUSED);
    const all = await payments().pay(payerOf(dave, 'payroll:3'), { address, speed: 'FAST' });
    expect(all).toMatchObject({ kind: 'queued' });
    expect(await payments().pay(payerOf(dave, 'payroll:3'), { address, speed: 'FAST' })).toEqual(all);
    expect(await payments().pay(payerOf(dave, 'payroll:3'), { address: other, speed: 'FAST' })).toEqual(REUSED);
    expect(await dave.sats()).toBe(0);
  });

  it('is not empty, and amounts and wallets that cannot be are refused by a reason', async () => {
    await expect(payments().pay(payerOf(alice, ''), { recipientWalletId: bob.wallets.BTC, amountSats: 3 })).rejects.toThrow(
      'The name of a payment attempt is empty',
    );
    for (const amount of [0, -1, 1.5, NaN, Infinity, 2 ** 60])
      expect(await payments().pay(payerOf(alice), { recipientWalletId: bob.wallets.BTC, amountSats: amount })).toEqual({
        kind: 'refused',
        reason: 'invalid_amount',
      });
    expect(await payments().pay(payerOf(alice), { recipientWalletId: 'x', amountSats: 3 })).toEqual({
      kind: 'refused',
      reason: 'unknown_recipient',
    });
    expect(await payments().pay({ ...payerOf(alice), walletId: 'x' }, { recipientWalletId: bob.wallets.BTC, amountSats: 3 })).toEqual({
      kind: 'refused',
      reason: 'unknown_wallet',
    });
    await expect(
      payments().pay({ ...payerOf(alice), memo: 'a\0b' }, { recipientWalletId: bob.wallets.BTC, amountSats: 3 }),
    ).rejects.toThrow('NUL');
  });
});

describe('lnInvoicePaymentSend and lnNoAmountInvoicePaymentSend refuse', () => {
  let payer: Person;
  beforeAll(async () => (payer = await fixture.user({ sats: 1_000 })));
  afterEach(async () => expect(await payer.sats()).toBe(1_000));

  /** Pays an invoice: with an amount, one that states none. */
  const pay = async (paymentRequest: string, amount?: unknown): Promise<unknown> => {
    const input = { walletId: payer.wallets.BTC, paymentRequest, amount };
    return (await dataOf(app.url, amount === undefined ? PAY : PAY_CHOSEN, { input }, payer.as('write'))).answer;
  };
  const openInvoice = async (): Promise<{ paymentRequest: string }> => {
    const owner = await fixture.user();
    const { answer } = await dataOf(app.url, CREATE_OPEN, { input: { walletId: owner.wallets.BTC } }, owner.as('receive'));
    return answer.invoice as { paymentRequest: string };
  };
  const failure = (code: string, message: string, path: readonly string[] | null = ['input', 'paymentRequest']): object => ({
    status: 'FAILURE',
    errors: [{ code, message, path }],
    transaction: null,
  });
  const OTHER_NETWORK = ['INVOICE_DECODE_ERROR', 'The invoice is for another network'] as const;
  const ILLEGIBLE = ['INVOICE_DECODE_ERROR', 'Invalid value for LnPaymentRequest'] as const;
  const EXPIRED = ['LIGHTNING_PAYMENT_ERROR', 'The invoice has expired'] as const;
  const STATES_NONE = ['INVALID_INPUT', 'The invoice does not state an amount'] as const;
  const STATES_ONE = ['INVALID_INPUT', 'The invoice states its amount: another one cannot be chosen'] as const;
  const changed = (last: string): string => (last === 'q' ? 'p' : 'q');

  it.each<[string, () => string | Promise<string>, readonly [string, string], number?]>([
    ['for another network', () => writtenInvoice({ network: 'mainnet' }), OTHER_NETWORK],
    ['for another network, though like ours', () => writtenInvoice({ network: 'testnet' }), OTHER_NETWORK],
    ['for another network, with a chosen amount', () => writtenInvoice({ network: 'mainnet', amountMsat: null }), OTHER_NETWORK, 10],
    ['whose time is over', () => writtenInvoice({ createdAtSeconds: 1_700_000_000 }), EXPIRED],
    ['whose time is over, with a chosen amount', () => writtenInvoice({ createdAtSeconds: 1_700_000_000, amountMsat: null }), EXPIRED, 10],
    ['with a letter changed', () => writtenInvoice().replace(/.$/, changed), ILLEGIBLE],
    ['cut short', () => writtenInvoice().slice(0, -10), ILLEGIBLE],
    ['cut short, with a chosen amount', () => writtenInvoice({ amountMsat: null }).slice(0, -10), ILLEGIBLE, 10],
    ['that is no invoice', () => 'lnurl1dp68gurn8ghj7um9wfmxjcm99e3k7mf0', ILLEGIBLE],
    ['without an amount', () => writtenInvoice({ amountMsat: null }), STATES_NONE],
    ['without an amount, of this server', async () => (await openInvoice()).paymentRequest, STATES_NONE],
    ['that states its amount', () => writtenInvoice({ amountMsat: 10_000n }), STATES_ONE, 10],
    ['that states its amount, of this server', async () => (await (await fixture.user()).invoice(10)).paymentRequest, STATES_ONE, 10],
    ['that states another amount', async () => (await (await fixture.user()).invoice(10)).paymentRequest, STATES_ONE, 11],
  ])('an invoice %s', async (_what, paymentRequest, [code, message], ...[amount]) => {
    expect(await pay(await paymentRequest(), amount)).toEqual(failure(code, message));
  });

  it.each([
    ['nothing', ''],
    ['a word', 'invoice'],
    ['lightning: alone', 'lightning:'],
    ['in upper and lower case', 'LNBCRT1x'],
    ['an address of the chain', 'bitcoin:bcrt1qexample?amount=1'],
    ['of two lines', 'lnbcrt1x\nlnbcrt1x'],
    ['a novel', `lnbcrt${'a'.repeat(7_084)}`],
    ['NUL', 'ln\0'],
  ])('text that is %s: without a status, before execution', async (_what, paymentRequest) => {
    expect(await pay(paymentRequest)).toEqual({
      status: null,
      errors: [{ code: 'INVALID_INPUT', message: 'Invalid value for LnPaymentRequest', path: ['input', 'paymentRequest'] }],
      transaction: null,
    });
  });

  it.each([
    [-1, 'Invalid value for SatAmount'],
    ['1.5', 'Invalid value for SatAmount'],
    [-0.5, 'Invalid value for SatAmount'],
    [MAX_SATS + 1, 'Value too big for SatAmount'],
    ['many', 'Invalid value for SatAmount'],
  ])('an amount of %j: without a status, before execution', async (amount, message) => {
    expect(await pay(writtenInvoice({ amountMsat: null }), amount)).toEqual({
      status: null,
      errors: [{ code: 'INVALID_INPUT', message, path: ['input', 'amount'] }],
      transaction: null,
    });
  });

  it.each([[0], ['0'], [0.0], [0.5]])('an amount of %j', async (amount) => {
    const refused = failure('INVALID_INPUT', 'A valid satoshi amount is required', ['input', 'amount']);
    const outside = await fixture.simulator.createOutsideInvoice({ amountMsat: null });
    for (const { paymentRequest } of [await openInvoice(), outside]) expect(await pay(paymentRequest, amount)).toEqual(refused);
  });

  it('an amount beyond all balances', async () => {
    expect(await pay(writtenInvoice({ amountMsat: 2_100_000_000_000_000_000n }))).toMatchObject({
      status: 'FAILURE',
      errors: [{ code: expect.stringMatching(/INSUFFICIENT_BALANCE|INVALID_INPUT/) as string }],
    });
  });
});
