import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataOf, eventually } from '../../../../src/testing/index.js';
import { FaultPoints } from '../../../crash/fault-points.js';
import { LndNetwork } from './network.js';
import { WalletServer } from './wallet-server.js';

const SEND = 'mutation ($input: OnChainPaymentSendInput!) { onChainPaymentSend(input: $input) { status errors { code } } }';
/** The steps of a payment that the database sees: LND funds between `take` and `sign`, and gets the transaction between `sign` and `sent`. */
const POINTS = ['queue', 'take', 'sign', 'sent', 'confirm'] as const;
const [AMOUNT, SERVICE_FEE] = [20_000, 5_000];
const WITHIN_MS = 120_000;

describe('Sluice in a process of its own pays to bitcoin addresses from the wallet of a real LND node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-'));
  let network: LndNetwork;
  let wallets: WalletServer;
  let points: FaultPoints;

  beforeAll(async () => {
    network = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
    await network.start();
    wallets = await WalletServer.start(network, folder, 1_000_000);
    points = await FaultPoints.plant(wallets.connection);
  });
  afterAll(async () => {
    await points?.close();
    await wallets?.close();
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const addressOfB = async (): Promise<string> =>
    (await network.b.call('lnrpc.Lightning/NewAddress', { type: 'WITNESS_PUBKEY_HASH' }))['address'] as string;
  const send = (address: string): Promise<unknown> => {
    const alice = wallets.person('alice');
    return dataOf(alice.url, SEND, { input: { walletId: alice.walletId, address, amount: AMOUNT } }, alice.as('write'));
  };
  const stateOf = async (address: string): Promise<string | undefined> => {
    const text = 'SELECT o.state FROM payout o JOIN payment p ON p.id = o.id WHERE p.payment_request = $1';
    return (await wallets.pool.query<{ state: string }>(text, [address])).rows[0]?.state;
  };
  /** The next batch may leave. */
  const later = (state: string): Promise<unknown> =>
    wallets.pool.query(`UPDATE payout_batch SET made_at = made_at - interval '3 minutes' WHERE state = $1 OR $1 = 'any'`, [state]);
  /** The miner's fees of what pays the address, in blocks and in the mempool. */
  const feesOf = async (address: string): Promise<number[]> => {
    const { transactions } = await network.a.call('lnrpc.Lightning/GetTransactions', { end_height: -1 });
    return (transactions as { total_fees: string; output_details: { address: string }[] }[])
      .filter(({ output_details: outputs }) => outputs.some((output) => output.address === address))
      .map(({ total_fees: fee }) => Number(fee));
  };

  describe.each(['rollBack', 'commit'] as const)('killed (%s)', (outcome) => {
    it.each(POINTS)('at the step %s: one transaction pays', async (point) => {
      const [before, address] = [await wallets.person('alice').sats(), await addressOfB()];
      await later('any');
      await points.set(point);
      void send(address).catch(() => undefined);
      if (point === 'confirm') {
        await eventually(async () => (await stateOf(address)) === 'broadcast', WITHIN_MS);
        await network.btcd.mine(1);
      }
      await points.reached(point);
      await points.kill(wallets.server, outcome, [point]);
      await wallets.server.start();
      if ((await stateOf(address)) === undefined) {
        expect([point, outcome]).toEqual(['queue', 'rollBack']);
        expect(await wallets.person('alice').sats()).toBe(before);
        expect(await send(address)).toMatchObject({ onChainPaymentSend: { status: 'SUCCESS' } });
      }
      await eventually(async () => {
        // A batch that its process has left unsigned is dissolved after two minutes.
        await later('open');
        if ((await stateOf(address)) === 'broadcast') await network.btcd.mine(1);
        return (await stateOf(address)) === 'confirmed';
      }, WITHIN_MS);
      const [fee = NaN, ...others] = await feesOf(address);
      expect(others).toEqual([]);
      expect(before - (await wallets.person('alice').sats())).toBe(AMOUNT + SERVICE_FEE + fee);
      expect((await wallets.pool.query('SELECT what FROM ledger_audit WHERE n <> 0')).rows).toEqual([]);
    });
  });
});
