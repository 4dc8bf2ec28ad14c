import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) {
  status errors { message code path } transaction { id status direction settlementAmount settlementFee memo } } }`;

describe('intraLedgerPaymentSend', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
  });
  beforeEach(async () => {
    [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

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

  it('refuses an amount of zero', async () => {
    expect(await send({ amount: 0 })).toEqual(refused('INVALID_INPUT', 'A valid satoshi amount is required', ['input', 'amount']));
  });

  it.each([
    [{ amount: 0.9 }, 'Invalid value for SatAmount', 'amount'],
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
