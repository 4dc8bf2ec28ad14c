import { eventually } from '../../../src/testing/eventually.js';
import { LdkNode, type PaymentEnd } from './ldk-node.js';
import { ToyChain } from './toy-chain.js';

const PUMP_EVERY_MS = 5;
const CHANNEL_SATS = 1_000_000n;
const WAITS_MS = [200, 500, 2_000, 8_000, 20_000];

/** Nodes A, B and C with channels A-B and B-C. */
export class LdkNetwork {
  private readonly chain = new ToyChain();
  readonly a = new LdkNode(this.chain);
  readonly b = new LdkNode(this.chain);
  readonly c = new LdkNode(this.chain);
  private readonly nodes = [this.a, this.b, this.c];
  private pump: NodeJS.Timeout | undefined;

  async start(): Promise<void> {
    const { a, b, c, chain, nodes } = this;
    await Promise.all(nodes.map(({ peers }) => peers.listen()));
    this.pump = setInterval(() => nodes.forEach((node) => node.pump()), PUMP_EVERY_MS);
    await a.peers.connectTo(b.peers, b.id);
    await b.peers.connectTo(c.peers, c.id);
    await eventually(() => b.peerCount === 2);
    a.open(b, CHANNEL_SATS);
    b.open(c, CHANNEL_SATS);
    await eventually(() => b.pendingChannels === 2 && chain.waiting === 2);
    chain.mine(6);
    nodes.forEach((node) => node.sync());
    await eventually(() => b.channels.list_usable_channels().length === 2);
  }

  /**
   * Waits until A has a route to C. LDK drops the update of a channel that comes before the announcement of that channel, takes no route
   * without the updates of both ends, and says its own again at a new connection only. So all connect again, less and less often.
   */
  async untilAnnounced(pays: () => Promise<boolean>): Promise<void> {
    for (const waitMs of WAITS_MS) {
      const has = await eventually(pays, waitMs).catch(() => false);
      if (has) return;
      await this.greetAgain();
    }
    await eventually(pays);
  }

  private async greetAgain(): Promise<void> {
    const { a, b, c } = this;
    b.peers.disconnect();
    await eventually(() => a.peerCount + b.peerCount + c.peerCount === 0);
    await b.peers.connectTo(c.peers, c.id);
    await eventually(() => b.channels.list_usable_channels().length === 1);
    await a.peers.connectTo(b.peers, b.id);
    await eventually(() => b.channels.list_usable_channels().length === 2 && a.channels.list_usable_channels().length === 1);
  }

  stop(): void {
    clearInterval(this.pump);
    this.nodes.forEach(({ peers }) => peers.close());
  }

  /** A pays. */
  async pay(paymentRequest: string, paymentHash: string, feeLimitMsat: bigint): Promise<PaymentEnd> {
    this.a.send(paymentRequest, feeLimitMsat);
    return eventually(() => this.a.endOf(paymentHash));
  }
}
