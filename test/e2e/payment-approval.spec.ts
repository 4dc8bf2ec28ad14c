import { AppService } from '../../src/access/oauth/index.js';
import { decodeInvoice } from '../../src/money/lightning/index.js';
import { ApprovalStore } from '../../src/money/payment/approval.store.js';
import { PayoutFees } from '../../src/money/payment/payout/payout-fees.js';
import { lnurlOf } from '../../src/money/lnurl/lnurl-text.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { BrowserSession, hiddenFields, type Visit } from '../support/browser-session.js';
import { Fixture, PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, type CredentialHeaders } from '../support/graphql.js';
import { LnurlService } from '../support/lnurl-service.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { EAGER, Payouts } from '../support/payouts.js';
import { Updates } from '../support/updates.js';
import { WalletClient } from '../support/wallet-client.js';

const PAYLOAD = '{ status errors { code } approval { id expiresAt } transaction { id status settlementAmount } }';
const INPUTS = {
  lnInvoicePaymentSend: 'LnInvoicePaymentInput',
  lnNoAmountInvoicePaymentSend: 'LnNoAmountInvoicePaymentInput',
  lnAddressPaymentSend: 'LnAddressPaymentSendInput',
  lnurlPaymentSend: 'LnurlPaymentSendInput',
  intraLedgerPaymentSend: 'IntraLedgerPaymentSendInput',
  onChainPaymentSend: 'OnChainPaymentSendInput',
  onChainPaymentSendAll: 'OnChainPaymentSendAllInput',
} as const;
type Field = keyof typeof INPUTS;
type Order = readonly [field: Field, input: Readonly<Record<string, unknown>>];
interface Sent {
  readonly status: string;
  readonly errors: readonly { readonly code: string }[];
  readonly approval: { readonly id: string; readonly expiresAt: number } | null;
  readonly transaction: { readonly id: string; readonly status: string; readonly settlementAmount: number } | null;
}

const CREATE =
  'mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { apiKeySecret apiKey { id limits { askAbovePaymentSats askAboveDaySats } } } }';
const KEYS = '{ me { apiKeys { id limits { askAbovePaymentSats askAboveDaySats } } } }';

let app: TestApp;
/** Another process of the same installation. */
let other: TestApp;
let fixture: Fixture;
let payouts: Payouts;
let service: LnurlService;
let alice: Person;
let bob: Person;
let browser: BrowserSession;

beforeAll(async () => {
  const env = { PAYMENT_WAIT_SECONDS: '10', ACCOUNT_LIMITS: 'none' };
  app = await createTestApp({ env, settings: EAGER });
  other = await createTestApp({ beside: app, env, settings: EAGER });
  fixture = new Fixture(app);
  payouts = new Payouts(app);
  await payouts.fund(1_000_000, 1_000_000);
  service = await LnurlService.start(
    async (amountMsat, descriptionHash) => (await fixture.simulator.createOutsideInvoice({ amountMsat, descriptionHash })).paymentRequest,
  );
  bob = await fixture.user({ sats: 10_000 });
});
beforeEach(async () => {
  alice = await fixture.user({ sats: 200_000 });
  browser = await signIn(alice);
});
afterEach(() => fixture.expectBalanced());
afterAll(async () => {
  service.close();
  await other.close();
  await app.close();
});

