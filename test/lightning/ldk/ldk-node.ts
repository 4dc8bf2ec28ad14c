import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as ldk from 'lightningdevkit';

/** LDK is compiled to WebAssembly: call this once, before anything else of it. */
export async function loadLdk(): Promise<void> {
  const quiet = jest.spyOn(console, 'log').mockImplementation(); // it says its version
  await ldk.initializeWasmFromBinary(readFileSync(createRequire(import.meta.url).resolve('lightningdevkit/liblightningjs.wasm')));
  quiet.mockRestore();
}

const EASY_FEE = 253;
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** A node of LDK without channels and peers: it makes and signs invoices. */
export class LdkNode {
  readonly channels: ldk.ChannelManager;
  /** LDK does not keep these alive itself. */
  readonly kept: readonly unknown[];

  constructor() {
    const fees = ldk.FeeEstimator.new_impl({ get_est_sat_per_1000_weight: () => EASY_FEE });
    const broadcaster = ldk.BroadcasterInterface.new_impl({ broadcast_transactions: () => undefined });
    const logger = ldk.Logger.new_impl({ log: () => undefined });
    const done = ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed;
    const persister = ldk.Persist.new_impl({
      persist_new_channel: () => done,
      update_persisted_channel: () => done,
      archive_persisted_channel: () => undefined,
    });
    const monitor = ldk.ChainMonitor.constructor_new(ldk.Option_FilterZ.constructor_none(), broadcaster, logger, fees, persister);
    const keys = ldk.KeysManager.constructor_new(Uint8Array.from(randomBytes(32)), BigInt(nowSeconds()), 42);
    const entropy = keys.as_EntropySource();
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
      monitor.as_Watch(),
      broadcaster,
      router.as_Router(),
      ldk.DefaultMessageRouter.constructor_new(graph, entropy).as_MessageRouter(),
      logger,
      entropy,
      keys.as_NodeSigner(),
      keys.as_SignerProvider(),
      ldk.UserConfig.constructor_default(),
      ldk.ChainParameters.constructor_new(ldk.Network.LDKNetwork_Regtest, ldk.BestBlock.constructor_new(new Uint8Array(32), 0)),
      nowSeconds(),
    );
    this.kept = [graph, keys, monitor, router, scores];
  }

  get id(): Uint8Array {
    return this.channels.get_our_node_id();
  }
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
