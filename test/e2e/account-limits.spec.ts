import type { Principal } from '../../src/edge/auth/index.js';
import { PaymentService, type PaymentOutcome } from '../../src/money/payment/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createDollarApp, createInvoice, payFromDollars, sendCents, sendSats, setPrice, PRICE } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';
import { OperatorCommand } from '../support/operator-command.js';
import { TimeTravel } from '../support/time-travel.js';

const DAY = 86_400;
const REMAINING = '{ totalLimit remainingLimit interval }';
const LIMITS = `{ me { defaultAccount { level limits { withdrawal ${REMAINING} internalSend ${REMAINING} convert ${REMAINING} } } } }`;
const BY_LEVEL = '{ globals { accountLimitsByLevel { level interval withdrawal internalSend convert } } }';
const FLOWS = ['withdrawal', 'internalSend', 'convert'] as const;

type Flow = (typeof FLOWS)[number];

/** At `PRICE`, 20 satoshis are a cent. */
const satsOf = (cents: number): number => cents * 20;
/** Level ONE: 10, 20 and 50 dollars. */
const ENV = { ACCOUNT_LIMITS: 'ZERO=0/1/1,ONE=1000/2000/5000,TWO=1250/200000/200000,THREE=9000000/9000000/9000000' };
const refusedAbove = (dollars: string): object => ({
  status: 'FAILURE',
  errors: [{ code: 'TRANSACTION_RESTRICTED', message: `Cannot transfer more than ${dollars} in 24 hours` }],
});
const SUCCESS = { status: 'SUCCESS', errors: [] };