async function signIn({ email }: Person, at = app): Promise<BrowserSession> {
  const session = new BrowserSession(at.url);
  await session.signInOnTheWay(await session.get('/dashboard'), { email, password: PASSWORD });
  return session;
}
async function newKey(ask: { askAbovePaymentSats?: number; askAboveDaySats?: number }): Promise<{ id: string; as: CredentialHeaders }> {
  const input = { name: 'till', scopes: ['READ', 'WRITE'], ...ask };
  const { apiKeyCreate: made } = await dataOf(app.url, CREATE, { input }, await fixture.session(alice));
  expect(made.apiKey.limits).toEqual({ askAbovePaymentSats: null, askAboveDaySats: null, ...ask });
  return { id: made.apiKey.id as string, as: { 'x-api-key': made.apiKeySecret as string } };
}
async function send([field, input]: Order, as: CredentialHeaders, key?: string, at = app): Promise<Sent> {
  const document = `mutation ($input: ${INPUTS[field]}!) { sent: ${field}(input: $input) ${PAYLOAD} }`;
  const headers = { ...as, ...(key !== undefined && { 'idempotency-key': key }) };
  return (await dataOf(at.url, document, { input: { walletId: alice.wallets.BTC, ...input } }, headers)).sent as Sent;
}
const toBob = (amount: number, memo?: string): Order => ['intraLedgerPaymentSend', { recipientWalletId: bob.wallets.BTC, amount, memo }];
const invoiceOf = async (sats: number): Promise<Order> => [
  'lnInvoicePaymentSend',
  { paymentRequest: (await fixture.outside(sats)).paymentRequest },
];
const pageOf = (id: string, by = browser): Promise<Visit> => by.get(`/dashboard/history/${id}`);
async function answer(id: string, what: 'approve' | 'deny', by = browser): Promise<Visit> {
  return by.post(`/dashboard/history/${id}/${what}`, hiddenFields(await by.get('/dashboard/keys/new')));
}
const statusOf = async (id: string): Promise<string | undefined> =>
  (await app.pool.query<{ status: string }>('SELECT status FROM transaction WHERE id = $1', [id])).rows[0]?.status;
const ended = (id: string): Promise<string> =>
  eventually(async () => {
    const status = await statusOf(id);
    return status === undefined || status === 'PENDING' ? null : status;
  });
const failureOf = async (id: string): Promise<unknown> =>
  (await app.pool.query<{ failure: string }>('SELECT failure FROM transaction WHERE id = $1', [id])).rows[0]?.failure;
const paymentsOf = async (id: string): Promise<number> => (await app.pool.query('SELECT FROM payment WHERE id = $1', [id])).rowCount ?? 0;
async function waits(sending: Promise<Sent>): Promise<string> {
  const sent = await sending;
  expect(sent).toMatchObject({ status: 'PENDING', errors: [], transaction: { status: 'PENDING' } });
  expect(sent.approval?.id).toBe(sent.transaction?.id);
  return sent.approval?.id ?? '';
}

