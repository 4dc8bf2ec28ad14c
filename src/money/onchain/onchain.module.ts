import { Global, Module, type DynamicModule, type FactoryProvider, type Provider, type Type } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import { LightningBackend, lndCalls, LightningSettings } from '../lightning/index.js';
import { LndWallet } from './lnd-wallet.js';
import { OnChainBackend } from './onchain-backend.js';
import { OnChainWallet } from './onchain-wallet.js';
import { OnChainSettings } from './onchain.settings.js';
import { ChainSimulator, ChainStore, SimulatedWallet } from './simulator/index.js';

const SIMULATOR: Provider[] = [
  {
    provide: ChainStore,
    useFactory: (database: Database, config: Config) => new ChainStore(database, config.network),
    inject: [Database, Config],
  },
  { provide: OnChainBackend, useFactory: (store: ChainStore) => new SimulatedWallet(store), inject: [ChainStore] },
  { provide: ChainSimulator, useFactory: (store: ChainStore) => new ChainSimulator(store), inject: [ChainStore] },
];

const LND: Provider[] = [
  {
    provide: OnChainBackend,
    useFactory: (node: LightningBackend, { network }: Config) => new LndWallet(lndCalls(node), network),
    inject: [LightningBackend, Config],
  },
];

const ADAPTERS: ReadonlyMap<unknown, Provider[]> = new Map([
  ['simulator', SIMULATOR],
  ['lnd', LND],
  [null, []],
]);

const WALLET: FactoryProvider<OnChainWallet> = {
  provide: OnChainWallet,
  useFactory: (own: OnChainSettings, settings: LightningSettings, clock: Clock, metrics: Metrics, backend?: OnChainBackend) =>
    new OnChainWallet(own.ONCHAIN ? (backend ?? null) : null, settings, clock, metrics),
  inject: [OnChainSettings, LightningSettings, Clock, Metrics, { token: OnChainBackend, optional: true }],
};

/**
 * The organisation's on-chain wallet: the core calls it through `OnChainWallet`, which wraps the adapter. `ChainSimulator` is provided only
 * with the simulated wallet: inject it `@Optional()`.
 */
@Global()
@Module({})
export class OnChainModule {
  /**
   * @param backend the name of an adapter of ours, whose Lightning node is the application's, or a class of the caller's own, whose constructor's
   * dependencies are injected; null: there is no wallet
   */
  static forRoot(backend: string | Type<OnChainBackend> | null): DynamicModule {
    const isSimulated = backend === 'simulator';
    const own = typeof backend === 'function' ? [{ provide: OnChainBackend, useClass: backend }] : ADAPTERS.get(backend);
    if (!own) throw new Error(`Unknown on-chain back end: ${String(backend)}`);
    return {
      module: OnChainModule,
      providers: [...own, WALLET],
      exports: [OnChainWallet, ...(isSimulated ? [ChainSimulator] : [])],
    };
  }
}
