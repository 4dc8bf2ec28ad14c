import { ApiKeyService } from '../../src/access/api-key/index.js';
import { AppService } from '../../src/access/oauth/index.js';
import type { Principal } from '../../src/edge/auth/index.js';
import { PaymentService, type PaymentOutcome } from '../../src/money/payment/index.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TestApp } from '../support/app.js';
import { createDollarApp, createInvoice, fundsOf, PRICE, setPrice } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { newOAuthApp } from '../support/oauth-app.js';
import { TimeTravel } from '../support/time-travel.js';
import { WalletClient } from '../support/wallet-client.js';

const DAY = 86_400;
const LIMITS =
  'dailyLimitSats dailySpentSats weeklyLimitSats weeklySpentSats monthlyLimitSats monthlySpentSats annualLimitSats annualSpentSats';
const CREATE =
  'mutation { apiKeyCreate(input: { name: "shop", scopes: [READ, WRITE, RECEIVE] }) { apiKeySecret apiKey { id limits { dailyLimitSats dailySpentSats } } } }';
const SET = `mutation ($input: ApiKeySetLimitInput!) { apiKeySetLimit(input: $input) { apiKey { id limits { ${LIMITS} } } } }`;
const REMOVE = `mutation ($input: ApiKeyRemoveLimitInput!) { apiKeyRemoveLimit(input: $input) { apiKey { id limits { ${LIMITS} } } } }`;
const LIST = `{ me { apiKeys { id limits { ${LIMITS} } } } }`;
const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code message } } }';
const SEND_USD =
  'mutation ($input: IntraLedgerUsdPaymentSendInput!) { intraLedgerUsdPaymentSend(input: $input) { status errors { code message } } }';
const WINDOWS = ['DAILY', 'WEEKLY', 'MONTHLY', 'ANNUAL'] as const;

type Window = (typeof WINDOWS)[number];
type Limits = Readonly<Record<string, number | null>>;

interface Key {
  readonly id: string;
  readonly as: CredentialHeaders;
}

const refusedBy = (window: string): object => ({
  status: 'FAILURE',
  errors: [{ code: 'TRANSACTION_RESTRICTED', message: `${window} spending limit exceeded` }],
});
const SUCCESS = { status: 'SUCCESS', errors: [] };