describe('a payment above what a key may send alone', () => {
  const ORDERS: readonly (readonly [what: string, payee: () => string | RegExp, order: () => Promise<Order>])[] = [
    ['an invoice of the outside', () => 'Lightning invoice', () => invoiceOf(2_000)],
    [
      'an invoice of this server',
      () => 'two teas',
      async () => ['lnInvoicePaymentSend', { paymentRequest: (await bob.invoice(2_000, 'two teas')).paymentRequest }],
    ],
    ['an LNURL', () => '127.0.0.1', async () => ['lnurlPaymentSend', { lnurl: lnurlOf(`${service.url}/pay`), amount: 200 }]],
    [
      'a Lightning address',
      () => `${bob.username}@`,
      async () => ['lnAddressPaymentSend', { lnAddress: `${bob.username}@${new URL(app.url).host}`, amount: 2_000 }],
    ],
    ['a wallet of this server', () => bob.username, async () => toBob(2_000, 'for tea')],
    ['a bitcoin address', () => 'bcrt1', async () => ['onChainPaymentSend', { address: payouts.outside(), amount: 20_000 }]],
    [
      'a bitcoin address, with all that the wallet has',
      () => 'bcrt1',
      async () => ['onChainPaymentSendAll', { address: payouts.outside() }],
    ],
  ];

  it.each(ORDERS)('to %s waits for its owner, moves nothing, and is made once they approve it', async (_what, payee, order) => {
    const { as } = await newKey({ askAbovePaymentSats: 100 });
    const before = await alice.sats();
    const wanted = await order();
    const id = await waits(send(wanted, as, 'same'));
    expect(await waits(send(wanted, as, 'same', other))).toBe(id);
    expect(await alice.sats()).toBe(before);
    expect((await app.pool.query('SELECT FROM ledger_hold WHERE state = $1', ['open'])).rowCount).toBe(0);

    const page = await pageOf(id);
    expect(page.text).toContain('This payment waits for you');
    expect(page.text).toContain('API key “<bdi>till</bdi>”');
    expect(page.text).toContain(payee());
    for (const path of [`/dashboard/history/${id}/approve`, `/dashboard/history/${id}/deny`])
      expect((await browser.get(path)).status).toBe(405);
    expect(await paymentsOf(id)).toBe(0);

    expect((await answer(id, 'approve')).location).toBe(`${app.url}/dashboard/history/${id}`);
    const isChain = wanted[0].startsWith('onChain');
    if (isChain) {
      await eventually(async () => {
        // The next batch may leave.
        await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '3 minutes'`);
        await payouts.chain.mine();
        return (await statusOf(id)) !== 'PENDING';
      });
    }
    expect(await ended(id)).toBe('SUCCESS');
    const cost = before - (await alice.sats());
    expect(cost).toBeGreaterThanOrEqual(isChain ? 20_000 : 200);
    expect(await send(wanted, as, 'same')).toMatchObject({ status: 'SUCCESS', errors: [], transaction: { id, settlementAmount: -cost } });
    expect(await paymentsOf(id)).toBe(1);
    // Its row is where it was asked, and there is one.
    expect(
      (await app.pool.query('SELECT FROM transaction WHERE wallet_id = $1 AND direction = $2', [alice.wallets.BTC, 'SEND'])).rowCount,
    ).toBe(1);
  });

  it('goes at once up to the amount, with the fee limit, and beyond it once the rule is gone', async () => {
    const { id: keyId, as } = await newKey({ askAbovePaymentSats: 1_010 });
    expect(await send(await invoiceOf(1_000), as)).toMatchObject({ status: 'SUCCESS', approval: null });
    await waits(send(await invoiceOf(1_001), as));
    expect(await send(toBob(1_010), as)).toMatchObject({ status: 'SUCCESS' });
    const fields = hiddenFields(await browser.get('/dashboard/keys/new'));
    expect((await browser.post(`/dashboard/keys/${keyId}/ask`, { ...fields, 'ask-payment': 'x', 'ask-day': '-1' })).status).toBe(422);
    expect((await browser.post(`/dashboard/keys/${keyId}/ask`, { ...fields, 'ask-payment': '5' })).status).toBe(400);
    await browser.post(`/dashboard/keys/${keyId}/ask`, { ...fields, 'ask-payment': '', 'ask-day': '100,000' });
    const { me } = await dataOf(app.url, KEYS, {}, alice.as('read'));
    expect((me.apiKeys as { id: string }[]).find(({ id }) => id === keyId)).toMatchObject({
      limits: { askAbovePaymentSats: null, askAboveDaySats: 100_000 },
    });
    expect(await send(toBob(5_000), as)).toMatchObject({ status: 'SUCCESS' });
  });

  it('takes no hash: the owner pays the same invoice meanwhile, and the approval pays nothing more', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const order = await invoiceOf(700);
    const id = await waits(send(order, as, 'mine'));
    expect(await alice.pay(order[1]['paymentRequest'] as string)).toMatchObject({ status: 'SUCCESS' });
    const before = await alice.sats();
    await answer(id, 'approve');
    expect([await ended(id), await failureOf(id), await alice.sats()]).toEqual(['FAILURE', 'paid_by_other', before]);
    expect(await send(order, as, 'mine')).toMatchObject({ status: 'FAILURE' });
    expect(await paymentsOf(id)).toBe(0);
  });

  it('is asked once for the same invoice, and by one notice a minute, whose link only shows it', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const order = await invoiceOf(700);
    const id = await waits(send(order, as));
    expect(await waits(send(order, as, undefined, other))).toBe(id);
    await waits(send(toBob(5, 'for <b>tea</b>'), as));
    const notices = `SELECT details FROM notice WHERE user_id = $1 AND kind = 'payment_waits'`;
    const { rows } = await app.pool.query<{ details: object }>(notices, [alice.userId]);
    expect(rows.length).toBeLessThanOrEqual(2);
    expect(rows[0]?.details).toMatchObject({ id, sats: 700, name: 'till', payee: expect.stringMatching(/^node 0[23]/) as string });
    const page = await browser.get('/dashboard/activity');
    expect(page.text).toContain(`href="/dashboard/history/${id}"`);
    await pageOf(id);
    expect(await paymentsOf(id)).toBe(0);
  });
});

describe('a payment that waits', () => {
  it('ends when it is denied: the update, the webhook and the repeat say so', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const before = await alice.sats();
    const order = await invoiceOf(500);
    const invoice = decodeInvoice(order[1]['paymentRequest'] as string);
    const wallet = new WalletClient(app.url, alice.wallets.BTC, (scope) => alice.as(scope));
    const updates = await Updates.open(wallet, alice.as('read'), new WalletClient(app.url, bob.wallets.BTC, (scope) => bob.as(scope)));
    const id = await waits(send(order, as, 'mine'));
    await answer(id, 'deny');
    expect(await updates.about(invoice.ok ? invoice.invoice.paymentHash : '')).toMatchObject({ outcome: 'FAILURE' });
    expect(await send(order, as, 'mine')).toMatchObject({
      status: 'FAILURE',
      errors: [{ code: 'APPROVAL_DENIED' }],
      approval: null,
      transaction: { id },
    });
    await answer(id, 'approve');
    expect([await statusOf(id), await paymentsOf(id)]).toEqual(['FAILURE', 0]);
    expect(await alice.sats()).toBeGreaterThanOrEqual(before);
    expect((await pageOf(id)).text).toMatch(/you did not approve it[^.]*\.<\/b> Nothing was charged/);
  });

  it('ends after its time, and cannot be approved then', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const order = toBob(500);
    const sent = await send(order, as, 'mine');
    const id = sent.approval?.id ?? '';
    expect(Math.abs((sent.approval?.expiresAt ?? 0) - Date.now() / 1000 - 3_600)).toBeLessThan(60);
    await app.pool.query('UPDATE payment_approval SET expires_at = now() WHERE id = $1', [id]);
    await answer(id, 'approve');
    expect([await ended(id), await paymentsOf(id)]).toEqual(['FAILURE', 0]);
    expect(await send(order, as, 'mine')).toMatchObject({ status: 'FAILURE', errors: [{ code: 'APPROVAL_EXPIRED' }] });
  });

  it('waits no longer than its invoice', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const { paymentRequest } = await fixture.simulator.createOutsideInvoice({ amountMsat: 5_000n, expirySeconds: 600 });
    const { approval } = await send(['lnInvoicePaymentSend', { paymentRequest }], as);
    expect(Math.abs((approval?.expiresAt ?? 0) - Date.now() / 1000 - 600)).toBeLessThan(60);
  });

  it.each<[what: string, failure: string, change: (keyId: string) => Promise<unknown>]>([
    [
      'the balance is gone',
      'insufficient',
      () => send(['intraLedgerPaymentSend', { recipientWalletId: bob.wallets.BTC, amount: 199_000 }], alice.as('write')),
    ],
    ['a limit was set', 'daily_budget', (id) => app.pool.query(`INSERT INTO budget (id, daily_msat) VALUES ($1, 1000)`, [id])],
    [
      'payments are stopped',
      'account_frozen',
      () => app.pool.query(`INSERT INTO payment_freeze (subject, cause, because) VALUES ($1, 'operator', 'test')`, [alice.accountId]),
    ],
    [
      'programs are paused',
      'access_paused',
      () => app.pool.query(`INSERT INTO access_pause (subject, cause) VALUES ($1, 'owner')`, [alice.userId]),
    ],
    [
      'it would cost more',
      'costs_more',
      () => app.pool.query(`UPDATE payment_approval SET most_msat = most_msat - 1 WHERE user_id = $1`, [alice.userId]),
    ],
  ])('is judged again: refused where %s', async (_what, failure, change) => {
    const { id: keyId, as } = await newKey({ askAbovePaymentSats: 0 });
    const id = await waits(send(toBob(5_000), as));
    await change(keyId);
    const before = await bob.sats();
    await answer(id, 'approve');
    expect([await ended(id), await failureOf(id), await paymentsOf(id)]).toEqual(['FAILURE', failure, 0]);
    expect(await bob.sats()).toBe(before);
    await app.pool.query('DELETE FROM payment_freeze WHERE subject = $1', [alice.accountId]);
  });

  it('is begun again where the wallet of the chain did not answer', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const id = await waits(send(['onChainPaymentSend', { address: payouts.outside(), amount: 20_000 }], as));
    for (const each of [app, other]) jest.spyOn(each.get(PayoutFees), 'quote').mockResolvedValueOnce(undefined);
    await answer(id, 'approve');
    await eventually(async () => (await paymentsOf(id)) === 1);
    await eventually(async () => {
      await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '3 minutes'`);
      await payouts.chain.mine();
      return (await statusOf(id)) !== 'PENDING';
    });
    expect(await ended(id)).toBe('SUCCESS');
  });

  it('ends with its key, and with the account', async () => {
    const { id: keyId, as } = await newKey({ askAbovePaymentSats: 0 });
    const [first, second] = [await waits(send(toBob(5), as)), await waits(send(toBob(6), (await newKey({ askAbovePaymentSats: 0 })).as))];
    const session = await fixture.session(alice);
    await dataOf(app.url, 'mutation ($id: ID!) { apiKeyRevoke(input: { id: $id }) { apiKey { id } } }', { id: keyId }, session);
    await answer(first, 'approve');
    expect([await ended(first), await failureOf(first)]).toEqual(['FAILURE', 'credential_ended']);
    await send(['intraLedgerPaymentSend', { recipientWalletId: bob.wallets.BTC, amount: 200_000 }], alice.as('write'));
    expect(await dataOf(app.url, 'mutation { accountDelete { success errors { code } } }', {}, session)).toMatchObject({
      accountDelete: { success: true },
    });
    expect(await statusOf(second)).not.toBe('PENDING');
    expect((await app.pool.query(`SELECT FROM payment_approval WHERE user_id = $1`, [alice.userId])).rowCount).toBe(0);
  });

  it('is answered by its owner alone', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const id = await waits(send(toBob(5), as));
    const mallory = await signIn(bob);
    for (const what of ['approve', 'deny'] as const) await answer(id, what, mallory);
    expect((await pageOf(id, mallory)).status).toBe(404);
    expect((await new BrowserSession(app.url).post(`/dashboard/history/${id}/approve`, {})).status).not.toBe(200);
    expect([await statusOf(id), await paymentsOf(id)]).toEqual(['PENDING', 0]);
    // A browser that has not proved who sits at it for ten minutes does so first.
    await app.pool.query(`UPDATE session SET factor_at = now() - interval '1 hour' WHERE user_id = $1`, [alice.userId]);
    expect((await answer(id, 'approve')).location).toContain('/dashboard/confirm');
    expect(await paymentsOf(id)).toBe(0);
  });
});

