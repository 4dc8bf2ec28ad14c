import type { TestApp } from '../support/app.js';
import { createDollarApp, fundsOf, PRICE, sendCents, sendSats, setPrice } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';

/** 4,950,000 cents for a bitcoin are paid to those who sell, and 5,050,000 by those who buy. */
const LIMIT_CENTS = 100_000;
const HISTORY = `{ me { defaultAccount { transactions { edges { node { direction status settlementAmount settlementFee settlementCurrency settlementDisplayAmount memo
  initiationVia { ... on InitiationViaIntraLedger { counterPartyWalletId counterPartyUsername } } } } } } } }`;

let app: TestApp;
/** Another process of the same installation. */
let other: TestApp;
let fixture: Fixture;

beforeAll(async () => {
  app = await createDollarApp({ env: { DEALER_LIMIT_CENTS: String(LIMIT_CENTS) } });
  other = await createDollarApp({ beside: app, env: { DEALER_LIMIT_CENTS: String(LIMIT_CENTS) } });
  fixture = new Fixture(app);
});
afterAll(async () => {
  await other.close();
  await app.close();
});

describe('intraLedgerUsdPaymentSend, and exchanges by intraLedgerPaymentSend', () => {
  let alice: Person;

  beforeEach(async () => {
    await setPrice(app, PRICE);
    alice = await fixture.user({ sats: 100_000 });
  });
  afterEach(async () => {
    await fixture.expectBalanced();
    await setPrice(app, PRICE);
    // The limit is that of all customers: what this test has bought is sold again.
    await sendCents(app, alice, alice.wallets.BTC, (await fundsOf(app, alice)).cents);
  });

  /** [bitcoin, dollars] of the dealer. */
  const dealer = async (): Promise<bigint[]> =>
    (await app.pool.query<{ posted: bigint }>('SELECT posted FROM ledger_account WHERE id IN (-3, -4) ORDER BY id DESC')).rows.map(
      ({ posted }) => posted,
    );
  const change = async (work: () => Promise<unknown>): Promise<bigint[]> => {
    const before = await dealer();
    await work();
    return (await dealer()).map((posted, index) => posted - (before[index] ?? 0n));
  };
  const refused = (code: string, path: readonly string[] | null): object => ({
    status: 'FAILURE',
    errors: [{ code, path, message: expect.any(String) as string }],
    transaction: null,
  });
  /** As if the process had ended before it stored the answer. */
  const unanswered = (): Promise<unknown> =>
    app.pool.query(`UPDATE idempotency SET state = 'running', answer = NULL, claim = NULL, claimed_until = now()`);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const historyOf = async (person: Person): Promise<any[]> =>
    (await dataOf(app.url, HISTORY, {}, person.as('read'))).me.defaultAccount.transactions.edges.map(({ node }: { node: unknown }) => node);

  it('exchanges bitcoin for dollars at the bid, by four legs', async () => {
    const moved = await change(async () => {
      expect(await sendSats(app, alice, alice.wallets.USD, 50_000, { memo: 'saved' })).toMatchObject({
        status: 'SUCCESS',
        errors: [],
        transaction: { status: 'SUCCESS', direction: 'SEND', settlementAmount: -50_000, settlementFee: 0, settlementCurrency: 'BTC' },
      });
    });
    expect(moved).toEqual([50_000_000n, -2_475n]);
    expect(await fundsOf(app, alice)).toEqual({ sats: 50_000, cents: 2_475 });
    expect((await historyOf(alice)).slice(0, 2)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ direction: 'SEND', settlementAmount: -50_000, settlementCurrency: 'BTC', memo: 'saved' }),
        {
          direction: 'RECEIVE',
          status: 'SUCCESS',
          settlementAmount: 2_475,
          settlementFee: 0,
          settlementCurrency: 'USD',
          settlementDisplayAmount: '24.75',
          memo: 'saved',
          initiationVia: { counterPartyWalletId: alice.wallets.BTC, counterPartyUsername: alice.username },
        },
      ]),
    );
  });

  it('exchanges dollars for whole satoshis at the ask, by four legs', async () => {
    await sendSats(app, alice, alice.wallets.USD, 100_000);
    const moved = await change(async () => {
      expect(await sendCents(app, alice, alice.wallets.BTC, '1000')).toMatchObject({
        status: 'SUCCESS',
        transaction: { direction: 'SEND', settlementAmount: -1_000, settlementFee: 0, settlementCurrency: 'USD' },
      });
    });
    // 1,000 cents are worth 19,801.98 satoshis.
    expect(moved).toEqual([-19_801_000n, 1_000n]);
    expect(await fundsOf(app, alice)).toEqual({ sats: 19_801, cents: 3_950 });
  });

  it('moves dollars to the dollars of another person, past the dealer', async () => {
    const bob = await fixture.user();
    await sendSats(app, alice, alice.wallets.USD, 100_000);
    expect(await change(() => sendCents(app, alice, bob.wallets.USD, 4_950, { memo: 'rent' }))).toEqual([0n, 0n]);
    expect([await fundsOf(app, alice), await fundsOf(app, bob)]).toEqual([
      { sats: 0, cents: 0 },
      { sats: 0, cents: 4_950 },
    ]);
    expect((await historyOf(bob))[0]).toMatchObject({ settlementAmount: 4_950, settlementCurrency: 'USD', memo: 'rent' });
    expect(await sendCents(app, bob, alice.wallets.USD, 4_950)).toMatchObject({ status: 'SUCCESS' });
  });

  it('pays another person across the currencies, in both directions', async () => {
    const bob = await fixture.user();
    expect(await sendSats(app, alice, bob.wallets.USD, 10_000)).toMatchObject({ status: 'SUCCESS' });
    expect(await sendCents(app, bob, alice.wallets.BTC, 495)).toMatchObject({ status: 'SUCCESS' });
    expect([await fundsOf(app, alice), await fundsOf(app, bob)]).toEqual([
      { sats: 99_801, cents: 0 },
      { sats: 0, cents: 0 },
    ]);
  });

  it('makes nothing by rounding: amounts that are exchanged to and fro, however small, do not grow', async () => {
    await sendSats(app, alice, alice.wallets.USD, 40_000);
    for (const [sats, cents] of [
      [21, 1],
      [41, 2],
      [61, 3],
    ]) {
      const before = await fundsOf(app, alice);
      await sendSats(app, alice, alice.wallets.USD, sats);
      await sendCents(app, alice, alice.wallets.BTC, cents);
      const after = await fundsOf(app, alice);
      const worth = (funds: { sats: number; cents: number }): number => funds.sats * 0.05 + funds.cents;
      expect(worth(after)).toBeLessThanOrEqual(worth(before));
    }
  });

  it('refuses an amount that is worth less than a cent, and takes nothing for it', async () => {
    expect(await sendSats(app, alice, alice.wallets.USD, 20)).toEqual(refused('INVALID_INPUT', ['input', 'amount']));
    expect(await sendCents(app, alice, alice.wallets.BTC, 0)).toEqual({
      status: 'FAILURE',
      errors: [{ code: 'INVALID_INPUT', message: 'A valid usd amount is required', path: ['input', 'amount'] }],
      transaction: null,
    });
    expect(await fundsOf(app, alice)).toEqual({ sats: 100_000, cents: 0 });
  });

  it('refuses fractions of a cent and an amount in the other currency than the payer’s wallet', async () => {
    await sendSats(app, alice, alice.wallets.USD, 50_000);
    expect(await sendCents(app, alice, alice.wallets.BTC, 0.5)).toMatchObject({
      status: null,
      errors: [{ message: 'Invalid value for CentAmount' }],
    });
    const { BTC, USD } = alice.wallets;
    expect(await sendCents(app, alice, USD, 5, { walletId: BTC })).toEqual(refused('INVALID_INPUT', ['input', 'walletId']));
    expect(await sendSats(app, alice, BTC, 50, { walletId: USD })).toEqual(refused('INVALID_INPUT', ['input', 'walletId']));
    expect(await sendCents(app, alice, USD, 5)).toEqual(refused('CANT_PAY_SELF', null));
    expect(await sendCents(app, alice, '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f', 5)).toEqual(
      refused('NOT_FOUND', ['input', 'recipientWalletId']),
    );
    expect(await fundsOf(app, alice)).toEqual({ sats: 50_000, cents: 2_475 });
  });

  it('refuses what is worth more than all the bitcoin there can be, and harms no other payment', async () => {
    await sendSats(app, alice, alice.wallets.USD, 50_000);
    await setPrice(app, 100n);
    const [huge, ordinary] = await Promise.all([
      sendCents(app, alice, alice.wallets.BTC, 10_000_000_000_000),
      sendSats(app, alice, (await fixture.user()).wallets.BTC, 1_000),
    ]);
    expect(huge).toEqual(refused('INVALID_INPUT', ['input', 'amount']));
    expect(ordinary).toMatchObject({ status: 'SUCCESS' });
    expect(await fundsOf(app, alice)).toEqual({ sats: 49_000, cents: 2_475 });
  });

  it('sends the whole balance, and not one cent more', async () => {
    await sendSats(app, alice, alice.wallets.USD, 50_000);
    expect(await sendCents(app, alice, alice.wallets.BTC, 2_476)).toEqual(refused('INSUFFICIENT_BALANCE', ['input', 'walletId']));
    expect(await sendCents(app, alice, alice.wallets.BTC, 2_475)).toMatchObject({ status: 'SUCCESS' });
  });

  it('never overdraws, and never owes more than the limit, in a hundred simultaneous attempts at two processes', async () => {
    const rich = await fixture.user({ sats: 2_500_000 });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => sendSats(index % 2 ? app : other, rich, rich.wallets.USD, 200_000)),
    );
    const kinds = new Map<string, number>();
    for (const { status, errors } of answers) kinds.set(errors[0]?.code ?? status, (kinds.get(errors[0]?.code ?? status) ?? 0) + 1);
    // 9,900 cents each: ten of them are within the limit of 100,000.
    expect(kinds.get('SUCCESS')).toBe(10);
    expect([...kinds.keys()].sort()).toEqual(expect.arrayContaining(['DEALER_LIMIT', 'SUCCESS']));
    expect(await fundsOf(app, rich)).toEqual({ sats: 500_000, cents: 99_000 });
    const back = await Promise.all(Array.from({ length: 20 }, () => sendCents(app, rich, rich.wallets.BTC, 9_900)));
    expect(back.filter(({ status }) => status === 'SUCCESS')).toHaveLength(10);
    expect((await fundsOf(app, rich)).cents).toBe(0);
  });

  it('accepts no more dollars than the operator allows, and lets them go back', async () => {
    const rich = await fixture.user({ sats: 2_100_000 });
    expect(await sendSats(app, rich, rich.wallets.USD, 2_100_000)).toEqual(refused('DEALER_LIMIT', null));
    expect(await sendSats(app, rich, rich.wallets.USD, 2_000_000)).toMatchObject({ status: 'SUCCESS' });
    expect(await sendSats(app, alice, alice.wallets.USD, 50_000)).toEqual(refused('DEALER_LIMIT', null));
    expect(await sendSats(app, alice, rich.wallets.BTC, 50_000)).toMatchObject({ status: 'SUCCESS' });
    expect(await sendCents(app, rich, rich.wallets.BTC, 99_000)).toMatchObject({ status: 'SUCCESS' });
  });

  it('refuses what needs a price while there is none, and sends bitcoin as before', async () => {
    const bob = await fixture.user();
    await sendSats(app, alice, alice.wallets.USD, 50_000);
    await setPrice(app, undefined);
    const none = refused('PRICE_UNAVAILABLE', null);
    expect(await sendSats(app, alice, alice.wallets.USD, 1_000)).toEqual(none);
    expect(await sendCents(app, alice, alice.wallets.BTC, 100)).toEqual(none);
    expect(await sendCents(app, alice, bob.wallets.USD, 100)).toEqual(none);
    expect(await sendSats(app, alice, bob.wallets.BTC, 1_000)).toMatchObject({ status: 'SUCCESS' });
    expect(await fundsOf(app, alice)).toEqual({ sats: 49_000, cents: 2_475 });
  });

  it('pays once for one idempotency key, also if the price has gone or moved in between', async () => {
    await sendSats(app, alice, alice.wallets.USD, 50_000);
    const document = `mutation ($input: IntraLedgerUsdPaymentSendInput!) { intraLedgerUsdPaymentSend(input: $input) { status transaction { id } errors { code } } }`;
    const input = { walletId: alice.wallets.USD, recipientWalletId: alice.wallets.BTC, amount: 1_000 };
    const headers = { ...alice.as('all'), 'idempotency-key': `k-${alice.userId}` };
    const first = await graphql(app.url, document, { input }, headers);
    expect(first.data).toMatchObject({ intraLedgerUsdPaymentSend: { status: 'SUCCESS' } });
    await unanswered();
    await setPrice(app, undefined);
    expect((await graphql(app.url, document, { input }, headers)).data).toEqual(first.data);
    await unanswered();
    await setPrice(app, 2n * PRICE);
    expect((await graphql(app.url, document, { input }, headers)).data).toEqual(first.data);
    expect(await fundsOf(app, alice)).toEqual({ sats: 69_801, cents: 1_475 });
  });
});

