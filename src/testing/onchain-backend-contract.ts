import { ONCHAIN_PORT_VERSION, readAddress, readTransaction } from '../money/onchain/index.js';
import { WalletUnderTest, type OnChainBackendFixture, type OnChainTest } from './onchain-backend-fixture.js';
import { paymentContract } from './onchain-payment-contract.js';

export type { OnChainBackendFixture } from './onchain-backend-fixture.js';

/** From a deposit to its look-up, on a machine of any speed: less than what an error of a unit makes of it. */
const MAX_AGE_MS = 3_600_000;

/**
 * Defines Jest tests of the contract of `OnChainBackend`. Call it at the top of a test file with a function that opens a fixture; it is opened
 * once, gets funds from outside, and is closed at the end.
 */
export function onChainBackendContract(open: () => Promise<OnChainBackendFixture>): void {
  let fixture: OnChainBackendFixture;
  beforeAll(async () => {
    fixture = await open();
    const address = await new WalletUnderTest(fixture).address();
    await fixture.payFromOutside([600_000n, 900_000n, 1_500_000n].map((sats) => ({ address, sats })));
    await fixture.mine(1);
  });
  afterAll(() => fixture.close());
  const test: OnChainTest = (title, check) => it(title, () => check(fixture, new WalletUnderTest(fixture)));

  describe('the wallet', () => walletContract(test));
  describe('deposits', () => depositContract(test));
  describe('payments', () => paymentContract(test));
}