describe('the limits of accounts', () => {
  let app: TestApp;
  let fixture: Fixture;
  let bob: Person;

  beforeAll(async () => {
    app = await createDollarApp({ env: ENV });
    fixture = new Fixture(app);
    bob = await fixture.user();
  });
  afterEach(async () => {
    await setPrice(app, PRICE);
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  const sluice = (...argv: string[]): Promise<string> => new OperatorCommand(app).run(...argv);
  const person = (): Promise<Person> => fixture.user({ sats: 2_000_000 });
  const left = async (who: Person, flow: Flow): Promise<unknown> =>
    (await dataOf(app.url, LIMITS, {}, who.as('read'))).me.defaultAccount.limits[flow][0].remainingLimit as unknown;
  const allLeft = (who: Person): Promise<unknown[]> => Promise.all(FLOWS.map((flow) => left(who, flow)));
  const withdraw = async (who: Person, sats: number): Promise<unknown> =>
    (await who.pay((await fixture.outside(sats)).paymentRequest)) as unknown;
  const send = (who: Person, sats: number): Promise<unknown> => sendSats(app, who, bob.wallets.BTC, sats) as Promise<unknown>;
  const convert = (who: Person, sats: number): Promise<unknown> => sendSats(app, who, who.wallets.USD, sats) as Promise<unknown>;

  it('are shown by level, and of an account with what is left', async () => {
    expect((await dataOf(app.url, BY_LEVEL)).globals.accountLimitsByLevel).toEqual([
      { level: 'ZERO', interval: DAY, withdrawal: 0, internalSend: 1, convert: 1 },
      { level: 'ONE', interval: DAY, withdrawal: 1_000, internalSend: 2_000, convert: 5_000 },
      { level: 'TWO', interval: DAY, withdrawal: 1_250, internalSend: 200_000, convert: 200_000 },
      { level: 'THREE', interval: DAY, withdrawal: 9_000_000, internalSend: 9_000_000, convert: 9_000_000 },
    ]);
    const alice = await fixture.user();
    expect((await dataOf(app.url, LIMITS, {}, alice.as('read'))).me.defaultAccount).toEqual({
      level: 'ONE',
      limits: {
        withdrawal: [{ totalLimit: 1_000, remainingLimit: 1_000, interval: DAY }],
        internalSend: [{ totalLimit: 2_000, remainingLimit: 2_000, interval: DAY }],
        convert: [{ totalLimit: 5_000, remainingLimit: 5_000, interval: DAY }],
      },
    });
  });

  it.each([
    ['withdrawal', withdraw, 1_000, '$10', [10, 2_000, 5_000]],
    ['internalSend', send, 2_000, '$20', [1_000, 10, 5_000]],
    ['convert', convert, 5_000, '$50', [1_000, 2_000, 10]],
  ] as const)('%s: allows the limit exactly, and not a satoshi more; the other flows keep theirs', async (flow, pay, limit, text, rest) => {
    const alice = await person();
    expect(await pay(alice, satsOf(limit) + 1)).toMatchObject(refusedAbove(text));
    expect(await allLeft(alice)).toEqual([1_000, 2_000, 5_000]);
    expect(await pay(alice, satsOf(limit - 10))).toMatchObject(SUCCESS);
    expect(await allLeft(alice)).toEqual(rest);
    const before = await alice.sats();
    expect(await pay(alice, satsOf(10) + 1)).toMatchObject(refusedAbove(text));
    expect(await alice.sats()).toBe(before);
    expect(await pay(alice, satsOf(10) - 1)).toMatchObject(SUCCESS);
    // A satoshi is left: less than a cent.
    expect(await left(alice, flow)).toBe(0);
    expect(await pay(alice, satsOf(2))).toMatchObject(refusedAbove(text));
  });

  it.each([
    ['withdrawal', withdraw],
    ['internalSend', send],
    ['convert', convert],
  ] as const)('%s: an amount that neither the limit nor the balance covers is refused for the balance', async (_flow, pay) => {
    expect(await pay(await person(), 3_000_000)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'INSUFFICIENT_BALANCE' }] });
  });

  it('count invoices of this server as sends to other accounts, and those of the own wallets as exchanges', async () => {
    const alice = await person();
    expect(await alice.pay((await bob.invoice(satsOf(500))).paymentRequest)).toMatchObject(SUCCESS);
    expect(await allLeft(alice)).toEqual([1_000, 1_500, 5_000]);
    expect(await alice.pay((await bob.invoice(satsOf(1_500) + 1)).paymentRequest)).toMatchObject(refusedAbove('$20'));
    const own = await createInvoice(app, 'lnUsdInvoiceCreate', alice, 1_000);
    expect(await alice.pay(own.invoice.paymentRequest as string)).toMatchObject(SUCCESS);
    const [withdrawal, internal, exchange] = await allLeft(alice);
    expect([withdrawal, internal]).toEqual([1_000, 1_500]);
    expect(exchange).toBeGreaterThan(3_900);
    expect(exchange).toBeLessThanOrEqual(4_000);
  });

  it('are free again once the payment is a day old, and not before', async () => {
    const alice = await person();
    const travel = new TimeTravel(app);
    expect(await send(alice, satsOf(2_000))).toMatchObject(SUCCESS);
    await travel.historyOf(alice.accountId, DAY - 600);
    expect(await send(alice, 1)).toMatchObject(refusedAbove('$20'));
    await travel.historyOf(alice.accountId, 600);
    expect(await left(alice, 'internalSend')).toBe(2_000);
    expect(await send(alice, satsOf(2_000))).toMatchObject(SUCCESS);
    expect(await send(alice, 1)).toMatchObject(refusedAbove('$20'));
  });

  it('count a payment in flight without its fee limit, and get back what a failed one had taken', async () => {
    const alice = await person();
    const failing = await fixture.outside(satsOf(1_000), { hold: true, routeFeeMsat: 2_000n });
    const paying = alice.pay(failing.paymentRequest);
    await eventually(async () => (await left(alice, 'withdrawal')) === 0);
    expect(await withdraw(alice, 1)).toMatchObject(refusedAbove('$10'));
    await fixture.release(failing.paymentHash, 'no_route');
    expect(await paying).toMatchObject({ status: 'FAILURE' });
    expect(await left(alice, 'withdrawal')).toBe(1_000);
    expect(await withdraw(alice, satsOf(1_000))).toMatchObject(SUCCESS);
    expect(await left(alice, 'withdrawal')).toBe(0);
  });

  it('count the sum of both wallets: dollars in cents, bitcoin at the price of now', async () => {
    const alice = await person();
    expect(await convert(alice, satsOf(4_000))).toMatchObject(SUCCESS);
    expect(await sendCents(app, alice, bob.wallets.USD, 1_000)).toMatchObject(SUCCESS);
    expect(await send(alice, satsOf(500))).toMatchObject(SUCCESS);
    expect(await left(alice, 'internalSend')).toBe(500);
    expect(await sendCents(app, alice, bob.wallets.USD, 501)).toMatchObject(refusedAbove('$20'));
    // The bitcoin that were sent are worth twice as much now: with them, the limit is used up.
    await setPrice(app, PRICE * 2n);
    expect(await left(alice, 'internalSend')).toBe(0);
    expect(await sendCents(app, alice, bob.wallets.USD, 1)).toMatchObject(refusedAbove('$20'));
    await setPrice(app, PRICE);
    expect(await sendCents(app, alice, bob.wallets.USD, 500)).toMatchObject(SUCCESS);
    expect(await payFromDollars(app, alice, (await fixture.outside(satsOf(100))).paymentRequest)).toMatchObject(SUCCESS);
    expect(await left(alice, 'withdrawal')).toBeLessThan(900);
    expect(await sendCents(app, alice, alice.wallets.BTC, 100)).toMatchObject(SUCCESS);
    expect(await left(alice, 'convert')).toBe(900);
  });

  it('count bitcoin at the price that the operator states while there is none, and show nothing that needs one', async () => {
    const alice = await person();
    expect(await send(alice, satsOf(500))).toMatchObject(SUCCESS);
    await setPrice(app, undefined);
    // At ten million cents a bitcoin, 2,000 cents are 20,000 satoshis, of which 10,000 are spent.
    expect(await send(alice, 10_001)).toMatchObject(refusedAbove('$20'));
    expect(await send(alice, 10_000)).toMatchObject(SUCCESS);
    const { data, errors } = await graphql(app.url, LIMITS, {}, alice.as('read'));
    expect(data?.me.defaultAccount.limits.internalSend).toEqual([{ totalLimit: 2_000, remainingLimit: null, interval: DAY }]);
    expect(errors).toHaveLength(3);
    for (const { extensions } of errors ?? []) expect(extensions).toMatchObject({ code: 'PRICE_UNAVAILABLE' });
    await setPrice(app, PRICE);
    expect(await left(alice, 'internalSend')).toBe(1_000);
  });

  it('count a retry of one attempt once, and do not refuse the retry of a payment that used them up', async () => {
    const alice = await person();
    const principal: Principal = { kind: 'api-key', id: alice.accountId, userId: alice.userId, scopes: new Set(['write']) };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal, attempt: `once ${alice.accountId}` };
    const attempt = (): Promise<PaymentOutcome> =>
      app.get(PaymentService).pay(payer, { recipientWalletId: bob.wallets.BTC, amountSats: satsOf(2_000) });
    const [first, ...others] = await Promise.all([attempt(), attempt(), attempt()]);
    expect(first).toMatchObject({ kind: 'settled' });
    expect([...others, await attempt()]).toEqual([first, first, first]);
    expect(await left(alice, 'internalSend')).toBe(0);
    expect(await send(alice, 1)).toMatchObject(refusedAbove('$20'));
    expect(await attempt()).toEqual(first);
  });

  /** What a process does, with the limit of level ONE for sends to other accounts. */
  const begin = async (at: Pick<TestApp['pool'], 'query'>, who: Person, sats: number): Promise<unknown> =>
    (
      await at.query(
        `SELECT result FROM payment_begin_v2(ARRAY[ROW(gen_random_uuid(), $1::uuid, $2::uuid, $3::uuid, NULL, NULL, NULL, $4::bigint, 0, NULL, 'x', NULL, false)::payment_attempt],
                                             ARRAY[ROW(NULL, NULL, NULL)::dealer_order], NULL, NULL, 0, ARRAY[ROW('ONE', 'internal_send', 2000)::account_limit], $5)`,
        [who.userId, who.wallets.BTC, bob.wallets.BTC, sats * 1_000, PRICE],
      )
    ).rows as unknown;

  it.each([0, 500])('see what another process is spending, after %i cents', async (spentCents) => {
    const alice = await person();
    if (spentCents > 0) expect(await send(alice, satsOf(spentCents))).toMatchObject(SUCCESS);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payment_begin_v2%'`;
    const other = await app.pool.connect();
    try {
      await other.query('BEGIN');
      expect(await begin(other, alice, satsOf(1_000))).toEqual([{ result: 'settled' }]);
      const second = begin(app.pool, alice, satsOf(1_001));
      await eventually(async () => ((await app.pool.query(waiting)).rowCount ?? 0) > 0);
      await other.query('COMMIT');
      expect(await second).toEqual([{ result: 'internal_send_limit' }]);
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
    expect(await left(alice, 'internalSend')).toBe(1_000 - spentCents);
  });

  it('of several payments of one batch are those of all together', async () => {
    const alice = await person();
    const answers = await Promise.all(Array.from({ length: 30 }, () => send(alice, satsOf(100)) as Promise<{ status: string }>));
    expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(20);
    expect(await left(alice, 'internalSend')).toBe(0);
  });

  it('do not count adjustments by operators', async () => {
    const alice = await person();
    await app.pool.query(
      `SELECT ledger_apply(ARRAY[ROW('post', gen_random_uuid(), ledger_journal_kind('adjustment'), NULL,
         ARRAY[ROW(ledger_account_id, -10000), ROW(ledger_system_account('adjustment'), 10000)]::ledger_leg[])::ledger_operation]),
              history_add_v2(ARRAY[ROW(gen_random_uuid(), id, 'SEND', 'SUCCESS', -10000, 0, 'correction', NULL, 'intraledger', 'intraledger', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::history_row_v2])
         FROM wallet WHERE id = $1`,
      [alice.wallets.BTC],
    );
    expect(await allLeft(alice)).toEqual([1_000, 2_000, 5_000]);
  });

  describe('of a level', () => {
    it('bind from the next payment on, with a row in the log of operators', async () => {
      const alice = await person();
      expect(await withdraw(alice, satsOf(1_000))).toMatchObject(SUCCESS);
      expect(await sluice('account', 'level', alice.username, 'two', '--because', 'passport seen')).toContain('has the level TWO');
      expect(await left(alice, 'withdrawal')).toBe(250);
      expect(await withdraw(alice, satsOf(250) + 1)).toMatchObject(refusedAbove('$12.50'));
      expect(await withdraw(alice, satsOf(250))).toMatchObject(SUCCESS);
      await sluice('account', 'level', alice.accountId, 'ZERO', '--because', 'the passport is not theirs');
      expect(await allLeft(alice)).toEqual([0, 1, 1]);
      expect(await withdraw(alice, 1)).toMatchObject(refusedAbove('$0'));
      const { rows } = await app.pool.query<{ action: string; because: string; details: unknown }>(
        'SELECT action, because, details FROM operator_action WHERE subject = $1 ORDER BY id',
        [alice.accountId],
      );
      expect(rows).toEqual([
        { action: 'account level', because: 'passport seen', details: { from: 'ONE', to: 'TWO' } },
        { action: 'account level', because: 'the passport is not theirs', details: { from: 'TWO', to: 'ZERO' } },
      ]);
    });

    it('are set to a known level of an account that there is, once', async () => {
      expect(await sluice('account', 'level', bob.email, 'ONE', '--because', 'asked')).toContain('had already the level ONE');
      await expect(sluice('account', 'level', bob.username, 'FOUR', '--because', 'x')).rejects.toThrow('must be one of: ZERO, ONE, TWO');
      await expect(sluice('account', 'level', '00000000-0000-4000-8000-000000000000', 'TWO', '--because', 'x')).rejects.toThrow(
        'no account',
      );
      await expect(sluice('account', 'level', bob.username, 'TWO', '--because', ' ')).rejects.toThrow('must not be empty');
    });
  });

  it('read a long history once in a while, and not at each refused attempt', async () => {
    const alice = await person();
    expect(await send(alice, satsOf(2_000))).toMatchObject(SUCCESS);
    await app.pool.query(
      `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, external_id_by_owner, initiation, settlement, counterparty_wallet_id, created_at, settled_at)
       SELECT gen_random_uuid(), $1, $2, 'BTC', 'SEND', 'FAILURE', -1000, false, 'ln', 'ln', NULL, now(), now() FROM generate_series(1, 36000)`,
      [alice.accountId, alice.wallets.BTC],
    );
    const readAfter = async (): Promise<Date | undefined> =>
      (
        await app.pool.query<{ at: Date }>('SELECT read_after AS at FROM spending_bound WHERE owner = $1 AND part = $2', [
          alice.accountId,
          'internal_send',
        ])
      ).rows[0]?.at;
    const before = (await app.pool.query<{ at: Date }>('SELECT clock_timestamp() AS at')).rows[0]?.at;
    expect(await send(alice, 1)).toMatchObject(refusedAbove('$20'));
    // That many are read again after 3.6 s, in which a busy machine does not make them older.
    expect(Number(await readAfter()) - Number(before)).toBeGreaterThanOrEqual(3_600);
    await app.pool.query(`UPDATE spending_bound SET read_after = now() + interval '5 minutes' WHERE owner = $1`, [alice.accountId]);
    const first = await readAfter();
    await new TimeTravel(app).historyOf(alice.accountId, DAY);
    expect(await send(alice, 1)).toMatchObject(refusedAbove('$20'));
    expect(await readAfter()).toEqual(first);
    await app.pool.query(`UPDATE spending_bound SET read_after = now() WHERE owner = $1`, [alice.accountId]);
    expect(await send(alice, 1)).toMatchObject(SUCCESS);
  });
});

