import { Injectable } from '@nestjs/common';
import { AccountService, PaymentPolicy, PaymentService, type PaymentIntent, type PaymentVeto } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';

type Verdict = PaymentVeto | undefined;

/** What the policy was asked, and what it answers. */
let asked: PaymentIntent[] = [];
let judge: (intent: PaymentIntent) => Promise<Verdict>;

@Injectable()
class TestPolicy extends PaymentPolicy {
  constructor(private readonly accounts: AccountService) {
    super();
  }

  override async findVeto(intent: PaymentIntent): Promise<Verdict> {
    asked.push(intent);
    if (!(await this.accounts.findWallet(intent.walletId))) throw new Error('This wallet is unknown');
    return judge(intent);
  }
}

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) {
  status errors { message code } transaction { id } } }`;
const VETO = { code: 'OFFICE_CLOSED', message: 'Payments are made on weekdays' };

describe('a payment policy', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp({ paymentPolicy: TestPolicy });
    fixture = new Fixture(app);
    judge = async () => undefined;
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
  });
  beforeEach(() => {
    asked = [];
    judge = async () => undefined;
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const heldMsat = async (): Promise<bigint> => {
    const { rows } = await app.pool.query<{ held: string }>('SELECT coalesce(sum(held), 0)::text AS held FROM ledger_account');
    return BigInt(rows[0]?.held ?? 0);
  };

  const send = async (amount: number): Promise<unknown> => {
    const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount };
    return (await dataOf(app.url, SEND, { input }, alice.as('write'))).intraLedgerPaymentSend;
  };

  it('is asked who pays whom how much, before anything is held', async () => {
    judge = async () => {
      expect(await heldMsat()).toBe(0n);
      return undefined;
    };
    const { paymentRequest, paymentHash } = await fixture.outside(100);
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(asked).toEqual([
      {
        principal: expect.objectContaining({ userId: alice.userId }) as unknown,
        walletId: alice.wallets.BTC,
        rail: 'lightning',
        amountMsat: 100_000n,
        feeLimitMsat: 10_000n,
        payee: { nodeId: expect.stringMatching(/^0[23][0-9a-f]{64}$/) as unknown },
        paymentHash,
        memo: 'from outside',
      },
    ]);
    expect(await send(10)).toMatchObject({ status: 'SUCCESS' });
    expect(asked[1]).toMatchObject({ rail: 'intraledger', amountMsat: 10_000n, payee: { walletId: bob.wallets.BTC } });
  });

  it('refuses with its own code and words; no money moves', async () => {
    judge = async ({ amountMsat }) => (amountMsat > 50_000n ? VETO : undefined);
    const before = await alice.sats();
    const { paymentRequest } = await fixture.outside(60);
    const invoice = await bob.invoice(60);
    for (const answer of [
      (await alice.pay(paymentRequest)) as unknown,
      (await alice.pay(invoice.paymentRequest)) as unknown,
      await send(60),
    ])
      expect(answer).toMatchObject({ status: 'FAILURE', transaction: null, errors: [VETO] });
    expect(await alice.sats()).toBe(before);
    expect(await send(50)).toMatchObject({ status: 'SUCCESS' });
  });

  it('that fails refuses the payment, and the operator reads why', async () => {
    judge = () => Promise.reject(new Error('its rules are not there'));
    const before = await alice.sats();
    expect(await send(5)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'PAYMENT_NOT_SENT' }] });
    expect(await alice.sats()).toBe(before);
    expect(app.logs.filter((line) => line.includes('payment_policy_failed'))).toEqual([expect.stringContaining('its rules are not there')]);
  });

  it('that never answers refuses the payment in bounded time', async () => {
    judge = () => new Promise(() => undefined);
    expect(await send(5)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'PAYMENT_NOT_SENT' }] });
  });

  it('that refuses a retry does not deny what the first call has done', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(20, { hold: true });
    const first = asked.length;
    await send(1);
    const payer = {
      userId: alice.userId,
      walletId: alice.wallets.BTC,
      principal: asked[first]?.principal as PaymentIntent['principal'],
      attempt: 'the same attempt',
    };
    const payments = app.get(PaymentService);
    const begun = payments.payInvoice(payer, paymentRequest);
    const isInFlight = "SELECT FROM payment WHERE payment_hash = $1 AND state = 'in_flight'";
    await eventually(async () => (await app.pool.query(isInFlight, [paymentHash])).rowCount === 1);
    judge = async () => VETO;
    expect(await payments.payInvoice(payer, paymentRequest)).toMatchObject({ kind: 'pending' });
    await fixture.release(paymentHash);
    const outcome = await begun;
    expect(outcome).toMatchObject({ kind: 'settled' });
    expect(await payments.payInvoice(payer, paymentRequest)).toEqual(outcome);
    expect(await payments.payInvoice({ ...payer, attempt: 'another attempt' }, paymentRequest)).toEqual({ kind: 'vetoed', ...VETO });
  });
});
