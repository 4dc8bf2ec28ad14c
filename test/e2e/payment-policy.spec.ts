import { Injectable } from '@nestjs/common';
import {
  AccountService,
  InvoiceService,
  PaymentPolicy,
  PaymentService,
  type InvoiceIntent,
  type PaymentIntent,
  type PaymentVeto,
  type RegistrationIntent,
} from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';

type Verdict = PaymentVeto | undefined;

/** What the policy was asked, and what it answers. */
let asked: PaymentIntent[] = [];
let judge: (intent: PaymentIntent) => Promise<Verdict>;
let invoices: InvoiceIntent[] = [];
let judgeInvoice: (intent: InvoiceIntent) => Promise<Verdict>;
let registrations: RegistrationIntent[] = [];
let judgeRegistration: (intent: RegistrationIntent) => Promise<Verdict>;

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

  override async findInvoiceVeto(intent: InvoiceIntent): Promise<Verdict> {
    invoices.push(intent);
    if (!(await this.accounts.findWallet(intent.walletId))) throw new Error('This wallet is unknown');
    return judgeInvoice(intent);
  }

  override findRegistrationVeto(intent: RegistrationIntent): Promise<Verdict> {
    registrations.push(intent);
    return judgeRegistration(intent);
  }
}

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) {
  status errors { message code } transaction { id } } }`;
const ADDRESS = `mutation ($input: LnAddressPaymentSendInput!) { sent: lnAddressPaymentSend(input: $input) {
  status errors { message code } transaction { id } } }`;
const LNURL = `mutation ($input: LnurlPaymentSendInput!) { sent: lnurlPaymentSend(input: $input) {
  status errors { message code } transaction { id } } }`;
const lnurlpOf = (address: string): string => address.replace(/(.*)@(.*)/, '$2/.well-known/lnurlp/$1');
const MADE = '{ errors { message code } invoice { paymentHash } }';
const OWN = `mutation ($input: LnInvoiceCreateInput!) { made: lnInvoiceCreate(input: $input) ${MADE} }`;
const WITHOUT_AMOUNT = `mutation ($input: LnNoAmountInvoiceCreateInput!) { made: lnNoAmountInvoiceCreate(input: $input) ${MADE} }`;
const IN_DOLLARS = `mutation ($input: LnUsdInvoiceCreateInput!) { made: lnUsdInvoiceCreate(input: $input) ${MADE} }`;
const FOR_OTHER = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) {
  made: lnInvoiceCreateOnBehalfOfRecipient(input: $input) ${MADE} }`;
const VETO = { code: 'OFFICE_CLOSED', message: 'Payments are made on weekdays' };

