import { join } from 'node:path';
import { eventually } from '../../../../src/testing/eventually.js';
import { Btcd } from './btcd.js';
import { Lnd } from './lnd.js';

const SLOW_MS = 180_000;

interface Policy {
  readonly fee_base_msat: string;
}
interface Edge {
  readonly node1_policy: Policy | null;
  readonly node2_policy: Policy | null;
}

/** Nodes A, B and C on a regtest chain, with channels A-B and B-C of 5,000,000 sats. */
export class LndNetwork {
  readonly btcd: Btcd;
  private readonly rival: Btcd;
  private miners: string[] = [];
  readonly a: Lnd;
  readonly b: Lnd;
  readonly c: Lnd;

  /** @param binaries folder with btcd and lnd @param folder new, for everything that they write */
  constructor(binaries: string, folder: string) {
    this.btcd = new Btcd(join(binaries, 'btcd'), join(folder, 'btcd'));
    this.rival = new Btcd(join(binaries, 'btcd'), join(folder, 'rival'));
    const node = (name: string): Lnd => new Lnd(name, join(binaries, 'lnd'), join(folder, name), this.btcd);
    [this.a, this.b, this.c] = [node('A'), node('B'), node('C')];
  }

  async start(): Promise<void> {
    const { a, b, c, btcd } = this;
    this.miners = await this.minersOf([a, b]);
    await btcd.start(this.miners);
    // Segregated witness is active from block 432, and coins are spendable after 100 more.
    await btcd.mine(450);
    await Promise.all([a, b, c].map(async (node) => (await node.start(), node.waitUntilSynced())));
    await eventually(async () => {
      const balances = await Promise.all([a, b].map((node) => node.call('lnrpc.Lightning/WalletBalance')));
      return balances.every((balance) => BigInt(balance['confirmed_balance'] as string) > 100_000_000n);
    }, SLOW_MS);
    await Promise.all([this.openChannel(a, b), this.openChannel(b, c)]);
    await btcd.mine(6);
    await eventually(() => this.isOpen(), SLOW_MS);
  }

  /** Another channel A-B, after the first one was closed. */
  async reopen(): Promise<void> {
    await this.openChannel(this.a, this.b);
    await this.btcd.mine(6);
    await eventually(() => this.isOpen(), SLOW_MS);
  }

  /** The fee of node B for what it forwards, once the sender knows it. */
  async setFeeOfB(baseFeeMsat: number): Promise<void> {
    const policy = { global: true, base_fee_msat: String(baseFeeMsat), fee_rate_ppm: 1, time_lock_delta: 80 };
    await this.b.call('lnrpc.Lightning/UpdateChannelPolicy', policy);
    const [b, c] = [await this.b.pubkey(), await this.c.pubkey()];
    await eventually(async () => {
      const { edges } = await this.a.call('lnrpc.Lightning/DescribeGraph');
      return (edges as (Edge & { node1_pub: string; node2_pub: string })[]).some(
        ({ node1_pub: one, node2_pub: two, node1_policy: ofOne, node2_policy: ofTwo }) =>
          [one, two].toSorted().join() === [b, c].toSorted().join() && (one === b ? ofOne : ofTwo)?.fee_base_msat === String(baseFeeMsat),
      );
    }, SLOW_MS);
  }

  /** A longer chain, mined elsewhere, replaces the latest blocks: their transactions are in its blocks, or in the mempool. */
  async reorganise(depth: number): Promise<void> {
    if (this.rival.rpcPort === 0) await this.rival.start(this.miners);
    await this.rival.agreeWith(this.btcd);
    await this.rival.forget(depth);
    await this.rival.mine(depth + 1);
    await this.btcd.agreeWith(this.rival);
  }

  async stop(): Promise<void> {
    // LND waits 5 s for a chain that goes before it.
    await Promise.all([this.a, this.b, this.c].map((node) => node.stop()));
    await Promise.all([this.btcd.stop(), this.rival.stop()]);
  }

  /** Addresses come from nodes on an empty chain; blocks can be mined to them after a restart of btcd alone. */
  private async minersOf(nodes: readonly Lnd[]): Promise<string[]> {
    await this.btcd.start();
    await Promise.all(nodes.map((node) => node.start()));
    const addresses = await Promise.all(nodes.map((node) => node.call('lnrpc.Lightning/NewAddress', { type: 'WITNESS_PUBKEY_HASH' })));
    await Promise.all(nodes.map((node) => node.stop()));
    await this.btcd.stop();
    return addresses.map(({ address }) => address as string);
  }

  private async openChannel(from: Lnd, to: Lnd): Promise<void> {
    const pubkey = await to.pubkey();
    await from.call('lnrpc.Lightning/ConnectPeer', { addr: { pubkey, host: `127.0.0.1:${to.peerPort}` } }).catch((error: Error) => {
      if (!error.message.includes('already connected')) throw error;
    });
    const amounts = { local_funding_amount: '5000000', push_sat: '2000000' };
    await from.call('lnrpc.Lightning/OpenChannelSync', { node_pubkey: Buffer.from(pubkey, 'hex'), ...amounts });
  }

  /** A channel is active before the sender knows the policies of the far one. */
  private async isOpen(): Promise<boolean> {
    const graphs = await Promise.all([this.a, this.c].map((node) => node.call('lnrpc.Lightning/DescribeGraph')));
    return graphs.every((graph) => {
      const edges = graph['edges'] as Edge[];
      return edges.length === 2 && edges.every((edge) => edge.node1_policy && edge.node2_policy);
    });
  }
}