describe('the bounds of what may wait', () => {
  it('are 10 of a key and 30 of an account; a place is free again when one has ended', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => newKey({ askAbovePaymentSats: 0 })));
    const ids: string[] = [];
    for (const { as } of keys.slice(0, 3)) for (let n = 1; n <= 10; n++) ids.push(await waits(send(toBob(n), as)));
    const full = { status: 'FAILURE', errors: [{ code: 'TOO_MANY_APPROVALS' }], approval: null, transaction: null };
    expect(await send(toBob(11), keys[0]?.as ?? {})).toEqual(full);
    expect(await send(toBob(1), keys[3]?.as ?? {})).toEqual(full);
    await answer(ids[0] ?? '', 'deny');
    await waits(send(toBob(1), keys[3]?.as ?? {}));
  });

  it('the sum of a day is exact over two processes', async () => {
    const { as } = await newKey({ askAboveDaySats: 1_000 });
    const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => send(toBob(300), as, undefined, n % 2 ? other : app)));
    expect(sent.filter(({ status }) => status === 'SUCCESS')).toHaveLength(3);
    expect(sent.filter(({ status, approval }) => status === 'PENDING' && approval !== null)).toHaveLength(9);
    // What the owner approves counts too, and the next one still asks.
    const id = sent.find(({ approval }) => approval !== null)?.approval?.id ?? '';
    await answer(id, 'approve');
    expect(await ended(id)).toBe('SUCCESS');
    await waits(send(toBob(100), as));
  });
});

