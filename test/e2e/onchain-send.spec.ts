import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { dataOf, graphql } from '../support/graphql.js';
import { EAGER, Payouts } from '../support/payouts.js';

const FEE = `query ($walletId: WalletId!, $address: OnChainAddress!, $amount: SatAmount!, $speed: PayoutSpeed! = FAST) {
  onChainTxFee(walletId: $walletId, address: $address, amount: $amount, speed: $speed) { amount } }`;
const HISTORY = `query ($wallet: WalletId!, $id: ID!) { me { defaultAccount { walletById(walletId: $wallet) { transactionById(transactionId: $id) { id status settlementAmount settlementFee memo
  initiationVia { __typename ... on InitiationViaOnChain { address } } settlementVia { __typename ... on SettlementViaOnChain { transactionHash vout } } } } } } }`;
const SERVICE_FEE = 5_000;
/** 20 sat/vB for the next block, of 153 vB for a P2WPKH output, and a quarter. */
const HIGHEST_MINER_FEE = 3_825;

describe('payments to bitcoin addresses', () => {
  let app: TestApp;
  let fixture: Fixture;
  let payouts: Payouts;

  beforeAll(async () => {
    app = await createTestApp({ env: { ACCOUNT_LIMITS: 'none', PAYOUT_FEE_TIERS: '600:0,1000000:5000,10000' }, settings: EAGER });
    [fixture, payouts] = [new Fixture(app), new Payouts(app)];
    await payouts.fund(2_000_000, 3_000_000);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
  const rowOf = async (person: Person, id: string): Promise<any> =>
    (await dataOf(app.url, HISTORY, { wallet: person.wallets.BTC, id }, person.as('read'))).me.defaultAccount.walletById.transactionById;
  const feeOf = async (person: Person, address: string, amount: number, speed = 'FAST'): Promise<number> =>
    (await dataOf(app.url, FEE, { walletId: person.wallets.BTC, address, amount, speed }, person.as('read'))).onChainTxFee.amount as number;
  const heldOf = async (person: Person): Promise<number> => {
    const { rows } = await app.pool.query<{ held: number }>(
      'SELECT l.held::float8 AS held FROM wallet w JOIN ledger_account l ON l.id = w.ledger_account_id WHERE w.id = $1',
      [person.wallets.BTC],
    );
    return rows[0]?.held ?? NaN;
  };

  it('are made at once, pending until a block has them, and cost their part of the miner’s fee and the service fee', async () => {
    const [alice, address, before] = [await fixture.user({ sats: 100_000 }), payouts.outside(), await payouts.leftMsat()];
    const sent = await payouts.send(alice, { address, amount: 40_000, memo: 'for the boat' });
    expect(sent).toMatchObject({
      status: 'SUCCESS',
      errors: [],
      transaction: {
        status: 'PENDING',
        direction: 'SEND',
        memo: 'for the boat',
        initiationVia: { address },
        settlementVia: { __typename: 'SettlementViaOnChain' },
      },
    });
    expect(await heldOf(alice)).toBe((40_000 + SERVICE_FEE + HIGHEST_MINER_FEE) * 1_000);
    const { id } = sent.transaction as { id: string };
    await payouts.reaches('broadcast', id);
    const [output] = await payouts.paidTo(address);
    expect(output).toMatchObject({ sats: 40_000n, state: 'mempool' });
    expect(await rowOf(alice, id)).toMatchObject({
      status: 'PENDING',
      settlementVia: { transactionHash: output?.txid, vout: output?.vout },
    });
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    const miner = await payouts.feeOf(output?.txid as string);
    expect(miner).toBeLessThanOrEqual(HIGHEST_MINER_FEE);
    expect(await rowOf(alice, id)).toMatchObject({
      status: 'SUCCESS',
      settlementAmount: -40_000 - SERVICE_FEE - miner,
      settlementFee: SERVICE_FEE + miner,
    });
    expect(await alice.sats()).toBe(60_000 - SERVICE_FEE - miner);
    expect(await heldOf(alice)).toBe(0);
    expect((await payouts.leftMsat()) - before).toBe((40_000 + miner) * 1_000);
    expect(await payouts.paidTo(address)).toHaveLength(1);
  });

  it('state their highest fee before, which is by speed, by amount and nothing inside', async () => {
    const [alice, bob, address] = [await fixture.user(), await fixture.user(), payouts.outside()];
    expect(await feeOf(alice, address, 40_000)).toBe(SERVICE_FEE + HIGHEST_MINER_FEE);
    expect(await feeOf(alice, address, 40_000, 'SLOW')).toBeLessThan(SERVICE_FEE + HIGHEST_MINER_FEE / 5);
    expect(await feeOf(alice, address, 1_000_001)).toBe(10_000 + HIGHEST_MINER_FEE);
    expect(await feeOf(alice, await ownAddress(bob), 40_000)).toBe(0);
  });

  it('have three speeds, which need no credential', async () => {
    const { payoutSpeeds } = await dataOf(app.url, '{ payoutSpeeds { speed displayName description } }');
    expect((payoutSpeeds as { speed: string; displayName: string }[]).map(({ speed, displayName }) => [speed, displayName])).toEqual([
      ['FAST', 'Priority'],
      ['MEDIUM', 'Standard'],
      ['SLOW', 'Flexible'],
    ]);
  });

  const ownAddress = async (person: Person): Promise<string> => {
    const document = 'mutation ($input: OnChainAddressCreateInput!) { onChainAddressCreate(input: $input) { address } }';
    const made = await dataOf(app.url, document, { input: { walletId: person.wallets.BTC } }, person.as('receive'));
    return made.onChainAddressCreate.address as string;
  };

  it('to an address of this server are paid inside, at once and for nothing; the memo is the payer’s', async () => {
    const [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user()];
    const address = await ownAddress(bob);
    const sent = await payouts.send(alice, { address, amount: 7_000, memo: 'secret' });
    expect(sent).toMatchObject({
      status: 'SUCCESS',
      transaction: {
        status: 'SUCCESS',
        memo: 'secret',
        settlementFee: 0,
        initiationVia: { address },
        settlementVia: { __typename: 'SettlementViaIntraLedger' },
      },
    });
    expect([await alice.sats(), await bob.sats()]).toEqual([3_000, 7_000]);
    const rows = (
      await dataOf(
        app.url,
        '{ me { defaultAccount { transactions(first: 1) { edges { node { memo initiationVia { ... on InitiationViaOnChain { address } } } } } } } }',
        {},
        bob.as('read'),
      )
    ).me.defaultAccount.transactions.edges;
    expect(rows).toEqual([{ node: { memo: null, initiationVia: { address } } }]);
    expect(await payouts.send(alice, { address: await ownAddress(alice), amount: 1 })).toMatchObject({
      errors: [{ code: 'CANT_PAY_SELF' }],
    });
    expect(await payouts.paidTo(address)).toEqual([]);
  });

  it('of one speed leave in one transaction, which each pays by its part', async () => {
    const people = await Promise.all([30_000, 31_000, 32_000, 33_000, 34_000].map((sats) => fixture.user({ sats })));
    const addresses = people.map(() => payouts.outside());
    const ids = await Promise.all(
      people.map((person, index) => payouts.queued(person, addresses[index] as string, 20_000 + index, 'SLOW')),
    );
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '1 hour' WHERE id = ANY ($1)`, [ids]);
    await payouts.reaches('broadcast', ...ids);
    const outputs = (await Promise.all(addresses.map((address) => payouts.paidTo(address)))).flat();
    expect(outputs).toHaveLength(5);
    expect(new Set(outputs.map(({ txid }) => txid)).size).toBe(1);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', ...ids);
    const fees = await Promise.all(
      people.map(async (person, index) => ((await rowOf(person, ids[index] as string)).settlementFee as number) - SERVICE_FEE),
    );
    expect(fees.reduce((sum, fee) => sum + fee, 0)).toBe(await payouts.feeOf(outputs[0]?.txid as string));
    expect(Math.max(...fees) - Math.min(...fees)).toBeLessThanOrEqual(1);
  });

  it('wait for their speed', async () => {
    const alice = await fixture.user({ sats: 60_000 });
    const id = await payouts.queued(alice, payouts.outside(), 20_000, 'MEDIUM');
    const fast = await payouts.queued(alice, payouts.outside(), 10_000);
    await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`);
    await payouts.reaches('broadcast', fast);
    expect(await payouts.state(id)).toBe('queued');
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = $1`, [id]);
    await payouts.reaches('broadcast', id);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id, fast);
  });

  it.each<[string, (payer: Person) => Promise<object> | object, string, string]>([
    [
      'an address of another network',
      () => ({ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: 9_000 }),
      'INVALID_INPUT',
      'address',
    ],
    ['mixed case', () => ({ address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7KYGT080', amount: 9_000 }), 'INVALID_INPUT', 'address'],
    ['a wrong checksum', () => ({ address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081', amount: 9_000 }), 'INVALID_INPUT', 'address'],
    ['an unknown version', () => ({ address: 'bcrt1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', amount: 9_000 }), 'INVALID_INPUT', 'address'],
    ['a fee above the amount', () => ({ address: payouts.outside(), amount: 8_000 }), 'INVALID_INPUT', 'amount'],
    ['an amount of zero', () => ({ address: payouts.outside(), amount: 0 }), 'INVALID_INPUT', 'amount'],
    ['more than the balance', () => ({ address: payouts.outside(), amount: 45_000 }), 'INSUFFICIENT_BALANCE', 'walletId'],
    [
      'a wallet of another account',
      async () => ({ address: payouts.outside(), amount: 9_000, walletId: (await fixture.user()).wallets.BTC }),
      'NOT_FOUND',
      'walletId',
    ],
    [
      'a wallet in dollars',
      ({ wallets }) => ({ address: payouts.outside(), amount: 9_000, walletId: wallets.USD }),
      'INVALID_INPUT',
      'walletId',
    ],
  ])('are refused for %s, and nothing is held', async (_what, inputOf, code, argument) => {
    const alice = await fixture.user({ sats: 50_000 });
    const answer = await payouts.send(alice, await inputOf(alice));
    expect(answer).toMatchObject({ status: 'FAILURE', transaction: null, errors: [{ code, path: ['input', argument] }] });
    expect(await heldOf(alice)).toBe(0);
  });

  it('are refused as dust below what nodes relay, though the fee is less', async () => {
    const alice = await fixture.user({ sats: 50_000 });
    const send = (amount: number): Promise<object> =>
      payouts.send(alice, { address: 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', amount, speed: 'SLOW' });
    expect(await send(545)).toMatchObject({
      errors: [{ code: 'INVALID_INPUT', message: expect.stringContaining('too small') as string, path: ['input', 'amount'] }],
    });
    expect(await heldOf(alice)).toBe(0);
    const sent = (await send(546)) as { transaction: { id: string } };
    await app.pool.query(`SELECT payout_cancel($1, 'test', 'a test')`, [sent.transaction.id]);
    expect(await heldOf(alice)).toBe(0);
  });

  it('are refused while the wallet has too little, beside what was promised and what is kept for channels', async () => {
    const alice = await fixture.user({ sats: 6_000_000 });
    await payouts.chain.reserve(4_000_000n);
    const [address, amount] = [payouts.outside(), 1_500_000];
    expect(await payouts.send(alice, { address, amount })).toMatchObject({ errors: [{ code: 'LIQUIDITY' }] });
    await payouts.chain.reserve(0n);
    const id = await payouts.queued(alice, address, amount, 'MEDIUM');
    expect(await payouts.send(alice, { address, amount: 4_000_000 })).toMatchObject({ errors: [{ code: 'LIQUIDITY' }] });
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = $1`, [id]);
    await payouts.reaches('broadcast', id);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
  });

  it('show nothing of what the wallet has to a payer who does not have the amount', async () => {
    const [poor, address] = [await fixture.user({ sats: 20_000 }), payouts.outside()];
    for (const amount of [1_000_000, 1_000_000_000]) {
      expect(await payouts.send(poor, { address, amount })).toMatchObject({ errors: [{ code: 'INSUFFICIENT_BALANCE' }] });
      expect(await feeOf(poor, address, amount, 'SLOW')).toBe(amount > 1_000_000 ? 10_383 : 5_383);
    }
  });

  it('are made once for an idempotency key', async () => {
    const [alice, address] = [await fixture.user({ sats: 50_000 }), payouts.outside()];
    const headers = { ...alice.as('write'), 'idempotency-key': 'one boat' };
    const [first, again] = [
      await payouts.send(alice, { address, amount: 20_000 }, undefined, headers),
      await payouts.send(alice, { address, amount: 20_000 }, undefined, headers),
    ];
    expect(again).toEqual(first);
    const { id } = first.transaction as { id: string };
    await app.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '2 minutes'`);
    await payouts.reaches('broadcast', id);
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id);
    expect(await payouts.paidTo(address)).toHaveLength(1);
  });

  it('need the scope write, and their fee the scope read', async () => {
    const alice = await fixture.user({ sats: 50_000 });
    const [address, amount] = [payouts.outside(), 20_000];
    const document = 'mutation ($input: OnChainPaymentSendInput!) { onChainPaymentSend(input: $input) { status } }';
    const input = { walletId: alice.wallets.BTC, address, amount };
    expect((await graphql(app.url, document, { input }, alice.as('read'))).errors?.[0]?.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    const asked = await graphql(
      app.url,
      FEE,
      { walletId: alice.wallets.BTC, address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081', amount },
      alice.as('read'),
    );
    expect(asked.errors?.[0]).toMatchObject({ message: 'Invalid value for OnChainAddress', extensions: { code: 'INVALID_INPUT' } });
  });

  it('are not sent while the sends of their account are stopped', async () => {
    const alice = await fixture.user({ sats: 50_000 });
    const id = await payouts.queued(alice, payouts.outside(), 20_000, 'MEDIUM');
    await app.pool.query(`SELECT payment_freeze_set($1, 'operator', 'test', 'a test')`, [alice.accountId]);
    await app.pool.query(`UPDATE payout SET queued_at = queued_at - interval '15 minutes' WHERE id = $1`, [id]);
    const other = await payouts.queued(await fixture.user({ sats: 50_000 }), payouts.outside(), 20_000, 'MEDIUM');
    await payouts.reaches('broadcast', other);
    expect(await payouts.state(id)).toBe('queued');
    await app.pool.query(`SELECT payment_freeze_end($1, false, 'test', 'a test')`, [alice.accountId]);
    await eventually(async () => (await payouts.state(id)) === 'broadcast');
    await payouts.chain.mine();
    await payouts.reaches('confirmed', id, other);
  });
});