describe('intraLedgerPaymentSend', () => {
  const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) {
    status errors { message code path } transaction { id status direction settlementAmount settlementFee memo } } }`;

  let alice: Person;
  let bob: Person;

  beforeEach(async () => {
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
  });
  afterEach(() => fixture.expectBalanced());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const send = async (input: Record<string, unknown> = {}): Promise<any> => {
    const full = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 100, ...input };
    return (await dataOf(app.url, SEND, { input: full }, bob.as('write'))).intraLedgerPaymentSend;
  };
  const balances = (): Promise<number[]> => Promise.all([alice.sats(), bob.sats()]);
  const refused = (code: string, message: string, path: readonly string[] | null): object => ({
    status: 'FAILURE',
    errors: [{ code, message, path }],
    transaction: null,
  });
  const unread = (message: string, argument: string): object => ({
    status: null,
    errors: [{ code: 'INVALID_INPUT', message, path: ['input', argument] }],
    transaction: null,
  });

  it('moves satoshis at once without a fee', async () => {
    expect(await send({ memo: 'lunch' })).toEqual({
      status: 'SUCCESS',
      errors: [],
      transaction: {
        id: expect.any(String) as string,
        status: 'SUCCESS',
        direction: 'SEND',
        settlementAmount: -100,
        settlementFee: 0,
        memo: 'lunch',
      },
    });
    expect(await balances()).toEqual([100, 900]);
  });

  it('pays twice without an idempotency key', async () => {
    const [first, second] = [await send(), await send()];
    expect(first.transaction.id).not.toBe(second.transaction.id);
    expect(await balances()).toEqual([200, 800]);
  });

  it('sends the whole balance, and not one satoshi more', async () => {
    expect(await send({ amount: 1_001 })).toMatchObject({
      status: 'FAILURE',
      errors: [{ code: 'INSUFFICIENT_BALANCE', path: ['input', 'walletId'] }],
      transaction: null,
    });
    expect(await send({ amount: '1000' })).toMatchObject({ status: 'SUCCESS' });
    expect(await send({ amount: 1 })).toMatchObject({ status: 'FAILURE', errors: [{ code: 'INSUFFICIENT_BALANCE' }] });
    expect(await balances()).toEqual([1_000, 0]);
  });

  it('never overdraws in fifty simultaneous attempts', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send({ amount: 30 })));
    expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(33);
    expect(new Set(answers.flatMap(({ errors }) => errors.map(({ code }: { code: string }) => code)))).toEqual(
      new Set(['INSUFFICIENT_BALANCE']),
    );
    expect(await balances()).toEqual([990, 10]);
  });

  it('ends in a circle of simultaneous payments, without a deadlock', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => fixture.user({ sats: 100 })));
    const document = (from: Person, to: Person): Promise<unknown> =>
      dataOf(app.url, SEND, { input: { walletId: from.wallets.BTC, recipientWalletId: to.wallets.BTC, amount: 1 } }, from.as('write'));
    await Promise.all(
      Array.from({ length: 8 }, () => people.map((from, i) => document(from, people[(i + 1) % people.length] ?? from))).flat(),
    );
    expect(await Promise.all(people.map((person) => person.sats()))).toEqual([100, 100, 100, 100, 100]);
  });

  it.each([0, 0.9])('refuses an amount of %d', async (amount) => {
    expect(await send({ amount })).toEqual(refused('INVALID_INPUT', 'A valid satoshi amount is required', ['input', 'amount']));
  });

  it.each([
    [{ amount: -0.9 }, 'Invalid value for SatAmount', 'amount'],
    [{ recipientWalletId: "'; DROP TABLE wallet; --" }, 'Invalid value for WalletId', 'recipientWalletId'],
    [{ memo: 'a'.repeat(640) }, 'Memo is too long', 'memo'],
  ])('refuses %j before execution', async (input, message, argument) => {
    expect(await send(input)).toEqual(unread(message, argument));
    expect(await balances()).toEqual([0, 1_000]);
  });

  it('refuses wallets that do not exist, of other accounts, or that pay in dollars', async () => {
    const unknownWallet = '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f';
    const [unknownPayer, unknownPayee] = ['walletId', 'recipientWalletId'].map((argument) =>
      refused('NOT_FOUND', 'Wallet not found', ['input', argument]),
    );
    expect(await send({ walletId: unknownWallet })).toEqual(unknownPayer);
    expect(await send({ walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC })).toEqual(unknownPayer);
    expect(await send({ walletId: alice.wallets.BTC, recipientWalletId: alice.wallets.USD })).toEqual(unknownPayer);
    expect(await send({ recipientWalletId: unknownWallet })).toEqual(unknownPayee);
    expect(await send({ recipientWalletId: alice.accountId })).toEqual(unknownPayee);
    const currency = "Unsupported operation for wallet's currency.";
    expect(await send({ walletId: bob.wallets.USD })).toEqual(refused('INVALID_INPUT', currency, ['input', 'walletId']));
    expect(await balances()).toEqual([0, 1_000]);
  });

  it('refuses the caller’s own wallet', async () => {
    for (const recipientWalletId of [bob.wallets.BTC, bob.wallets.BTC.toUpperCase()]) {
      expect(await send({ recipientWalletId })).toEqual(refused('CANT_PAY_SELF', 'User tried to pay themselves', null));
    }
  });

  it('works while the Lightning node is unavailable', async () => {
    await fixture.simulator.setAway(true);
    expect(await send()).toMatchObject({ status: 'SUCCESS' });
    await fixture.simulator.setAway(false);
  });

  it('leaves no row in either history when it is refused', async () => {
    await send({ amount: 5_000 });
    for (const [person, count] of [
      [alice, 0],
      [bob, 1],
    ] as const) {
      const { me } = await dataOf(app.url, '{ me { defaultAccount { transactions { edges { cursor } } } } }', {}, person.as('read'));
      expect(me.defaultAccount.transactions.edges).toHaveLength(count);
    }
  });

  it('pays two fields of one document in order', async () => {
    const field = (alias: string, amount: number): string =>
      `${alias}: intraLedgerPaymentSend(input: { walletId: "${bob.wallets.BTC}", recipientWalletId: "${alice.wallets.BTC}", amount: ${amount} }) { status errors { code } }`;
    const data = await dataOf(app.url, `mutation { ${field('a', 900)} ${field('b', 200)} ${field('c', 100)} }`, {}, bob.as('write'));
    expect(data).toEqual({
      a: { status: 'SUCCESS', errors: [] },
      b: { status: 'FAILURE', errors: [{ code: 'INSUFFICIENT_BALANCE' }] },
      c: { status: 'SUCCESS', errors: [] },
    });
  });
});
