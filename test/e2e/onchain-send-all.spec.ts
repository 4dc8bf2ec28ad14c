import type { TestApp } from '../support/app.js';
import { createDollarApp, PRICE, setPrice } from '../support/dollars.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf } from '../support/graphql.js';
import { EAGER, Payouts } from '../support/payouts.js';

const CONVERT = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { message } } }';
const BALANCES = '{ me { defaultAccount { wallets { balance } } } }';
const FEES = `query ($walletId: WalletId!, $address: OnChainAddress!, $cents: CentAmount!, $sats: SatAmount!) {
  cents: onChainUsdTxFee(walletId: $walletId, address: $address, amount: $cents) { amount }
  sats: onChainUsdTxFeeAsBtcDenominated(walletId: $walletId, address: $address, amount: $sats) { amount } }`;

describe('payments to bitcoin addresses from dollars, and of all', () => {
  let app: TestApp;
  let fixture: Fixture;
  let payouts: Payouts;

  beforeAll(async () => {
    app = await createDollarApp({ env: { ACCOUNT_LIMITS: 'none' }, settings: EAGER });
    [fixture, payouts] = [new Fixture(app), new Payouts(app)];
    await payouts.fund(3_000_000, 3_000_000);
  });
  beforeEach(async () => void (await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`)));
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** In satoshis and in cents. */
  const balancesOf = async (person: Person): Promise<number[]> =>
    ((await dataOf(app.url, BALANCES, {}, person.as('read'))).me.defaultAccount.wallets as { balance: number }[]).map(
      ({ balance }) => balance,
    );
  const withDollars = async (sats: number): Promise<Person> => {
    const person = await fixture.user({ sats });
    const input = { walletId: person.wallets.BTC, recipientWalletId: person.wallets.USD, amount: sats };
    expect((await dataOf(app.url, CONVERT, { input }, person.as('write'))).intraLedgerPaymentSend).toMatchObject({ status: 'SUCCESS' });
    return person;
  };
  const confirmed = async (sent: { transaction: { id: string } | null }): Promise<void> => {
    if (!sent.transaction) throw new Error(`The payment was refused: ${JSON.stringify(sent)}`);
    await payouts.reaches('broadcast', sent.transaction.id);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', sent.transaction.id);
  };

  it('all of a wallet in bitcoin leaves, and nothing stays', async () => {
    const [alice, address] = [await fixture.user({ sats: 77_777 }), payouts.outside()];
    const sent = await payouts.send(alice, { address }, 'onChainPaymentSendAll');
    expect(sent).toMatchObject({ status: 'SUCCESS', errors: [], transaction: { settlementAmount: -77_777, settlementFee: 8_825 } });
    await confirmed(sent);
    expect(await payouts.paidTo(address)).toMatchObject([{ sats: 68_952n, state: 'confirmed' }]);
    expect((await balancesOf(alice))[0]).toBe(0);
    expect(await payouts.send(alice, { address }, 'onChainPaymentSendAll')).toMatchObject({ errors: [{ code: 'INSUFFICIENT_BALANCE' }] });
  });

  it('all of a wallet in dollars leaves, whatever the price does then', async () => {
    const [alice, address] = [await withDollars(200_000), payouts.outside()];
    const [, cents] = await balancesOf(alice);
    expect(cents).toBeGreaterThan(9_000);
    const sent = await payouts.send(alice, { address, walletId: alice.wallets.USD }, 'onChainPaymentSendAll');
    expect(sent).toMatchObject({ status: 'SUCCESS', transaction: { settlementAmount: -(cents as number) } });
    await setPrice(app, PRICE * 2n);
    await confirmed(sent);
    expect(await balancesOf(alice)).toEqual([0, 0]);
    await setPrice(app, PRICE);
  });

  it.each([
    ['onChainPaymentSend', 40_000],
    ['onChainPaymentSendAll', undefined],
    ['onChainUsdPaymentSend', 2_000],
    ['onChainUsdPaymentSendAsBtcDenominated', 40_000],
  ] as const)('%s is made once for an idempotency key, though less is left for the second', async (how, amount) => {
    const [alice, address] = [await withDollars(60_000), payouts.outside()];
    await fixture.fund(alice, 60_000);
    const headers = { ...alice.as('write'), 'idempotency-key': `one ${how}` };
    const first = await payouts.send(alice, { address, amount }, how, headers);
    // The process has died before it kept the answer.
    await app.pool.query(`UPDATE idempotency SET state = 'running', answer = NULL, claimed_until = now() - interval '1 second'`);
    const again = await payouts.send(alice, { address, amount }, how, headers);
    expect(again).toMatchObject({ status: 'SUCCESS', transaction: { id: first.transaction.id } });
    await confirmed(first);
    expect(await payouts.paidTo(address)).toHaveLength(1);
  });

  it('an amount in cents, and one in satoshis, leave a wallet in dollars with their fee', async () => {
    const [alice, first, second] = [await withDollars(400_000), payouts.outside(), payouts.outside()];
    const fees = await dataOf(app.url, FEES, { walletId: alice.wallets.USD, address: first, cents: 1_000, sats: 30_000 }, alice.as('read'));
    const [, had] = await balancesOf(alice);
    const inCents = await payouts.send(alice, { address: first, amount: 1_000 }, 'onChainUsdPaymentSend');
    expect(inCents).toMatchObject({
      status: 'SUCCESS',
      transaction: { settlementAmount: -1_000 - fees.cents.amount, settlementFee: fees.cents.amount },
    });
    await confirmed(inCents);
    const [, left] = await balancesOf(alice);
    expect((had as number) - (left as number)).toBeLessThanOrEqual(1_000 + (fees.cents.amount as number));
    // 1,000 cents at the ask.
    expect(await payouts.paidTo(first)).toMatchObject([{ sats: 19_801n }]);
    await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`);
    const inSats = await payouts.send(alice, { address: second, amount: 30_000 }, 'onChainUsdPaymentSendAsBtcDenominated');
    expect(inSats).toMatchObject({ status: 'SUCCESS', transaction: { settlementFee: fees.sats.amount } });
    await confirmed(inSats);
    expect(await payouts.paidTo(second)).toMatchObject([{ sats: 30_000n }]);
    expect(await payouts.send(alice, { address: first, amount: 100, walletId: alice.wallets.BTC }, 'onChainUsdPaymentSend')).toMatchObject({
      errors: [{ code: 'INVALID_INPUT', path: ['input', 'walletId'] }],
    });
  });

  it('a wallet in dollars pays an address of this server inside, in either unit', async () => {
    const [alice, bob] = [await withDollars(200_000), await fixture.user()];
    const create = 'mutation ($input: OnChainAddressCreateInput!) { onChainAddressCreate(input: $input) { address } }';
    const addressOf = async (walletId: string): Promise<string> =>
      (await dataOf(app.url, create, { input: { walletId } }, bob.as('receive'))).onChainAddressCreate.address as string;
    const inBitcoin = await addressOf(bob.wallets.BTC);
    expect(await payouts.send(alice, { address: inBitcoin, amount: 30_000 }, 'onChainUsdPaymentSendAsBtcDenominated')).toMatchObject({
      status: 'SUCCESS',
      transaction: { status: 'SUCCESS', settlementFee: 0 },
    });
    expect(await balancesOf(bob)).toEqual([30_000, 0]);
    const inDollars = await addressOf(bob.wallets.USD);
    expect(await payouts.send(alice, { address: inDollars, amount: 500 }, 'onChainUsdPaymentSend')).toMatchObject({ status: 'SUCCESS' });
    expect(await balancesOf(bob)).toEqual([30_000, 500]);
  });

  it('without a price there is none', async () => {
    const alice = await withDollars(200_000);
    await setPrice(app, undefined);
    expect(await payouts.send(alice, { address: payouts.outside(), amount: 1_000 }, 'onChainUsdPaymentSend')).toMatchObject({
      errors: [{ code: 'PRICE_UNAVAILABLE' }],
    });
    await setPrice(app, PRICE);
  });
});
