import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConfigModule, loadConfig } from '../../src/platform/config/index.js';
import { Database } from '../../src/platform/database/index.js';
import { Clock, SystemClock } from '../../src/platform/kernel/clock.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { LightningSettings } from '../../src/money/lightning/index.js';
import { ChainSimulator, OnChainBackend, OnChainModule, OnChainSettings, OnChainWallet } from '../../src/money/onchain/index.js';
import { openChain, taken, type ChainFixture } from './chain-fixture.js';

let fixture: ChainFixture;
beforeAll(async () => {
  fixture = await openChain();
});
afterAll(() => fixture.close());

@Module({})
class Surroundings {
  static on(database: Database): DynamicModule {
    const providers = [{ provide: Database, useValue: database }, { provide: Clock, useClass: SystemClock }, Metrics];
    return { module: Surroundings, global: true, providers, exports: [Database, Clock, Metrics] };
  }
}

const UNKNOWN = { status: 'unknown' } as const;
const unknown = () => Promise.resolve(UNKNOWN);

/** A wallet of the organisation's own that was never reached. */
class AcmeWallet extends OnChainBackend {
  readonly portVersion = 1;
  readonly capabilities: OnChainBackend['capabilities'] = new Set();
  readonly tip = () => Promise.resolve({ status: 'known' as const, height: 7, hash: 'ab'.repeat(32) });
  readonly newAddress = unknown;
  readonly transactions = unknown;
  readonly feeRate = unknown;
  readonly fund = unknown;
  readonly finalize = unknown;
  readonly publish = unknown;
  readonly lookup = unknown;
  readonly balance = unknown;
  readonly renewLease = () => Promise.resolve('unknown' as const);
  readonly releaseLease = () => Promise.resolve('unknown' as const);
}

async function start(backend: 'simulator' | Type<OnChainBackend> | null, own: Partial<OnChainSettings> = {}) {
  const settings = new Map<Type, object>([
    [LightningSettings, new LightningSettings()],
    [OnChainSettings, Object.assign(new OnChainSettings(), own)],
  ]);
  const config = loadConfig({}, () => 's'.repeat(32));
  const imports = [ConfigModule.forRoot(config, settings as never), Surroundings.on(fixture.database), OnChainModule.forRoot(backend)];
  return Test.createTestingModule({ imports }).compile();
}

it('has the simulated wallet, whose outside is a provider', async () => {
  const module = await start('simulator');
  const wallet = module.get(OnChainWallet);
  expect(wallet.isPresent).toBe(true);
  const created = await wallet.newAddress();
  const address = created.status === 'created' ? created.address : '';
  const txid = taken(await module.get(ChainSimulator).deposit({ address, sats: 5_000n }));
  expect(await wallet.lookup(txid)).toEqual({ status: 'mempool' });
});

it.each([
  ['ONCHAIN=0', 'simulator', { ONCHAIN: false }],
  ['a node without a wallet', null, {}],
] as const)('has no wallet: %s', async (_why, backend, own) => {
  const wallet = (await start(backend, own)).get(OnChainWallet);
  expect(wallet.isPresent).toBe(false);
  expect(await wallet.tip()).toEqual(UNKNOWN);
});

it('has the class of the caller’s own', async () => {
  const module = await start(AcmeWallet);
  expect(module.get(OnChainWallet).isPresent).toBe(true);
  expect(await module.get(OnChainWallet).tip()).toMatchObject({ height: 7 });
  expect(() => module.get(ChainSimulator)).toThrow();
});
