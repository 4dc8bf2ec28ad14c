import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as ldk from 'lightningdevkit';
import { LdkPeers } from './ldk-peers.js';
import { fundingTransaction, type ToyChain } from './toy-chain.js';

/** LDK is compiled to WebAssembly: call this once, before anything else of it. */
export async function loadLdk(): Promise<void> {
  const quiet = jest.spyOn(console, 'log').mockImplementation(); // it says its version
  await ldk.initializeWasmFromBinary(readFileSync(createRequire(import.meta.url).resolve('lightningdevkit/liblightningjs.wasm')));
  quiet.mockRestore();
}

const EASY_FEE = 253;
const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const random32 = (): Uint8Array => Uint8Array.from(randomBytes(32));

/** How a payment ended at the payer. */
export type PaymentEnd = { readonly preimage: string; readonly feeMsat: bigint } | 'failed';

/** A Lightning node of LDK: real channels, onions and HTLCs, on a chain in memory. */
export class LdkNode {
  readonly channels: ldk.ChannelManager;
  readonly peers: LdkPeers;
  readonly privateKey: Buffer;
  private readonly monitor: ldk.ChainMonitor;
  private readonly manager: ldk.PeerManager;
  private readonly handler: ldk.EventHandler;
  private readonly ended = new Map<string, PaymentEnd>();
  /** LDK does not keep these alive itself. */
  readonly kept: readonly unknown[];
  private height: number;
  /** Channels with this node of which the funding was negotiated. */
  pendingChannels = 0;
  /** What arrived and is not claimed, by payment hash, while `claims` is false. */
  readonly held = new Set<string>();
  claims = true;

  constructor(private readonly chain: ToyChain) {
    this.height = chain.height;
    const fees = ldk.FeeEstimator.new_impl({ get_est_sat_per_1000_weight: () => EASY_FEE });
    const broadcaster = ldk.BroadcasterInterface.new_impl({
      broadcast_transactions: (all) => all.forEach((each) => chain.broadcast(each)),
    });
    const logger = ldk.Logger.new_impl({ log: () => undefined });
    const done = ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed;
    const persister = ldk.Persist.new_impl({
      persist_new_channel: () => done,
      update_persisted_channel: () => done,
      archive_persisted_channel: () => undefined,
    });
    this.monitor = ldk.ChainMonitor.constructor_new(ldk.Option_FilterZ.constructor_none(), broadcaster, logger, fees, persister);
    const keys = ldk.KeysManager.constructor_new(random32(), BigInt(nowSeconds()), 42);
    this.privateKey = Buffer.from(keys.get_node_secret_key());
    const [entropy, signer] = [keys.as_EntropySource(), keys.as_NodeSigner()];
    const graph = ldk.NetworkGraph.constructor_new(ldk.Network.LDKNetwork_Regtest, logger);
    const decay = ldk.ProbabilisticScoringDecayParameters.constructor_default();
    const scores = ldk.MultiThreadedLockableScore.constructor_new(ldk.ProbabilisticScorer.constructor_new(decay, graph, logger).as_Score());
    const router = ldk.DefaultRouter.constructor_new(
      graph,
      logger,
      entropy,
      scores.as_LockableScore(),
      ldk.ProbabilisticScoringFeeParameters.constructor_default(),
    );
    this.channels = ldk.ChannelManager.constructor_new(
      fees,
      this.monitor.as_Watch(),
      broadcaster,
      router.as_Router(),
      ldk.DefaultMessageRouter.constructor_new(graph, entropy).as_MessageRouter(),
      logger,
      entropy,
      signer,
      keys.as_SignerProvider(),
      announcedAtOnce(),
      ldk.ChainParameters.constructor_new(
        ldk.Network.LDKNetwork_Regtest,
        ldk.BestBlock.constructor_new(Uint8Array.from(chain.tip), chain.height),
      ),
      nowSeconds(),
    );
    const nothing = ldk.IgnoringMessageHandler.constructor_new();
    const gossip = ldk.P2PGossipSync.constructor_new(graph, ldk.Option_UtxoLookupZ.constructor_none(), logger);
    this.kept = [graph, gossip, keys, router, scores];
    this.manager = ldk.PeerManager.constructor_new(
      this.channels.as_ChannelMessageHandler(),
      gossip.as_RoutingMessageHandler(),
      nothing.as_OnionMessageHandler(),
      nothing.as_CustomMessageHandler(),
      nowSeconds(),
      random32(),
      logger,
      signer,
    );
    this.peers = new LdkPeers(this.manager);
    this.handler = ldk.EventHandler.new_impl({
      handle_event: (event) => {
        this.handle(event);
        return ldk.Result_NoneReplayEventZ.constructor_ok();
      },
    });
  }