describe('two answers at once, over two processes', () => {
  it('make one payment, or none', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    const there = await signIn(alice, other);
    let made = 0;
    for (let round = 0; round < 8; round++) {
      const before = await bob.sats();
      const id = await waits(send(toBob(100 + round), as, `round ${round}`));
      const answers = round % 2 ? (['approve', 'deny'] as const) : (['approve', 'approve'] as const);
      await Promise.all([answer(id, answers[0]), answer(id, answers[1], there), send(toBob(100 + round), as, `round ${round}`, other)]);
      const status = await ended(id);
      made += status === 'SUCCESS' ? 1 : 0;
      expect([await bob.sats(), await paymentsOf(id)]).toEqual(status === 'SUCCESS' ? [before + 100 + round, 1] : [before, 0]);
    }
    expect(made).toBeGreaterThanOrEqual(4);
  });

  it('an expiry and an approval: the payment is made, or has ended', async () => {
    const { as } = await newKey({ askAbovePaymentSats: 0 });
    for (let round = 0; round < 6; round++) {
      const id = await waits(send(toBob(10 + round), as));
      await app.pool.query(`UPDATE payment_approval SET expires_at = clock_timestamp() + interval '30 milliseconds' WHERE id = $1`, [id]);
      await Promise.all([
        answer(id, 'approve'),
        eventually(async () => (await other.get(ApprovalStore).sweep(), (await statusOf(id)) !== 'PENDING')),
      ]);
      expect(await paymentsOf(id)).toBe((await ended(id)) === 'SUCCESS' ? 1 : 0);
    }
  });
});

