import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApp, dataOf, eventually, TestUser, type TestApp } from '../../../../src/testing/index.js';
import { lndEnvironment } from '../lnd-environment.js';
import { LndNetwork } from './network.js';

const CREATE = `mutation ($input: OnChainAddressCreateInput!) { made: onChainAddressCreate(input: $input) { address errors { code } } }`;
const PENDING = `query { me { defaultAccount { pendingIncomingTransactions { direction } } } }`;

/** Deposits cost nothing here, and two blocks credit them. */
const SETTINGS = { DEPOSIT_FEE_SATS: '0', ONCHAIN_CONFIRMATIONS_TIERS: '2' };

describe('deposits to the wallet of a real LND node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-'));
  let network: LndNetwork;
  let app: TestApp;
  let alice: TestUser;

  beforeAll(async () => {
    network = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
    await network.start();
    app = await createTestApp({ env: { ...(await lndEnvironment(network.c)), ...SETTINGS } });
    await eventually(async () => (await fetch(`${app.url}/health/ready`)).status === 200);
    alice = await TestUser.create(app);
  });
  afterEach(async () => expect(await app.audit()).toEqual([]));
  afterAll(async () => {
    await app?.close();
    await network.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const newAddress = async (): Promise<string> => {
    const input = { walletId: alice.wallets.BTC };
    const { made } = await dataOf<{ made: { address: string } }>(app.url, CREATE, { input }, await alice.key('receive'));
    return made.address;
  };
  const pay = async (addr: string, sats: number): Promise<void> =>
    void (await network.b.call('lnrpc.Lightning/SendCoins', { addr, amount: String(sats), sat_per_vbyte: '2', spend_unconfirmed: true }));
  const pending = async (count: number): Promise<void> => {
    const key = await alice.key('read');
    await eventually(async () => {
      const { me } = await dataOf<{ me: { defaultAccount: { pendingIncomingTransactions: unknown[] } } }>(app.url, PENDING, {}, key);
      return me.defaultAccount.pendingIncomingTransactions.length === count;
    }, 60_000);
  };
  const balance = (sats: number): Promise<unknown> => eventually(async () => (await alice.sats()) === sats, 60_000);

  it('are pending in the mempool, and credited after their blocks: two to one address', async () => {
    const before = await alice.sats();
    const address = await newAddress();
    await pay(address, 50_000);
    await pay(address, 30_000);
    await pending(2);
    expect(await alice.sats()).toBe(before);
    await network.btcd.mine(2);
    await balance(before + 80_000);
    await pending(0);
  });

  it('are credited once when the node is killed between the mempool and the block', async () => {
    const before = await alice.sats();
    await pay(await newAddress(), 40_000);
    await pending(1);
    await network.c.stop('SIGKILL');
    await network.btcd.mine(3);
    await network.c.start();
    await network.c.waitUntilSynced();
    await balance(before + 40_000);
    await pending(0);
  });

  it('are credited once where a reorganisation moves them', async () => {
    const before = await alice.sats();
    await pay(await newAddress(), 60_000);
    await pending(1);
    await network.btcd.mine(1);
    await network.reorganise(1);
    await network.btcd.mine(2);
    await balance(before + 60_000);
    await network.reorganise(2);
    await network.btcd.mine(2);
    await balance(before + 60_000);
    await pending(0);
  });
});
