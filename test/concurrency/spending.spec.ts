import { randomUUID } from 'node:crypto';
import { LightningBackend } from '../../src/money/lightning/index.js';
import { PaymentService } from '../../src/money/payment/index.js';
import { violationsNow, violationsAtRest } from '../support/ledger-invariants.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf, graphql } from '../support/graphql.js';
import type { Person } from '../support/fixture.js';
import { atOnce, said, tally, TwoInstances, type Sent } from './two-instances.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code message } transaction { id } } }`;

interface Payload extends Sent {
  readonly transaction: { readonly id: string } | null;
}

let instances: TwoInstances;
let deadlocks: number;

beforeAll(async () => {
  instances = await TwoInstances.start();
  deadlocks = await instances.deadlocks();
});
afterEach(async () => {
  expect(await violationsAtRest(instances.one.pool)).toEqual({});
  await instances.fixture.expectBalanced();
});
afterAll(async () => {
  const since = (await instances.deadlocks()) - deadlocks;
  await instances.close();
  expect(since).toBe(0);
});

const send = async (
  n: number,
  from: Person,
  to: Person,
  amount: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Payload> => {
  const input = { walletId: from.wallets.BTC, recipientWalletId: to.wallets.BTC, amount };
  return (await dataOf<{ intraLedgerPaymentSend: Payload }>(instances.url(n), SEND, { input }, { ...from.as('write'), ...headers }))
    .intraLedgerPaymentSend;
};

describe('60 attempts to spend one balance, on two processes', () => {
  it('succeed as often as the balance covers, from wallet to wallet', async () => {
    const alice = await instances.fixture.user({ sats: 1_000 });
    const bob = await instances.fixture.user();
    const answers = await atOnce(60, (n) => send(n, alice, bob, 100));
    expect(tally(answers.map(said))).toEqual({ SUCCESS: 10, INSUFFICIENT_BALANCE: 50 });
    expect([await alice.sats(), await bob.sats()]).toEqual([0, 1_000]);
  });

  it('succeed as often as it covers, to wallets, internal invoices and the outside at once', async () => {
    const alice = await instances.fixture.user({ sats: 1_000 });
    const bob = await instances.fixture.user();
    const requests = await atOnce(40, (n) => (n % 2 === 0 ? bob.invoice(90) : instances.fixture.outside(80)));
    const answers = await atOnce(60, async (n) => {
      const request = requests[n]?.paymentRequest;
      return request === undefined ? send(n, alice, bob, 100) : ((await instances.wallet(alice, n).pay(request)) as Payload);
    });
    const { SUCCESS = 0, ...others } = tally(answers.map(said));
    expect(SUCCESS).toBeGreaterThan(4);
    expect(others).toEqual({ INSUFFICIENT_BALANCE: 60 - SUCCESS });
    expect(await alice.sats()).toBeGreaterThanOrEqual(0);
    expect(await violationsNow(instances.one.pool)).toEqual({});
  });

  it('neither create nor lose money in circular payments', async () => {
    const people = await atOnce(6, () => instances.fixture.user({ sats: 200 }));
    await atOnce(60, async (n) => {
      const [from, to] = [people[n % 6], people[(n * 5 + 1) % 6]];
      if (from && to && from !== to) await send(n, from, to, 50 + (n % 7));
    });
    const balances = await Promise.all(people.map((person) => person.sats()));
    expect(balances.reduce((sum, sats) => sum + sats, 0)).toBe(1_200);
  });
});

describe('one invoice, on two processes', () => {
  it('is paid by one of 8 payers with sufficient funds, in 40 attempts', async () => {
    const carol = await instances.fixture.user();
    const payers = await atOnce(8, () => instances.fixture.user({ sats: 600 }));
    const { paymentRequest } = await carol.invoice(500);
    const answers = await atOnce(
      40,
      async (n) => instances.wallet(payers[n % 8] as Person, n + Math.floor(n / 8)).pay(paymentRequest) as Promise<Payload>,
    );
    const { SUCCESS, ALREADY_PAID = 0, ...others } = tally(answers.map(said));
    expect({ SUCCESS, ALREADY_PAID }).toEqual({ SUCCESS: 1, ALREADY_PAID: 4 });
    expect(others).toEqual({ LIGHTNING_PAYMENT_ERROR: 35 });
    expect(await carol.sats()).toBe(500);
  });

  it('is paid once by one payer in 60 attempts, and the others get ALREADY_PAID', async () => {
    const carol = await instances.fixture.user();
    const payer = await instances.fixture.user({ sats: 100_000 });
    const { paymentRequest } = await carol.invoice(500);
    const answers = await atOnce(60, (n) => instances.wallet(payer, n).pay(paymentRequest) as Promise<Payload>);
    expect(tally(answers.map(said))).toEqual({ SUCCESS: 1, ALREADY_PAID: 59 });
    expect(new Set(answers.map(({ transaction }) => transaction?.id)).size).toBe(1);
    expect(await payer.sats()).toBe(99_500);
  });

  it('of the outside node is sent once, with 40 attempts of one payer and others', async () => {
    const payer = await instances.fixture.user({ sats: 10_000 });
    const others = await atOnce(4, () => instances.fixture.user({ sats: 2_000 }));
    const { paymentRequest, paymentHash } = await instances.fixture.outside(1_000, { delayMs: 300 });
    const answers = await atOnce(
      60,
      (n) => instances.wallet(n % 3 === 2 ? (others[n % 4] as Person) : payer, n).pay(paymentRequest) as Promise<Payload>,
    );
    expect(tally(answers.map(said))).toMatchObject({ SUCCESS: 1 });
    const attempts = (await instances.fixture.simulator.listPayments(1_000)).filter((payment) => payment.paymentHash === paymentHash);
    expect(attempts).toHaveLength(1);
  });

  it('paid inside and outside at once is paid at least once, and every payment goes to the recipient', async () => {
    for (let round = 0; round < 5; round++) {
      const carol = await instances.fixture.user();
      const payer = await instances.fixture.user({ sats: 500 });
      const { paymentRequest } = await carol.invoice(400);
      const [inside, outside] = await Promise.all([
        instances.wallet(payer, round).pay(paymentRequest) as Promise<Payload>,
        instances.fixture.simulator.payOutside(paymentRequest),
      ]);
      expect(await violationsAtRest(instances.one.pool)).toEqual({});
      const paid = (inside.status === 'SUCCESS' ? 400 : 0) + (outside.status === 'paid' ? 400 : 0);
      expect(paid).toBeGreaterThan(0);
      expect(await carol.sats()).toBe(paid);
    }
  });

  it('paid and cancelled at once gets one of both, and the node’s copy is closed', async () => {
    const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { errors { code } success } }`;
    const carol = await instances.fixture.user();
    const payer = await instances.fixture.user({ sats: 5_000 });
    for (let round = 0; round < 6; round++) {
      const { paymentRequest, paymentHash } = await carol.invoice(100);
      const input = { walletId: carol.wallets.BTC, paymentHash };
      const [paid, { data }] = await Promise.all([
        instances.wallet(payer, round).pay(paymentRequest) as Promise<Payload>,
        graphql(instances.url(round + 1), CANCEL, { input }, carol.as('receive')),
      ]);
      expect([paid.status, data?.lnInvoiceCancel.success]).toEqual(paid.status === 'SUCCESS' ? ['SUCCESS', false] : ['FAILURE', true]);
      const node = instances.one.get(LightningBackend);
      await eventually(async () => (await node.lookupInvoice(paymentHash)).status === 'cancelled');
    }
  });
});

describe('one idempotency key, 20 times on two processes', () => {
  it.each(['Idempotency-Key', 'X-Idempotency-Key'])('%s moves money once, and every caller gets the same answer', async (name) => {
    const alice = await instances.fixture.user({ sats: 1_000 });
    const bob = await instances.fixture.user();
    const answers = await atOnce(20, (n) => send(n, alice, bob, 10, { [name]: 'one and the same' }));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 'SUCCESS' });
    expect([await alice.sats(), await bob.sats()]).toEqual([990, 10]);
  });

  it('creates one invoice', async () => {
    const alice = await instances.fixture.user();
    const CREATE = `mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code } invoice { paymentHash } } }`;
    const input = { walletId: alice.wallets.BTC, amount: 5 };
    const answers = await atOnce(20, (n) =>
      dataOf(instances.url(n), CREATE, { input }, { ...alice.as('receive'), 'idempotency-key': 'k' }),
    );
    expect(new Set(answers.map(({ lnInvoiceCreate }) => lnInvoiceCreate.invoice.paymentHash)).size).toBe(1);
  });

  it('moves money once when several processes run the attempt because its lease has ended', async () => {
    const alice = await instances.fixture.user({ sats: 1_000 });
    const bob = await instances.fixture.user();
    const principal = { kind: 'api-key' as const, id: 'a key', userId: alice.userId, scopes: new Set<string>() };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal, attempt: 'an attempt' };
    const outcomes = await atOnce(20, (n) =>
      (n % 2 ? instances.one : instances.two).get(PaymentService).pay(payer, { recipientWalletId: bob.wallets.BTC, amountSats: 10 }),
    );
    expect(tally(outcomes.map(({ kind }) => kind))).toEqual({ settled: 20 });
    expect(await bob.sats()).toBe(10);
  });

  it('settles both calls of an attempt that wait for the invoice’s lock, and moves money once', async () => {
    const alice = await instances.fixture.user({ sats: 1_000 });
    const { paymentRequest, paymentHash } = await (await instances.fixture.user()).invoice(10);
    const principal = { kind: 'api-key' as const, id: 'a key', userId: alice.userId, scopes: new Set<string>() };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal, attempt: randomUUID() };
    const holder = await instances.one.pool.connect();
    await holder.query('SELECT pg_advisory_lock(payment_lock_key($1))', [paymentHash]);
    const outcomes = atOnce(2, (n) => (n ? instances.one : instances.two).get(PaymentService).pay(payer, { paymentRequest }));
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payment_begin%'`;
    await eventually(async () => (await instances.one.pool.query(waiting)).rowCount === 2);
    await holder.query('SELECT pg_advisory_unlock_all()');
    holder.release();
    expect((await outcomes).map(({ kind }) => kind)).toEqual(['settled', 'settled']);
    expect(await alice.sats()).toBe(990);
  });

  it('runs one of two requests', async () => {
    const alice = await instances.fixture.user({ sats: 1_000 });
    const bob = await instances.fixture.user();
    const input = (amount: number): Record<string, unknown> => ({
      walletId: alice.wallets.BTC,
      recipientWalletId: bob.wallets.BTC,
      amount,
    });
    const answers = await atOnce(20, (n) =>
      graphql(instances.url(n), SEND, { input: input(n % 4 < 2 ? 10 : 20) }, { ...alice.as('write'), 'idempotency-key': 'two' }),
    );
    const codes = tally(
      answers.map(({ errors, data }) => String(errors?.[0]?.extensions?.['code'] ?? data?.intraLedgerPaymentSend.status)),
    );
    expect(Object.keys(codes).sort()).toEqual(['IDEMPOTENCY_CONFLICT', 'SUCCESS']);
    expect([10, 20]).toContain(await bob.sats());
  });
});