describe('the limits of an API key', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let session: CredentialHeaders;

  beforeAll(async () => {
    // A limit waits for a payment of another session until the test has seen that it waits.
    app = await createDollarApp({ env: { DATABASE_LOCK_MS: '60000', DATABASE_STATEMENT_SECONDS: '120' } });
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000_000 });
    bob = await fixture.user();
    session = await fixture.session(alice);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const newKey = async (by = session, create = CREATE): Promise<Key> => {
    const { apiKeyCreate: made } = await dataOf(app.url, create, {}, by);
    return { id: made.apiKey.id as string, as: { 'x-api-key': made.apiKeySecret as string } };
  };
  const set = async ({ id }: Key, limitTimeWindow: Window, limitSats: number): Promise<Limits> =>
    (await dataOf(app.url, SET, { input: { id, limitTimeWindow, limitSats } }, session)).apiKeySetLimit.apiKey.limits as Limits;
  const remove = async ({ id }: Key, limitTimeWindow: Window): Promise<Limits> =>
    (await dataOf(app.url, REMOVE, { input: { id, limitTimeWindow } }, session)).apiKeyRemoveLimit.apiKey.limits as Limits;
  const limitsOf = async ({ id }: Key, by = session): Promise<Limits> => {
    const keys = (await dataOf(app.url, LIST, {}, by)).me.apiKeys as { id: string; limits: Limits }[];
    return keys.find((key) => key.id === id)?.limits ?? {};
  };
  const spent = async (key: Key): Promise<number | null | undefined> => (await limitsOf(key))['dailySpentSats'];
  const send = async ({ as }: Key, amount: number, headers: CredentialHeaders = {}): Promise<unknown> => {
    const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount };
    return (await dataOf(app.url, SEND, { input }, { ...as, ...headers })).intraLedgerPaymentSend as unknown;
  };
  const wallet = ({ as }: Key): WalletClient => new WalletClient(app.url, alice.wallets.BTC, () => as);

  it('are none at first, and its spending is counted nevertheless', async () => {
    const key = await newKey();
    expect(await limitsOf(key)).toEqual(Object.fromEntries(LIMITS.split(' ').map((name) => [name, name.endsWith('LimitSats') ? null : 0])));
    expect(await send(key, 300)).toEqual(SUCCESS);
    expect(await limitsOf(key)).toMatchObject({ dailySpentSats: 300, weeklySpentSats: 300, monthlySpentSats: 300, annualSpentSats: 300 });
  });

  it.each(WINDOWS)('%s: allows the limit exactly, and not a satoshi more', async (window) => {
    const key = await newKey();
    expect(await set(key, window, 1_000)).toMatchObject({ [`${window.toLowerCase()}LimitSats`]: 1_000 });
    expect(await send(key, 600)).toEqual(SUCCESS);
    const before = await alice.sats();
    expect(await send(key, 401)).toEqual(refusedBy(window.toLowerCase()));
    expect(await alice.sats()).toBe(before);
    expect(await send(key, 400)).toEqual(SUCCESS);
    expect(await send(key, 1)).toEqual(refusedBy(window.toLowerCase()));
    expect(await spent(key)).toBe(1_000);
  });

  it.each([
    ['DAILY', 1],
    ['WEEKLY', 7],
    ['MONTHLY', 30],
    ['ANNUAL', 365],
  ] as const)('%s: is free again once the payment is %i days old, and not before', async (window, days) => {
    const key = await newKey();
    const name = window.toLowerCase();
    await set(key, window, 1_000);
    expect(await send(key, 1_000)).toEqual(SUCCESS);
    await new TimeTravel(app).paymentsOf(key.id, days * DAY - 600);
    expect(await send(key, 1_000)).toEqual(refusedBy(name));
    await new TimeTravel(app).paymentsOf(key.id, 600);
    expect((await limitsOf(key))[`${name}SpentSats`]).toBe(0);
    expect(await send(key, 1_000)).toEqual(SUCCESS);
  });

  it('apply together: the most restrictive one refuses, and one that is removed leaves the others', async () => {
    const key = await newKey();
    await Promise.all([set(key, 'DAILY', 500), set(key, 'WEEKLY', 800), set(key, 'MONTHLY', 5_000), set(key, 'ANNUAL', 5_000)]);
    expect(await limitsOf(key)).toMatchObject({
      dailyLimitSats: 500,
      weeklyLimitSats: 800,
      monthlyLimitSats: 5_000,
      annualLimitSats: 5_000,
    });
    expect(await send(key, 600)).toEqual(refusedBy('daily'));
    expect(await remove(key, 'DAILY')).toMatchObject({ dailyLimitSats: null, weeklyLimitSats: 800 });
    expect(await send(key, 600)).toEqual(SUCCESS);
    expect(await send(key, 300)).toEqual(refusedBy('weekly'));
    for (const window of WINDOWS) await remove(key, window);
    expect(await remove(key, 'WEEKLY')).toMatchObject({ weeklyLimitSats: null, weeklySpentSats: 600 });
    expect(await send(key, 10_000)).toEqual(SUCCESS);
  });

  it('below what was spent refuse, and belong to one key', async () => {
    const key = await newKey();
    const other = await newKey();
    expect(await send(key, 700)).toEqual(SUCCESS);
    await set(key, 'DAILY', 100);
    expect(await send(key, 1)).toEqual(refusedBy('daily'));
    expect(await set(key, 'DAILY', 701)).toMatchObject({ dailyLimitSats: 701, dailySpentSats: 700 });
    expect(await send(key, 1)).toEqual(SUCCESS);
    expect(await send(other, 1_000)).toEqual(SUCCESS);
    expect(await spent(other)).toBe(1_000);
  });

  it('count a payment in flight with its fee limit, and a settled one with its fee', async () => {
    const key = await newKey();
    await set(key, 'DAILY', 1_012);
    const outside = await fixture.outside(1_000, { hold: true, routeFeeMsat: 2_000n });
    const paying = wallet(key).pay(outside.paymentRequest);
    await eventually(async () => (await spent(key)) === 1_010);
    expect(await send(key, 3)).toEqual(refusedBy('daily'));
    await fixture.release(outside.paymentHash);
    expect(await paying).toMatchObject({ status: 'SUCCESS' });
    expect(await spent(key)).toBe(1_002);
    expect(await send(key, 10)).toEqual(SUCCESS);
  });

  it('include the fee limit', async () => {
    const key = await newKey();
    await set(key, 'DAILY', 1_009);
    const outside = await fixture.outside(1_000);
    expect(await wallet(key).pay(outside.paymentRequest)).toMatchObject(refusedBy('daily'));
    await set(key, 'DAILY', 1_010);
    expect(await wallet(key).pay(outside.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
  });

  it('get back what a failed payment had taken', async () => {
    const key = await newKey();
    await set(key, 'DAILY', 1_500);
    const failing = await fixture.outside(1_000, { hold: true });
    const paying = wallet(key).pay(failing.paymentRequest);
    await eventually(async () => (await spent(key)) === 1_010);
    await fixture.release(failing.paymentHash, 'no_route');
    expect(await paying).toMatchObject({ status: 'FAILURE', errors: [{ code: 'ROUTE_FINDING_ERROR' }] });
    expect(await spent(key)).toBe(0);
    expect(await send(key, 1_500)).toEqual(SUCCESS);
  });

  it('count payments of invoices of this server', async () => {
    const key = await newKey();
    await set(key, 'DAILY', 500);
    expect(await wallet(key).pay((await bob.invoice(400)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await wallet(key).pay((await bob.invoice(101)).paymentRequest)).toMatchObject(refusedBy('daily'));
    expect(await wallet(key).pay((await bob.invoice(100)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
  });

  it('count what wallets in dollars send in satoshis, and exchanges between the wallets of the owner', async () => {
    const key = await newKey();
    const input = { walletId: alice.wallets.BTC, recipientWalletId: alice.wallets.USD, amount: 100_000 };
    expect((await dataOf(app.url, SEND, { input }, key.as)).intraLedgerPaymentSend).toEqual(SUCCESS);
    expect(await spent(key)).toBe(100_000);
    const sendCents = async (amount: number): Promise<unknown> =>
      (await dataOf(app.url, SEND_USD, { input: { walletId: alice.wallets.USD, recipientWalletId: bob.wallets.BTC, amount } }, key.as))
        .intraLedgerUsdPaymentSend as unknown;
    expect(await sendCents(100)).toEqual(SUCCESS);
    const sats = ((await spent(key)) ?? 0) - 100_000;
    // A dollar is worth 1,980.2 satoshis at the ask, a hundredth above the price. Bob gets the whole ones of it.
    expect([sats, await bobsLast()]).toEqual([1_981, 1_980]);
    await set(key, 'DAILY', 100_000 + 2 * sats - 1);
    expect(await sendCents(100)).toEqual(refusedBy('daily'));
    await set(key, 'DAILY', 100_000 + 2 * sats);
    expect(await sendCents(100)).toEqual(SUCCESS);
  });
  const bobsLast = async (): Promise<number> =>
    (
      await dataOf(
        app.url,
        '{ me { defaultAccount { transactions(first: 1) { edges { node { settlementAmount } } } } } }',
        {},
        bob.as('read'),
      )
    ).me.defaultAccount.transactions.edges[0].node.settlementAmount as number;

  it('count a payment from dollars to the outside once, in satoshis at its price, and get it back when it fails', async () => {
    const key = await newKey();
    const dollars = new WalletClient(app.url, alice.wallets.USD, () => key.as);
    // 52 cents are held for 1,010 satoshis, which cost 51.005.
    await set(key, 'DAILY', 1_030);
    const failing = await fixture.outside(1_000, { hold: true });
    const paying = dollars.pay(failing.paymentRequest);
    await eventually(async () => (await spent(key)) === 1_030);
    expect(await send(key, 1)).toEqual(refusedBy('daily'));
    await fixture.release(failing.paymentHash, 'no_route');
    expect(await paying).toMatchObject({ status: 'FAILURE', errors: [{ code: 'ROUTE_FINDING_ERROR' }] });
    expect(await spent(key)).toBe(0);
    const settling = await fixture.outside(1_000, { routeFeeMsat: 2_000n });
    expect(await dollars.pay(settling.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    // The price of later does not change what it took.
    await setPrice(app, PRICE * 2n);
    expect(await spent(key)).toBe(1_010);
    await setPrice(app, PRICE);
    expect(await send(key, 21)).toEqual(refusedBy('daily'));
    expect(await send(key, 20)).toEqual(SUCCESS);
  });

  it('count dollars that stay dollars, in satoshis at the price of the payment', async () => {
    const key = await newKey();
    const input = { walletId: alice.wallets.USD, recipientWalletId: bob.wallets.USD, amount: 100 };
    const pay = async (): Promise<unknown> => (await dataOf(app.url, SEND_USD, { input }, key.as)).intraLedgerUsdPaymentSend as unknown;
    await set(key, 'DAILY', 1_981);
    expect(await pay()).toEqual(SUCCESS);
    expect(await spent(key)).toBe(1_981);
    expect(await pay()).toEqual(refusedBy('daily'));
  });

  /** A cent is worth 19.8 satoshis at the ask, and leaves the wallet in dollars each time. */
  const PAID_IN_CENTS: Readonly<Record<string, (key: Key) => Promise<unknown>>> = {
    'an invoice of a satoshi': async ({ as }) =>
      new WalletClient(app.url, alice.wallets.USD, () => as).pay((await bob.invoice(1)).paymentRequest),
    'a Lightning address': async ({ as }) => {
      const input = { walletId: alice.wallets.USD, lnAddress: `${bob.username}@${new URL(app.url).host}`, amount: 1 };
      const document = `mutation ($input: LnAddressPaymentSendInput!) { answer: lnAddressPaymentSend(input: $input) { status errors { code message } } }`;
      return (await dataOf(app.url, document, { input }, as)).answer as unknown;
    },
    'a cent to bitcoin of another person': (key) => cent(key, bob.wallets.BTC),
    'a cent to dollars of another person': (key) => cent(key, bob.wallets.USD),
    'a cent that is converted': (key) => cent(key, alice.wallets.BTC),
    'an invoice in dollars': async ({ as }) => {
      const { invoice } = (await createInvoice(app, 'lnUsdInvoiceCreate', bob, 1)) as { invoice: { paymentRequest: string } };
      return new WalletClient(app.url, alice.wallets.USD, () => as).pay(invoice.paymentRequest);
    },
  };
  const cent = async ({ as }: Key, recipientWalletId: string): Promise<unknown> => {
    const input = { walletId: alice.wallets.USD, recipientWalletId, amount: 1 };
    return (await dataOf(app.url, SEND_USD, { input }, as)).intraLedgerUsdPaymentSend as unknown;
  };

  it.each(Object.entries(PAID_IN_CENTS))('count the cent that leaves a wallet in dollars, rounded up: %s', async (what, pay) => {
    // The invoice in dollars states what a cent costs at the bid, a hundredth below the price.
    const each = what === 'an invoice in dollars' ? 21 : 20;
    const key = await newKey();
    await set(key, 'DAILY', 5 * each + each - 1);
    for (let n = 1; n <= 5; n++) {
      expect(await pay(key)).toMatchObject({ status: 'SUCCESS' });
      expect(await spent(key)).toBe(n * each);
    }
    const { cents } = await fundsOf(app, alice);
    expect(await pay(key)).toMatchObject(refusedBy('daily'));
    expect(await fundsOf(app, alice)).toMatchObject({ cents });
  });

  it('of an app count the cent as well', async () => {
    const shop = await newOAuthApp(app);
    const { access_token: token } = await shop.connect(alice, { scope: 'read write' });
    const key: Key = { id: shop.client.id, as: { 'oauth2-token': token } };
    expect(await app.get(AppService).changeLimits(alice.userId, shop.client.id, { daily: 119 })).toBe('changed');
    const pay = PAID_IN_CENTS['an invoice of a satoshi'] as (key: Key) => Promise<unknown>;
    for (let n = 1; n <= 5; n++) expect(await pay(key)).toMatchObject({ status: 'SUCCESS' });
    expect(await pay(key)).toMatchObject(refusedBy('daily'));
  });

  it('count the cents of a small send to the outside, with those of its fee', async () => {
    const key = await newKey();
    const dollars = new WalletClient(app.url, alice.wallets.USD, () => key.as);
    // Eleven satoshis are held, which cost a cent: 19.8.
    await set(key, 'DAILY', 39);
    expect(await dollars.pay((await fixture.outside(1, { routeFeeMsat: 2_000n })).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await spent(key)).toBe(20);
    expect(await dollars.pay((await fixture.outside(1)).paymentRequest)).toMatchObject(refusedBy('daily'));
  });

  it('count a retry of one attempt once', async () => {
    const key = await newKey();
    await set(key, 'DAILY', 500);
    const idempotency = { 'idempotency-key': `budget ${key.id}` };
    const answers = await Promise.all([send(key, 400, idempotency), send(key, 400, idempotency), send(key, 400, idempotency)]);
    expect(answers).toEqual([SUCCESS, SUCCESS, SUCCESS]);
    expect(await send(key, 400, idempotency)).toEqual(SUCCESS);
    expect(await spent(key)).toBe(400);
  });

  it('do not refuse the retry of a payment that used them up', async () => {
    const key = await newKey();
    await set(key, 'DAILY', 500);
    const principal: Principal = { kind: 'api-key', id: key.id, userId: alice.userId, scopes: new Set(['write']) };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal, attempt: `once ${key.id}` };
    const attempt = (): Promise<PaymentOutcome> =>
      app.get(PaymentService).pay(payer, { recipientWalletId: bob.wallets.BTC, amountSats: 500 });
    const [first, ...others] = await Promise.all([attempt(), attempt(), attempt()]);
    expect(first).toMatchObject({ kind: 'settled' });
    expect([...others, await attempt()]).toEqual([first, first, first]);
    expect(await spent(key)).toBe(500);
  });

  /** What a process does for the key, with no limits of accounts. */
  const begin = async (at: Pick<TestApp['pool'], 'query'>, key: Key, sats: number): Promise<unknown> =>
    (
      await at.query(
        `SELECT result FROM payment_begin_v2(ARRAY[ROW(gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, NULL, NULL, NULL, $4::bigint, 0, NULL, $5::text, NULL, false)::payment_attempt],
                                             ARRAY[ROW(NULL, NULL, NULL)::dealer_order], NULL, NULL, 0, NULL, NULL)`,
        [alice.userId, alice.wallets.BTC, bob.wallets.BTC, sats * 1_000, key.id],
      )
    ).rows[0].result as unknown;

  describe('are compared with a bound of what was spent, which', () => {
    it('is read from many payments once in a while, and not at each refused attempt', async () => {
      const key = await newKey();
      await set(key, 'ANNUAL', 36_000);
      const client = await app.pool.connect();
      const reads = async (): Promise<number> =>
        Number(
          (
            await client.query(
              `SELECT idx_tup_fetch AS n FROM pg_stat_xact_user_tables WHERE relname = 'payment' AND schemaname = current_schema()`,
            )
          ).rows[0].n,
        );
      try {
        await client.query('BEGIN');
        await client.query(
          `INSERT INTO payment (id, account_id, wallet_id, kind, amount_msat, fee_limit_msat, fee_msat, state, principal_id, created_at, finished_at)
           SELECT gen_random_uuid(), $1, $2, 'intraledger', 1000, 0, 0, 'settled', $3, now() - interval '300 days', now() FROM generate_series(1, 36000)`,
          [alice.accountId, alice.wallets.BTC, key.id],
        );
        const since = performance.now();
        for (let n = 0; n < 20; n += 1) expect(await begin(client, key, 1)).toBe('annual_budget');
        expect(await reads()).toBeGreaterThanOrEqual(36_000);
        // That many are read again after 3.6 s, which twenty attempts take on a busy machine.
        expect(await reads()).toBeLessThan((2 + (performance.now() - since) / 3_600) * 36_000);
        // What has become free counts as free at the next reading, for which a busy machine has no time to wait.
        await client.query(`UPDATE spending_bound SET read_after = clock_timestamp() + interval '5 minutes' WHERE owner = $1`, [key.id]);
        await client.query(`UPDATE payment SET created_at = created_at - interval '65 days' WHERE principal_id = $1`, [key.id]);
        expect(await begin(client, key, 1)).toBe('annual_budget');
        await client.query(`UPDATE spending_bound SET read_after = now() WHERE owner = $1`, [key.id]);
        expect(await begin(client, key, 1)).toBe('settled');
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
    });

    it('counts a payment that had begun without the limit', async () => {
      const key = await newKey();
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%budget_set%'`;
      const other = await app.pool.connect();
      try {
        await other.query('BEGIN');
        expect(await begin(other, key, 900)).toBe('settled');
        const setting = set(key, 'DAILY', 1_000);
        await eventually(async () => ((await app.pool.query(waiting)).rowCount ?? 0) > 0);
        await other.query('COMMIT');
        await setting;
      } finally {
        await other.query('ROLLBACK');
        other.release();
      }
      expect(await send(key, 101)).toEqual(refusedBy('daily'));
      expect(await send(key, 100)).toEqual(SUCCESS);
    });

    it('counts what was spent while the window had no limit', async () => {
      const key = await newKey();
      await set(key, 'DAILY', 1_000);
      await set(key, 'WEEKLY', 5_000);
      expect(await send(key, 400)).toEqual(SUCCESS);
      await remove(key, 'DAILY');
      expect(await send(key, 500)).toEqual(SUCCESS);
      await set(key, 'DAILY', 1_000);
      expect(await send(key, 101)).toEqual(refusedBy('daily'));
      expect(await send(key, 100)).toEqual(SUCCESS);
      expect(await send(key, 1)).toEqual(refusedBy('daily'));
    });

    it('is one for all that a batch begins, in every window', async () => {
      const key = await newKey();
      await Promise.all([set(key, 'DAILY', 2_000), set(key, 'WEEKLY', 1_500), set(key, 'ANNUAL', 9_000)]);
      const answers = await Promise.all(Array.from({ length: 30 }, () => send(key, 100) as Promise<{ status: string }>));
      expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(15);
      expect(await limitsOf(key)).toMatchObject({ dailySpentSats: 1_500, weeklySpentSats: 1_500, annualSpentSats: 1_500 });
    });
  });

  describe('are changed', () => {
    it.each([0, -1])('to no amount that is not positive: %i', async (limitSats) => {
      const { id } = await newKey();
      const { errors } = await graphql(app.url, SET, { input: { id, limitTimeWindow: 'DAILY', limitSats } }, session);
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
      expect(errors?.[0]?.message).toContain('Invalid limit amount (must be positive)');
    });

    it('of a key that cannot send too, where they have no effect', async () => {
      const key = await newKey(session, CREATE.replace('READ, WRITE, RECEIVE', 'READ'));
      expect(await set(key, 'DAILY', 100)).toMatchObject({ dailyLimitSats: 100, dailySpentSats: 0 });
      expect(await remove(key, 'DAILY')).toMatchObject({ dailyLimitSats: null });
    });

    it('never by a key, neither its own nor another one', async () => {
      const key = await newKey();
      await set(key, 'DAILY', 100);
      for (const by of [key.as, alice.as('all')]) {
        const input = { id: key.id, limitTimeWindow: 'DAILY' };
        const answers = [
          await graphql(app.url, SET, { input: { ...input, limitSats: 9_999 } }, by),
          await graphql(app.url, REMOVE, { input }, by),
        ];
        for (const { errors } of answers)
          expect(errors).toMatchObject([
            {
              message: 'Not authorized',
              extensions: { code: 'NOT_AUTHORIZED', hint: expect.stringContaining('a session of the account') as string },
            },
          ]);
      }
      expect(await limitsOf(key, key.as)).toMatchObject({ dailyLimitSats: 100 });
      expect(await send(key, 101)).toEqual(refusedBy('daily'));
    });

    it.each(['another person’s key', 'no key', 'no id'])('by their owner only: %s', async (what) => {
      const of = await newKey(await fixture.session(bob));
      const id = what === 'another person’s key' ? of.id : what === 'no key' ? '00000000-0000-4000-8000-000000000000' : 'x';
      const input = { id, limitTimeWindow: 'DAILY' };
      for (const answer of [
        await graphql(app.url, SET, { input: { ...input, limitSats: 5 } }, session),
        await graphql(app.url, REMOVE, { input }, session),
      ])
        expect(answer.errors).toMatchObject([{ message: 'API key not found', extensions: { code: 'NOT_FOUND' } }]);
    });

    it.each([
      ['was revoked', `UPDATE api_key SET revoked_at = now() WHERE id = $1`],
      ['has expired', `UPDATE api_key SET expires_at = now() WHERE id = $1`],
    ])('not of a key that %s', async (_what, ending) => {
      const key = await newKey();
      await set(key, 'DAILY', 100);
      await app.pool.query(ending, [key.id]);
      const input = { id: key.id, limitTimeWindow: 'DAILY' };
      for (const { errors } of [
        await graphql(app.url, SET, { input: { ...input, limitSats: 5 } }, session),
        await graphql(app.url, REMOVE, { input }, session),
      ])
        expect(errors).toMatchObject([{ message: 'The API key was revoked or has expired', extensions: { code: 'API_KEY_ENDED' } }]);
      expect(await limitsOf(key)).toMatchObject({ dailyLimitSats: 100 });
    });

    it('at once for different windows, and all are kept; for one window, one of them', async () => {
      const key = await newKey();
      await Promise.all([...WINDOWS, ...WINDOWS].map((window, n) => set(key, window, 1_000 + (n % 4))));
      expect(await limitsOf(key)).toMatchObject({
        dailyLimitSats: 1_000,
        weeklyLimitSats: 1_001,
        monthlyLimitSats: 1_002,
        annualLimitSats: 1_003,
      });
      await Promise.all([set(key, 'DAILY', 2_000), remove(key, 'DAILY')]);
      expect([2_000, null]).toContain((await limitsOf(key))['dailyLimitSats']);
    });

    it('and are gone with a key that was deleted', async () => {
      const key = await newKey();
      await set(key, 'DAILY', 100);
      expect(await send(key, 1)).toEqual(SUCCESS);
      await app.pool.query(`UPDATE api_key SET revoked_at = now() - interval '91 days' WHERE id = $1`, [key.id]);
      await app.get(ApiKeyService).purge();
      for (const [table, column] of [
        ['budget', 'id'],
        ['spending_bound', 'owner'],
      ])
        expect((await app.pool.query(`SELECT FROM ${table} WHERE ${column} = $1`, [key.id])).rowCount).toBe(0);
      expect(await limitsOf(key)).toEqual({});
    });
  });
});
