import { MAX_MINED_BLOCKS } from '../../src/money/onchain/index.js';
import { TRANSACTIONS_PAGE } from '../../src/money/onchain/simulator/simulated-wallet.js';
import { sql } from '../../src/platform/database/index.js';
import { newLease, WalletUnderTest } from '../../src/testing/onchain-backend-fixture.js';
import { addressOfOther, openChain, taken, type ChainFixture } from './chain-fixture.js';

const AGE = sql`UPDATE simulated_chain.block SET mined_at = now() - make_interval(secs => $1) WHERE height = $2`;

let fixture: ChainFixture;
beforeAll(async () => {
  fixture = await openChain();
  await funds(500_000n);
});
afterAll(() => fixture.close());

async function address(): Promise<string> {
  const created = await fixture.wallet.newAddress();
  return created.status === 'created' ? created.address : '';
}
async function funds(sats: bigint): Promise<string> {
  const txid = taken(await fixture.chain.deposit({ address: await address(), sats }));
  await fixture.chain.mine();
  return txid;
}
const underTest = (): WalletUnderTest =>
  new WalletUnderTest({ backend: fixture.wallet, addressOfOther: () => Promise.resolve(addressOfOther()) });

/** A payment in the mempool. */
async function sent(): Promise<{ txid: string; raw: string; inputs: readonly { txid: string; vout: number }[] }> {
  const wallet = underTest();
  const { psbt, inputs } = await wallet.fund(await wallet.request(50_000n));
  const { rawTransaction: raw, txid } = await wallet.finalize(psbt);
  expect(await fixture.wallet.publish(raw, 'payment')).toEqual({ status: 'published' });
  return { txid, raw, inputs };
}

describe('the outside of the simulated chain', () => {
  it('drops a transaction, which can be published again', async () => {
    const { chain, wallet } = fixture;
    const { txid, raw } = await sent();
    expect(await chain.drop(txid)).toBe(true);
    expect(await chain.drop(txid)).toBe(false);
    await chain.mine();
    expect(await wallet.lookup(txid)).toEqual({ status: 'not_found' });
    expect(await wallet.publish(raw, 'payment')).toEqual({ status: 'published' });
    await chain.mine();
    expect(await wallet.lookup(txid)).toMatchObject({ status: 'confirmed' });
    expect(await chain.drop(txid)).toBe(false);
  });

  it('drops with a deposit the payment that spends it', async () => {
    const { chain, wallet } = fixture;
    const parent = await funds(5_000_000n);
    const { txid, raw, inputs } = await sent();
    expect(inputs.map((input) => input.txid)).toContain(parent);
    await chain.reorganise(1);
    expect(await wallet.lookup(txid)).toEqual({ status: 'mempool' });
    const by = taken(await chain.replace(parent));
    await chain.mine();
    expect(await wallet.lookup(parent)).toMatchObject({ status: 'replaced', by });
    expect(await wallet.lookup(txid)).toEqual({ status: 'not_found' });
    expect(await wallet.publish(raw, 'payment')).toEqual({ status: 'rejected', reason: 'an input is missing' });
  });

  it('spends the wallet’s coins, so that a payment cannot be published', async () => {
    const { chain, wallet } = fixture;
    await funds(300_000n);
    const under = underTest();
    const { psbt, inputs } = await under.fund(await under.request(50_000n));
    const { rawTransaction } = await under.finalize(psbt);
    const theft = taken(await chain.spendCoins(...inputs));
    expect(await under.listed(theft)).toMatchObject({ height: null, spends: inputs, label: '' });
    expect(await wallet.publish(rawTransaction, 'payment')).toMatchObject({ status: 'rejected' });
    await chain.mine();
    expect(await wallet.publish(rawTransaction, 'payment')).toEqual({ status: 'rejected', reason: 'another transaction spends an input' });
    expect(await wallet.renewLease(newLease(), inputs)).toBe(false);
  });

  it('pays no dust, and no address of another network', async () => {
    const { chain } = fixture;
    expect(await chain.deposit({ address: await address(), sats: 293n })).toBeNull();
    expect(await chain.deposit({ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', sats: 5_000n })).toBeNull();
    expect(await chain.replace('ab'.repeat(32))).toBeNull();
  });

  it('mines a block with a call where the latest one is too old, and only then', async () => {
    const { chain, wallet, database } = fixture;
    const height = await chain.mine();
    const age = (seconds: number): Promise<unknown> => database.query(AGE, [seconds, height]);
    await age(31);
    expect(await wallet.tip()).toMatchObject({ height });
    await chain.mineEvery(30);
    await age(29);
    expect(await wallet.tip()).toMatchObject({ height });
    await age(31);
    expect(await wallet.tip()).toMatchObject({ height: height + 1 });
    expect(await wallet.tip()).toMatchObject({ height: height + 1 });
    await chain.mineEvery(0);
  });

  it('reserves a part of the wallet', async () => {
    const { chain, wallet } = fixture;
    await funds(400_000n);
    const { confirmedSats } = await underTest().balance();
    await chain.reserve(confirmedSats - 60_000n);
    expect(await wallet.balance()).toMatchObject({ confirmedSats, reservedSats: confirmedSats - 60_000n });
    expect(await wallet.fund(await underTest().request(60_000n))).toEqual({ status: 'short' });
    const { lease } = await underTest().request(50_000n);
    expect(await wallet.fund(await underTest().request(50_000n, lease))).toMatchObject({ status: 'funded' });
    await wallet.releaseLease(lease.id);
    await chain.reserve(0n);
  });
});

it('two processes that fund at once lease different coins', async () => {
  for (let coins = 0; coins < 6; coins++) await funds(100_000n);
  const under = underTest();
  const requests = await Promise.all(Array.from({ length: 6 }, () => under.request(50_000n)));
  const funded = await Promise.all(requests.map((request) => under.fund(request)));
  const inputs = funded.flatMap((each) => each.inputs.map(({ txid, vout }) => `${txid}:${vout}`));
  expect(new Set(inputs).size).toBe(inputs.length);
  await Promise.all(requests.map(({ lease }) => fixture.wallet.releaseLease(lease.id)));
});

it('lists more transactions than a page has', async () => {
  const { height } = await underTest().tip();
  const to = await address();
  const txids: string[] = [];
  for (let count = 0; count <= TRANSACTIONS_PAGE; count++) txids.push(taken(await fixture.chain.deposit({ address: to, sats: 1_000n })));
  const first = await fixture.wallet.transactions(height + 1, 0);
  expect(first).toMatchObject({ status: 'known', next: expect.any(Number) as number });
  expect((await underTest().transactions(height + 1)).map(({ txid }) => txid)).toEqual(txids);
  await fixture.chain.mine(MAX_MINED_BLOCKS);
  expect((await underTest().transactions(height + 1)).map(({ txid }) => txid)).toEqual(txids);
  expect(await fixture.wallet.transactions(height + 2, 0)).toEqual({ status: 'known', transactions: [], next: null });
});