describe('an app', () => {
  it('asks above what its owner lets it send alone, and cannot change that', async () => {
    const shop = await newOAuthApp(app);
    const tokens = await shop.connect(alice, { scope: 'read write' });
    const as = { 'oauth2-token': tokens.access_token };
    const fields = hiddenFields(await browser.get('/dashboard/keys/new'));
    const saved = await browser.post(`/dashboard/apps/${shop.client.id}/ask`, { ...fields, 'ask-payment': '1000', 'ask-day': '1500' });
    expect(saved.location).toContain(`/dashboard/apps/${shop.client.id}`);
    expect((await browser.get(`/dashboard/apps/${shop.client.id}`)).text).toContain('1,000 sats');
    expect(await app.get(AppService).askOf(alice.userId, shop.client.id)).toEqual({ paymentSats: 1_000, daySats: 1_500 });
    expect(await send(toBob(1_000), as)).toMatchObject({ status: 'SUCCESS' });
    const id = await waits(send(toBob(501), as, 'mine'));
    expect((await pageOf(id)).text).toContain('Corner Coffee');
    expect(await send(toBob(500), as)).toMatchObject({ status: 'SUCCESS' });
    await answer(id, 'approve');
    expect(await ended(id)).toBe('SUCCESS');
    expect(await send(toBob(501), as, 'mine')).toMatchObject({ status: 'SUCCESS', transaction: { id } });
    const disconnected = await waits(send(toBob(2_000), as));
    await app.get(AppService).revoke(alice.userId, shop.client.id);
    await other.get(ApprovalStore).sweep();
    expect([await ended(disconnected), await failureOf(disconnected)]).toEqual(['FAILURE', 'credential_ended']);
  });
});