describe('ACCOUNT_LIMITS=none', () => {
  let app: TestApp;
  let fixture: Fixture;

  beforeAll(async () => {
    app = await createTestApp({ env: { ACCOUNT_LIMITS: 'none' } });
    fixture = new Fixture(app);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('shows no limits and refuses nothing', async () => {
    const [alice, bob] = [await fixture.user({ sats: 50_000_000 }), await fixture.user()];
    expect((await dataOf(app.url, BY_LEVEL)).globals.accountLimitsByLevel).toEqual([]);
    expect((await dataOf(app.url, LIMITS, {}, alice.as('read'))).me.defaultAccount.limits).toEqual({
      withdrawal: [],
      internalSend: [],
      convert: [],
    });
    expect(await sendSats(app, alice, bob.wallets.BTC, 40_000_000)).toMatchObject(SUCCESS);
  });

  it('still counts for a process beside it that has limits', async () => {
    const [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user()];
    const beside = await createTestApp({ beside: app, env: { ACCOUNT_LIMITS: 'ZERO=0/0/0,ONE=61/61/61,TWO=0/0/0,THREE=0/0/0' } });
    try {
      // At 6,125,000 cents a bitcoin, 61 cents are 995 satoshis.
      expect(await sendSats(beside, alice, bob.wallets.BTC, 500)).toMatchObject(SUCCESS);
      expect(await sendSats(app, alice, bob.wallets.BTC, 400)).toMatchObject(SUCCESS);
      expect(await sendSats(beside, alice, bob.wallets.BTC, 96)).toMatchObject(refusedAbove('$0.61'));
      expect(await sendSats(beside, alice, bob.wallets.BTC, 95)).toMatchObject(SUCCESS);
      expect(await sendSats(app, alice, bob.wallets.BTC, 5)).toMatchObject(SUCCESS);
    } finally {
      await beside.close();
    }
  });
});