function walletContract(it: OnChainTest): void {
  it('states the version of the port, and capabilities that Sluice knows', async ({ backend }) => {
    expect(backend.portVersion).toBe(ONCHAIN_PORT_VERSION);
    expect(['conflicts']).toEqual(expect.arrayContaining([...backend.capabilities]));
  });

  it('reports the latest block', async (fixture, wallet) => {
    const before = await wallet.tip();
    await fixture.mine(2);
    const after = await wallet.tip();
    expect(after.height).toBe(before.height + 2);
    expect([before.hash, after.hash]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(after.hash).not.toBe(before.hash);
  });

  it('gives each address once, and those of its network', async (fixture, wallet) => {
    const addresses = [await wallet.address(), ...(await Promise.all([wallet.address(), wallet.address()]))];
    expect(new Set(addresses).size).toBe(3);
    for (const address of addresses) expect(readAddress(address, fixture.network)).toMatchObject({ address });
  });

  it('asks for no less for an early block than for a late one', async ({ backend }) => {
    const rates = [];
    for (const target of [1, 6, 144]) rates.push(await backend.feeRate(target));
    const [soon = 0, , late = 0] = rates.map((rate) => (rate.status === 'known' ? rate.satsPerVbyte : 0));
    expect([Number.isInteger(soon), Number.isInteger(late), late >= 1, soon >= late]).toEqual([true, true, true, true]);
  });

  it('counts confirmed, unconfirmed and spent outputs', async (fixture, wallet) => {
    const before = await wallet.balance();
    expect(before.reservedSats >= 0n && before.reservedSats <= before.confirmedSats).toBe(true);
    await fixture.payFromOutside([{ address: await wallet.address(), sats: 70_000n }]);
    expect(await wallet.balance()).toEqual({ ...before, unconfirmedSats: before.unconfirmedSats + 70_000n });
    await fixture.mine(1);
    const received = { ...before, confirmedSats: before.confirmedSats + before.unconfirmedSats + 70_000n, unconfirmedSats: 0n };
    expect(await wallet.balance()).toEqual(received);
    const request = await wallet.request(30_000n);
    const { psbt } = await wallet.fund(request);
    expect(await wallet.balance()).toEqual(received);
    const { rawTransaction } = await wallet.finalize(psbt);
    expect(await fixture.backend.publish(rawTransaction, 'balance')).toEqual({ status: 'published' });
    const spentSats = 30_000n + BigInt(readTransaction(rawTransaction, fixture.network).vsize) * 2n;
    const sent = await wallet.balance();
    const leftSats = sent.confirmedSats + sent.unconfirmedSats;
    // The fee may be a little higher than its rate.
    expect(received.confirmedSats - leftSats).toBeGreaterThanOrEqual(spentSats);
    expect(received.confirmedSats - leftSats).toBeLessThan(spentSats + 1_000n);
    await fixture.mine(1);
    expect(await wallet.balance()).toEqual({ ...received, confirmedSats: leftSats });
  });
}

function depositContract(it: OnChainTest): void {
  it('are listed in the mempool, then in their block, and again', async (fixture, wallet) => {
    const { height } = await wallet.tip();
    const address = await wallet.address();
    const txid = await fixture.payFromOutside([{ address, sats: 50_000n }]);
    const waiting = await wallet.listed(txid, height + 1);
    expect(waiting).toMatchObject({ txid, height: null, blockHash: null, spends: [] });
    expect(waiting?.outputs.filter(({ isOurs }) => isOurs)).toEqual([
      { vout: expect.any(Number) as number, address, sats: 50_000n, isOurs: true },
    ]);
    expect(Math.abs(Date.now() - Number(waiting?.seenAt))).toBeLessThan(MAX_AGE_MS);
    expect(await fixture.backend.lookup(txid)).toEqual({ status: 'mempool' });

    await fixture.mine(1);
    const tip = await wallet.tip();
    const block = { height: tip.height, blockHash: tip.hash };
    await fixture.mine(1);
    const confirmed = await wallet.listed(txid, block.height);
    expect(confirmed).toMatchObject({ ...block, outputs: waiting?.outputs });
    expect(await fixture.backend.lookup(txid)).toEqual({ status: 'confirmed', ...block });
    expect(await wallet.listed(txid)).toEqual(confirmed);
    expect(await wallet.listed(txid, block.height + 1)).toBeUndefined();
  });

  it('of two outputs to one address have both', async (fixture, wallet) => {
    const [address, other] = [await wallet.address(), await wallet.address()];
    const outputs = [10_000n, 20_000n, 10_000n].map((sats, at) => ({ address: at < 2 ? address : other, sats }));
    const txid = await fixture.payFromOutside(outputs);
    await fixture.mine(1);
    const ours = (await wallet.listed(txid))?.outputs.filter(({ isOurs }) => isOurs) ?? [];
    expect(new Set(ours.map(({ vout }) => vout)).size).toBe(3);
    const paid = ours.map((output) => `${output.address} ${output.sats}`);
    expect(paid.toSorted()).toEqual(outputs.map((output) => `${output.address} ${output.sats}`).toSorted());
  });

  it('are listed once, where a reorganisation has moved them', async (fixture, wallet) => {
    const { height } = await wallet.tip();
    const txid = await fixture.payFromOutside([{ address: await wallet.address(), sats: 50_000n }]);
    await fixture.mine(2);
    const first = await wallet.listed(txid);
    expect(first?.height).toBe(height + 1);
    await fixture.reorganise(2);
    expect((await wallet.tip()).height).toBeGreaterThan(height + 2);
    expect(await fixture.backend.lookup(txid)).not.toMatchObject({ blockHash: first?.blockHash });
    expect((await wallet.listed(txid, height))?.blockHash).not.toBe(first?.blockHash);
    await fixture.mine(1);
    const moved = await wallet.listed(txid, height);
    expect(moved?.blockHash).toMatch(/^[0-9a-f]{64}$/);
    expect(moved?.blockHash).not.toBe(first?.blockHash);
    expect(await fixture.backend.lookup(txid)).toEqual({ status: 'confirmed', height: moved?.height, blockHash: moved?.blockHash });
  });

  it('that their sender has replaced are in no block, and no longer listed by a wallet that sees it', async (fixture, wallet) => {
    const { backend } = fixture;
    const txid = await fixture.payFromOutside([{ address: await wallet.address(), sats: 50_000n }]);
    const by = await fixture.replaceFromOutside(txid);
    await fixture.mine(1);
    const { height } = await wallet.tip();
    const [found, listed] = [await backend.lookup(txid), await wallet.listed(txid)];
    // A wallet that sees no transactions of others may wait for it forever.
    if (!backend.capabilities.has('conflicts')) expect(found).toEqual({ status: listed ? 'mempool' : 'not_found' });
    else expect([found, listed]).toEqual([{ status: 'replaced', by, height }, undefined]);
    expect(listed?.height ?? null).toBeNull();
  });

  it('that were never made are not found', async ({ backend }) => {
    expect(await backend.lookup('ab'.repeat(32))).toEqual({ status: 'not_found' });
  });
}