  get id(): Uint8Array {
    return this.channels.get_our_node_id();
  }

  get peerCount(): number {
    return this.manager.list_peers().length;
  }

  /** Does what LDK has to do now. Without it nothing happens. */
  pump(): void {
    this.manager.process_events();
    this.channels.as_EventsProvider().process_pending_events(this.handler);
    this.monitor.as_EventsProvider().process_pending_events(this.handler);
    this.channels.process_pending_htlc_forwards();
    this.manager.process_events();
  }

  sync(): void {
    for (; this.height < this.chain.height; this.height++) {
      const block = Uint8Array.from(this.chain.block(this.height + 1));
      this.channels.as_Listen().block_connected(block, this.height + 1);
      this.monitor.as_Listen().block_connected(block, this.height + 1);
    }
  }

  open(peer: LdkNode, sats: bigint): void {
    const opened = this.channels.create_channel(peer.id, sats, (sats * 1000n * 3n) / 10n, 7n, null, null);
    if (!opened.is_ok()) throw new Error('LDK refused to open a channel');
  }

  /** Hash and secret of a payment that this node can claim. */
  expectPayment(amountMsat: bigint | null): { readonly paymentHash: string; readonly paymentSecret: string } {
    const amount = amountMsat === null ? ldk.Option_u64Z.constructor_none() : ldk.Option_u64Z.constructor_some(amountMsat);
    const made = this.channels.create_inbound_payment(amount, 3_600, ldk.Option_u16Z.constructor_none());
    if (!(made instanceof ldk.Result_C2Tuple_ThirtyTwoBytesThirtyTwoBytesZNoneZ_OK)) throw new Error('LDK made no payment hash');
    return { paymentHash: hexOf(made.res.get_a()), paymentSecret: hexOf(made.res.get_b()) };
  }

  /** Begins a payment. @throws Error when LDK does not send it */
  send(paymentRequest: string, feeLimitMsat: bigint): void {
    const parsed = ldk.Bolt11Invoice.constructor_from_str(paymentRequest);
    if (!(parsed instanceof ldk.Result_Bolt11InvoiceParseOrSemanticErrorZ_OK)) throw new Error('LDK cannot read the invoice');
    const parts = ldk.UtilMethods.constructor_payment_parameters_from_invoice(parsed.res);
    if (!(parts instanceof ldk.Result_C3Tuple_ThirtyTwoBytesRecipientOnionFieldsRouteParametersZNoneZ_OK))
      throw new Error('The invoice has no amount');
    const [hash, onion, route] = [parts.res.get_a(), parts.res.get_b(), parts.res.get_c()];
    route.set_max_total_routing_fee_msat(ldk.Option_u64Z.constructor_some(feeLimitMsat));
    const sent = this.channels.send_payment(hash, onion, hash, route, ldk.Retry.constructor_attempts(3));
    if (!sent.is_ok()) throw new Error('LDK does not send the payment');
  }

  endOf(paymentHash: string): PaymentEnd | undefined {
    return this.ended.get(paymentHash);
  }

  private handle(event: ldk.Event): void {
    if (event instanceof ldk.Event_FundingGenerationReady)
      this.channels.funding_transaction_generated(
        event.temporary_channel_id,
        event.counterparty_node_id,
        fundingTransaction(event.output_script, event.channel_value_satoshis),
      );
    else if (event instanceof ldk.Event_ChannelPending) this.pendingChannels++;
    else if (event instanceof ldk.Event_PaymentClaimable) this.receive(event);
    else if (event instanceof ldk.Event_PaymentSent) {
      const fee = event.fee_paid_msat;
      const feeMsat = fee instanceof ldk.Option_u64Z_Some ? fee.some : 0n;
      this.ended.set(hexOf(event.payment_hash), { preimage: hexOf(event.payment_preimage), feeMsat });
    } else if (event instanceof ldk.Event_PaymentFailed) this.ended.set(hexOf(event.payment_id), 'failed');
  }

  private receive({ payment_hash: hash, purpose }: ldk.Event_PaymentClaimable): void {
    this.held.add(hexOf(hash));
    const preimage = purpose.preimage();
    if (this.claims && preimage instanceof ldk.Option_ThirtyTwoBytesZ_Some) this.channels.claim_funds(preimage.some);
  }
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Public channels that are usable after one block. */
function announcedAtOnce(): ldk.UserConfig {
  const config = ldk.UserConfig.constructor_default();
  const handshake = config.get_channel_handshake_config();
  handshake.set_announce_for_forwarding(true);
  handshake.set_minimum_depth(1);
  handshake.set_max_inbound_htlc_value_in_flight_percent_of_channel(100);
  config.set_channel_handshake_config(handshake);
  return config;
}
