import { Global, Module, type DynamicModule, type Provider, type Type } from '@nestjs/common';
import { Config } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { LightningBackend } from './lightning-backend.js';
import { LightningNode } from './lightning-node.js';
import { openLnd } from './lnd.js';
import { LightningSimulator, SimulatorBackend, SimulatorStore } from './simulator/index.js';
import { LightningSettings } from './lightning.settings.js';
import { LndSettings } from './lnd.settings.js';

const SIMULATOR: Provider[] = [
  {
    provide: SimulatorStore,
    useFactory: (database: Database, config: Config) => new SimulatorStore(database, config.network),
    inject: [Database, Config],
  },
  {
    provide: LightningBackend,
    useFactory: (store: SimulatorStore, clock: Clock) => SimulatorBackend.open(store, clock),
    inject: [SimulatorStore, Clock],
  },
  { provide: LightningSimulator, useFactory: (store: SimulatorStore) => new LightningSimulator(store), inject: [SimulatorStore] },
];

const LND: Provider[] = [{ provide: LightningBackend, useFactory: openLnd, inject: [LndSettings, Config, LightningSettings] }];

const ADAPTERS: ReadonlyMap<string, Provider[]> = new Map([
  ['simulator', SIMULATOR],
  ['lnd', LND],
]);

/**
 * The application's one Lightning node: the core calls it through `LightningNode`, which wraps the adapter. `LightningSimulator` is
 * provided only with the simulated node: inject it `@Optional()`.
 */
@Global()
@Module({})
export class LightningModule {
  /** @param backend the name of an adapter of ours, or a class of the caller's own, whose constructor's dependencies are injected */
  static forRoot(backend: string | Type<LightningBackend>): DynamicModule {
    const providers = typeof backend === 'string' ? ADAPTERS.get(backend) : [{ provide: LightningBackend, useClass: backend }];
    if (!providers) throw new Error(`Unknown Lightning back end: ${String(backend)}`);
    const simulated = providers === SIMULATOR;
    return {
      module: LightningModule,
      providers: [...providers, LightningNode],
      exports: [LightningBackend, LightningNode, ...(simulated ? [LightningSimulator] : [])],
    };
  }
}