describe('a payment policy', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp({ paymentPolicy: TestPolicy });
    fixture = new Fixture(app);
    judge = judgeInvoice = judgeRegistration = async () => undefined;
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
  });
  beforeEach(() => {
    [asked, invoices, registrations] = [[], [], []];
    judge = judgeInvoice = judgeRegistration = async () => undefined;
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
        lnAddress: null,
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
    const begun = payments.pay(payer, { paymentRequest });
    const isInFlight = "SELECT FROM payment WHERE payment_hash = $1 AND state = 'in_flight'";
    await eventually(async () => (await app.pool.query(isInFlight, [paymentHash])).rowCount === 1);
    judge = async () => VETO;
    expect(await payments.pay(payer, { paymentRequest })).toMatchObject({ kind: 'pending' });
    await fixture.release(paymentHash);
    const outcome = await begun;
    expect(outcome).toMatchObject({ kind: 'settled' });
    expect(await payments.pay(payer, { paymentRequest })).toEqual(outcome);
    expect(await payments.pay({ ...payer, attempt: 'another attempt' }, { paymentRequest })).toEqual({ kind: 'vetoed', ...VETO });
  });

  it.each([
    ['a Lightning address as it is typed', (address: string) => [ADDRESS, { lnAddress: ` lightning:${address.toUpperCase()} ` }] as const],
    ['the LNURL of one', (address: string) => [LNURL, { lnurl: `lnurlp://${lnurlpOf(address)}` }] as const],
    ['the address in a field for an LNURL', (address: string) => [LNURL, { lnurl: address }] as const],
  ])('knows the address of the payee: %s', async (_, typed) => {
    const address = `${bob.username}@${new URL(app.url).host}`;
    const [document, text] = typed(address);
    const payBob = async (): Promise<unknown> => {
      const data = await dataOf(app.url, document, { input: { walletId: alice.wallets.BTC, amount: 3, ...text } }, alice.as('write'));
      return data['sent'];
    };
    expect(await payBob()).toMatchObject({ status: 'SUCCESS' });
    expect(asked).toEqual([expect.objectContaining({ lnAddress: address, rail: 'lightning', amountMsat: 3_000n })]);
    judge = async ({ lnAddress }) => (lnAddress === address ? VETO : undefined);
    expect(await payBob()).toMatchObject({ status: 'FAILURE', errors: [VETO] });
  });

  describe('is asked about invoices', () => {
    const countInvoices = async (): Promise<number> => (await app.pool.query('SELECT FROM invoice')).rowCount ?? 0;
    const callback = async (): Promise<unknown> => {
      const url = `${app.url}/.well-known/lnurlp/${bob.username}/callback?amount=7000&comment=Tea`;
      return (await fetch(url)).json();
    };
    const forOther = async (): Promise<unknown> =>
      (await dataOf(app.url, FOR_OTHER, { input: { recipientWalletId: bob.wallets.BTC, amount: 6 } }))['made'];
    const own = async (): Promise<unknown> =>
      (await dataOf(app.url, OWN, { input: { walletId: bob.wallets.BTC, amount: 5, memo: 'Rent' } }, bob.as('receive')))['made'];
    const atPage = async (): Promise<Visit> => {
      const browser = new BrowserSession(app.url);
      await browser.signInOnTheWay(await browser.get('/dashboard'), { email: bob.email, password: PASSWORD });
      const page = await browser.get('/dashboard/receive');
      return browser.post('/dashboard/receive', { ...hiddenFields(page), amount: '8', unit: 'sats', memo: '', wallet: 'BTC' });
    };

    it('by whom and for whom, before they are made', async () => {
      const before = await countInvoices();
      judgeInvoice = async () => {
        expect(await countInvoices()).toBe(before + invoices.length - 1);
        return undefined;
      };
      for (const made of [await own(), await forOther()])
        expect(made).toMatchObject({ errors: [], invoice: { paymentHash: expect.anything() as unknown } });
      expect(await callback()).toMatchObject({ pr: expect.stringMatching(/^lnbcrt/) as unknown });
      expect((await atPage()).status).toBe(303);
      const recipient = { walletId: bob.wallets.BTC, userId: bob.userId, amountCents: null };
      expect(invoices).toEqual([
        {
          ...recipient,
          principal: expect.objectContaining({ kind: 'api-key', userId: bob.userId }) as unknown,
          amountMsat: 5_000n,
          memo: 'Rent',
          byLnurl: false,
        },
        {
          ...recipient,
          principal: expect.objectContaining({ kind: 'anonymous', userId: null }) as unknown,
          amountMsat: 6_000n,
          memo: null,
          byLnurl: false,
        },
        { ...recipient, principal: null, amountMsat: 7_000n, memo: 'Tea', byLnurl: true },
        {
          ...recipient,
          principal: expect.objectContaining({ kind: 'session', userId: bob.userId }) as unknown,
          amountMsat: 8_000n,
          memo: null,
          byLnurl: false,
        },
      ]);
    });

    it('in dollars by what the payer pays and what the wallet gets', async () => {
      const data = await dataOf(app.url, IN_DOLLARS, { input: { walletId: bob.wallets.USD, amount: 150 } }, bob.as('receive'));
      expect(data['made']).toMatchObject({ errors: [], invoice: {} });
      expect(invoices).toEqual([
        expect.objectContaining({ walletId: bob.wallets.USD, amountCents: 150n, amountMsat: expect.any(BigInt) as unknown }),
      ]);
      judgeInvoice = async ({ amountMsat }) => (amountMsat === null ? VETO : undefined);
      const open = await dataOf(app.url, WITHOUT_AMOUNT, { input: { walletId: bob.wallets.BTC } }, bob.as('receive'));
      expect(open['made']).toEqual({ errors: [VETO], invoice: null });
    });

    it('and refuses them at every door with its own code and words; none is made', async () => {
      judgeInvoice = async () => VETO;
      const before = await countInvoices();
      for (const made of [await own(), await forOther()]) expect(made).toEqual({ errors: [VETO], invoice: null });
      expect(await callback()).toEqual({ status: 'ERROR', reason: VETO.message });
      const page = await atPage();
      expect([page.status, page.text.includes(VETO.message)]).toEqual([422, true]);
      const input = { walletId: alice.wallets.BTC, amount: 3, lnAddress: `${bob.username}@${new URL(app.url).host}` };
      expect((await dataOf(app.url, ADDRESS, { input }, alice.as('write')))['sent']).toMatchObject({
        status: 'FAILURE',
        transaction: null,
      });
      expect(await countInvoices()).toBe(before);
    });

    it('and refuses them when it fails', async () => {
      judgeInvoice = () => Promise.reject(new Error('no rules for invoices'));
      const before = await countInvoices();
      expect(await own()).toMatchObject({ errors: [{ code: 'SERVICE_UNAVAILABLE' }], invoice: null });
      expect(await countInvoices()).toBe(before);
      const line = app.logs.find((each) => each.includes('no rules for invoices'));
      expect(line).toContain('payment_policy_failed');
      expect(line).toContain(bob.wallets.BTC);
    });

    it('and does not deny a retry what the first call has made', async () => {
      const params = { walletId: bob.wallets.BTC, userId: bob.userId, amountSats: 9, attempt: 'an invoice under one name' };
      const first = await app.get(InvoiceService).create(params);
      judgeInvoice = async () => VETO;
      expect(await app.get(InvoiceService).create(params)).toMatchObject({
        kind: 'created',
        invoice: first.kind === 'created' && { paymentHash: first.invoice.paymentHash },
      });
      expect(await app.get(InvoiceService).create({ ...params, attempt: 'another name' })).toEqual({ kind: 'vetoed', ...VETO });
    });
  });

  describe('is asked about registrations', () => {
    const register = async (fields: Readonly<Record<string, string>>): Promise<Visit> => {
      const browser = new BrowserSession(app.url);
      return browser.post('/register', { ...hiddenFields(await browser.get('/login')), password: PASSWORD, ...fields });
    };
    const isStored = async (username: string): Promise<boolean> =>
      ((await app.pool.query('SELECT FROM app_user WHERE username = $1', [username])).rowCount ?? 0) > 0;
    const codeOf = ({ text }: Visit): string | undefined => /data-code="([A-Z_]+)"/.exec(text)?.[1];

    it('that are valid, before the person is stored', async () => {
      judgeRegistration = async ({ username }) => {
        expect(await isStored(username)).toBe(false);
        return undefined;
      };
      expect((await register({ email: 'Newcomer@Example.test', username: 'Newcomer' })).status).toBe(303);
      expect(registrations).toEqual([{ email: 'newcomer@example.test', username: 'newcomer', address: '127.0.0.1' }]);
      expect(await isStored('newcomer')).toBe(true);
      expect((await register({ email: 'no address', username: 'wrong_mail' })).status).toBe(422);
      expect(registrations).toHaveLength(1);
    });

    it('and refuses them, a known e-mail in the same way', async () => {
      judgeRegistration = async ({ email }) => (email.endsWith('@example.test') ? VETO : undefined);
      const pages = [
        await register({ email: 'stranger@example.test', username: 'stranger' }),
        await register({ email: alice.email, username: 'stranger' }),
      ];
      for (const page of pages) expect([page.status, codeOf(page), page.text.includes(VETO.message)]).toEqual([422, VETO.code, true]);
      expect(await isStored('stranger')).toBe(false);
    });

    it('and refuses them when it fails; what operators do passes', async () => {
      judgeRegistration = () => Promise.reject(new Error('no rules for people'));
      const page = await register({ email: 'late@example.test', username: 'latecomer' });
      expect([page.status, codeOf(page)]).toEqual([422, 'SERVICE_UNAVAILABLE']);
      expect(await isStored('latecomer')).toBe(false);
      expect(app.logs.filter((line) => line.includes('no rules for people'))).toHaveLength(1);
      expect((await fixture.user()).userId).toEqual(expect.any(String));
    });
  });
});
