import { setTimeout as delay } from 'node:timers/promises';
import { readTransaction } from '../money/onchain/index.js';
import { feeOf, newLease, withHigherFee, type OnChainTest } from './onchain-backend-fixture.js';

/** Addresses of BIP 173 and others, of mainnet and of regtest. */
const FOREIGN = { mainnet: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', other: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };

/** A lease that runs out while the test waits, and the time after which it has. */
const [SHORT_LEASE_SECONDS, SHORT_LEASE_ENDED_MS] = [1, 1_500];

/** What a back end promises of payments: money is lost by a transaction that is sent twice, or sent without the caller's knowledge. */
export function paymentContract(it: OnChainTest): void {
  it('are funded, signed, and sent by publish alone', async (fixture, wallet) => {
    const { backend, network } = fixture;
    const request = await wallet.request(40_000n, newLease(), 3);
    const outputs = [...request.outputs, { address: await fixture.addressOfOther(), sats: 60_000n }];
    const funded = await wallet.fund({ ...request, outputs });
    const { rawTransaction, txid } = await wallet.finalize(funded.psbt);
    const signed = readTransaction(rawTransaction, network);
    expect(signed).toMatchObject({ txid, inputs: funded.inputs });
    const change = signed.outputs.filter((_output, vout) => vout === funded.changeVout);
    expect(signed.outputs).toHaveLength(2 + change.length);
    expect(signed.outputs).toEqual(expect.arrayContaining(outputs));
    const feeSats = feeOf(funded.psbt);
    expect(feeSats).toBeGreaterThanOrEqual(BigInt(signed.vsize * 3));
    expect(feeSats).toBeLessThan(BigInt(signed.vsize * 3) + 1_000n);
    expect(await backend.lookup(txid)).toEqual({ status: 'not_found' });

    expect(await backend.publish(rawTransaction, 'a payment')).toEqual({ status: 'published' });
    expect(await backend.lookup(txid)).toEqual({ status: 'mempool' });
    const listed = await wallet.listed(txid);
    expect(listed).toMatchObject({ height: null, label: 'a payment' });
    expect(listed?.spends).toHaveLength(funded.inputs.length);
    expect(listed?.spends).toEqual(expect.arrayContaining([...funded.inputs]));
    expect(listed?.outputs.filter(({ isOurs }) => isOurs).map(({ vout }) => vout)).toEqual(change.map(() => funded.changeVout));

    expect(await backend.publish(rawTransaction, 'a payment')).toEqual({ status: 'published' });
    await fixture.mine(1);
    const { height } = await wallet.tip();
    expect(await backend.lookup(txid)).toMatchObject({ status: 'confirmed', height });
    expect(await backend.publish(rawTransaction, 'a payment')).toEqual({ status: 'published' });
    expect(await wallet.listed(txid)).toMatchObject({ height, label: 'a payment' });
  });

  it('are refused for dust and for an address of another network, and lease nothing', async (fixture, wallet) => {
    const request = await wallet.requestOfAll();
    const foreign = fixture.network === 'mainnet' ? FOREIGN.mainnet : FOREIGN.other;
    for (const output of [
      { address: foreign, sats: 50_000n },
      { address: await fixture.addressOfOther(), sats: 100n },
    ])
      expect(await fixture.backend.fund({ ...request, outputs: [...request.outputs, output] })).toMatchObject({ status: 'refused' });
    await wallet.fund(request);
    await fixture.backend.releaseLease(request.lease.id);
  });

  it('are short where the coins do not suffice, and lease nothing', async (fixture, wallet) => {
    const { confirmedSats } = await wallet.balance();
    expect(await fixture.backend.fund(await wallet.request(confirmedSats))).toEqual({ status: 'short' });
    const request = await wallet.requestOfAll();
    await wallet.fund(request);
    await fixture.backend.releaseLease(request.lease.id);
  });

  it('do not spend unconfirmed deposits', async (fixture, wallet) => {
    await fixture.payFromOutside([{ address: await wallet.address(), sats: 5_000_000n }]);
    const { confirmedSats } = await wallet.balance();
    expect(await fixture.backend.fund(await wallet.request(confirmedSats))).toEqual({ status: 'short' });
    await fixture.mine(1);
  });

  it('keep their inputs until they release them', async (fixture, wallet) => {
    const { backend } = fixture;
    const [first, second] = [await wallet.requestOfAll(), await wallet.requestOfAll()];
    const { inputs } = await wallet.fund(first);
    expect(await backend.fund(second)).toEqual({ status: 'short' });
    expect(await backend.renewLease(second.lease, inputs)).toBe(false);
    expect(await backend.releaseLease(second.lease.id)).toBe('released');
    expect(await backend.fund(second)).toEqual({ status: 'short' });
    expect(await backend.releaseLease(first.lease.id)).toBe('released');
    expect(await backend.releaseLease(first.lease.id)).toBe('released');
    expect(await wallet.fund(second)).toMatchObject({ inputs: expect.arrayContaining([...inputs]) as unknown });
    expect(await backend.renewLease(first.lease, inputs)).toBe(false);
    await backend.releaseLease(second.lease.id);
  });

  it('keep their inputs while the lease is renewed, and lose them when it runs out', async (fixture, wallet) => {
    const { backend } = fixture;
    const short = await wallet.requestOfAll(newLease(SHORT_LEASE_SECONDS));
    const other = await wallet.requestOfAll();
    const { inputs } = await wallet.fund(short);
    expect(await backend.renewLease({ ...short.lease, seconds: 600 }, inputs)).toBe(true);
    await delay(SHORT_LEASE_ENDED_MS);
    expect(await backend.fund(other)).toEqual({ status: 'short' });
    expect(await backend.renewLease(short.lease, inputs)).toBe(true);
    await delay(SHORT_LEASE_ENDED_MS);
    await wallet.fund(other);
    expect(await backend.renewLease(short.lease, inputs)).toBe(false);
    await backend.releaseLease(other.lease.id);
    expect(await backend.renewLease(short.lease, inputs)).toBe(true);
    expect(await backend.fund(other)).toEqual({ status: 'short' });
    await backend.releaseLease(short.lease.id);
  });

  it('are replaced by one that spends the same inputs for a higher fee', async (fixture, wallet) => {
    const { backend } = fixture;
    const funded = await wallet.fund(await wallet.request(80_000n));
    const first = await wallet.finalize(withHigherFee(funded, 0n));
    expect(await backend.publish(first.rawTransaction, 'first')).toEqual({ status: 'published' });
    const cheap = await wallet.finalize(withHigherFee(funded, 1n));
    expect(await backend.publish(cheap.rawTransaction, 'cheap')).toMatchObject({ status: 'rejected' });
    const second = await wallet.finalize(withHigherFee(funded, 5_000n));
    expect(second.txid).not.toBe(first.txid);
    expect(await backend.publish(second.rawTransaction, 'second')).toEqual({ status: 'published' });
    expect(await backend.lookup(second.txid)).toEqual({ status: 'mempool' });
    await fixture.mine(1);
    const { height } = await wallet.tip();
    expect(await backend.lookup(second.txid)).toMatchObject({ status: 'confirmed', height });
    expect(await wallet.listed(first.txid)).toBeUndefined();
    expect(await backend.lookup(first.txid, funded.inputs)).toEqual({ status: 'replaced', by: second.txid, height });
    expect(await backend.publish(first.rawTransaction, 'first')).toMatchObject({ status: 'rejected' });
    expect(await backend.renewLease(newLease(), funded.inputs)).toBe(false);
  });

  it('that are no transactions are refused', async ({ backend }) => {
    expect(await backend.finalize(Buffer.from('no PSBT').toString('base64'))).toMatchObject({ status: 'refused' });
    expect(await backend.publish('00'.repeat(40), 'nothing')).toMatchObject({ status: 'rejected' });
  });

  it('whose answers are lost: unknown to the caller, and done once', async (fixture, wallet) => {
    const { backend } = fixture;
    const [request, all] = [await wallet.request(90_000n), await wallet.requestOfAll()];
    const { psbt } = await wallet.fund(request);
    const { rawTransaction, txid } = await wallet.finalize(psbt);
    await fixture.loseAnswers();
    try {
      expect(await backend.newAddress()).toEqual({ status: 'unknown' });
      expect(await backend.fund(all)).toEqual({ status: 'unknown' });
      expect(await backend.publish(rawTransaction, 'lost')).toEqual({ status: 'unknown' });
    } finally {
      await fixture.reconnect();
    }
    expect(await backend.lookup(txid)).toEqual({ status: 'mempool' });
    expect(await backend.publish(rawTransaction, 'lost')).toEqual({ status: 'published' });
    await fixture.mine(1);
    expect(await wallet.listed(txid)).toMatchObject({ label: 'lost' });
    await backend.releaseLease(all.lease.id);
    const again = await wallet.requestOfAll(all.lease);
    await wallet.fund(again);
    await backend.releaseLease(again.lease.id);
  });

  it('without a connection: every answer is unknown, no call rejects, and none is sent later', async (fixture, wallet) => {
    const { backend } = fixture;
    const request = await wallet.request(90_000n);
    const { psbt, inputs } = await wallet.fund(request);
    const { rawTransaction, txid } = await wallet.finalize(psbt);
    await fixture.disconnect();
    try {
      for (const answer of [
        ...[backend.tip(), backend.newAddress(), backend.transactions(0, 0), backend.feeRate(1), backend.balance()],
        ...[backend.fund(request), backend.finalize(psbt), backend.publish(rawTransaction, 'cut'), backend.lookup(txid)],
      ])
        expect(await answer).toEqual({ status: 'unknown' });
      expect(await backend.renewLease(request.lease, inputs)).toBe('unknown');
      expect(await backend.releaseLease(request.lease.id)).toBe('unknown');
    } finally {
      await fixture.reconnect();
    }
    expect(await backend.lookup(txid)).toEqual({ status: 'not_found' });
    expect(await backend.publish(rawTransaction, 'cut')).toEqual({ status: 'published' });
    await fixture.mine(1);
    expect(await backend.lookup(txid)).toMatchObject({ status: 'confirmed' });
  });
}
