import { Module, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ConfigModule, loadConfig } from '../../src/platform/config/index.js';
import { Database } from '../../src/platform/database/index.js';
import { Clock, SystemClock } from '../../src/platform/kernel/clock.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import {
  LightningBackend,
  LightningModule,
  LightningSimulator,
  type FinalPayment,
  type InvoiceSettlement,
} from '../../src/money/lightning/index.js';
import { LightningSettings } from '../../src/money/lightning/lightning.settings.js';
import { SimulatorFixture, type Process } from './simulator-fixture.js';

let fixture: SimulatorFixture;
let other: Process;
beforeAll(async () => {
  fixture = await SimulatorFixture.create();
  other = await fixture.start();
});
afterAll(() => fixture.destroy());

@Module({})
class Surroundings {
  static on(database: Database): DynamicModule {
    const providers = [{ provide: Database, useValue: database }, { provide: Clock, useClass: SystemClock }, Metrics];
    return { module: Surroundings, global: true, providers, exports: [Database, Clock, Metrics] };
  }
}

const UNKNOWN = { status: 'unknown' } as const;

/** A third-party back end whose node was never reached: the least that the port allows. */
class AcmeBackend extends LightningBackend {
  readonly portVersion = 1;
  readonly capabilities: LightningBackend['capabilities'] = new Set(['own_preimage', 'settle_index']);
  readonly nodeId = 'acme';
  readonly info = () => Promise.resolve(UNKNOWN);
  readonly createInvoice = () => Promise.resolve(UNKNOWN);
  readonly lookupInvoice = () => Promise.resolve(UNKNOWN);
  readonly pay = () => Promise.resolve(UNKNOWN);
  readonly lookupPayment = () => Promise.resolve(UNKNOWN);
  async *invoiceSettlements(): AsyncGenerator<InvoiceSettlement> {}
  async *paymentOutcomes(): AsyncGenerator<FinalPayment> {}
}

const start = (lightning: DynamicModule) =>
  Test.createTestingModule({
    imports: [
      ConfigModule.forRoot(
        loadConfig({}, () => 's'.repeat(32)),
        new Map([[LightningSettings, new LightningSettings()]]),
      ),
      Surroundings.on(other.database),
      lightning,
    ],
  }).compile();

describe('the Lightning module', () => {
  it('provides the simulator by its name, with its outside node', async () => {
    const app = await start(LightningModule.forRoot('simulator'));
    const backend = app.get(LightningBackend);
    expect(await backend.info()).toEqual({ status: 'ready', nodeId: other.backend.nodeId, network: 'regtest', alias: 'simulator' });
    const { paymentHash } = await app.get(LightningSimulator).createOutsideInvoice({ amountMsat: null });
    expect(await other.backend.lookupPayment(paymentHash)).toEqual({ status: 'not_found' });
    const waiting = backend.invoiceSettlements(0n, new AbortController().signal)[Symbol.asyncIterator]().next();
    await app.close();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('provides a custom back end, and then no simulator', async () => {
    const app = await start(LightningModule.forRoot(AcmeBackend));
    expect(app.get(LightningBackend).nodeId).toBe('acme');
    expect(() => app.get(LightningSimulator)).toThrow();
    await app.close();
  });

  it('refuses unknown names', () => {
    expect(() => LightningModule.forRoot('telepathy')).toThrow('Unknown Lightning back end: telepathy');
  });
});
