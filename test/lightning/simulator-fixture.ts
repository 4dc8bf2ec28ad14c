import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { FUNCTIONS } from '../../migrations/index.js';
import { Simulator1764000003000 } from '../../migrations/1764000003000-simulator.js';
import { SimulatorHold1795561800931 } from '../../migrations/1795561800931-simulator-hold.js';
import { SimulatorRestores1795576120525 } from '../../migrations/1795576120525-simulator-restores.js';
import { Database, openDataSource, poolOf } from '../../src/platform/database/index.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import {
  decodeInvoice,
  LightningSimulator,
  type FinalPayment,
  type LightningBackend,
  type PaymentRequest,
} from '../../src/money/lightning/index.js';
import { SimulatorBackend, SimulatorStore } from '../../src/money/lightning/simulator/index.js';
import { Log } from '../../src/platform/logging/index.js';
import type { LightningBackendFixture } from '../../src/testing/lightning-backend-fixture.js';
import { dropDatabase } from '../support/database.js';

/** One process with its simulator. */
export interface Process {
  readonly backend: LightningBackend;
  readonly simulator: LightningSimulator;
  readonly database: Database;
  /** Ends it as `kill -9` does: nothing is written, and calls that wait get no answer. */
  stop(): Promise<void>;
}

/** A database with only the simulator's schema; any number of processes can be started on it. */
export class SimulatorFixture {
  private readonly processes: Process[] = [];

  private constructor(
    private readonly admin: pg.ClientConfig,
    private readonly name: string,
  ) {}

  static async create(): Promise<SimulatorFixture> {
    const admin = JSON.parse(process.env['TEST_DATABASE'] ?? '{}') as pg.ClientConfig;
    const name = `simulated_${randomBytes(6).toString('hex')}`;
    await as(admin, (client) => client.query(`CREATE DATABASE ${name}`));
    return new SimulatorFixture(admin, name);
  }

  async start(): Promise<Process> {
    const dataSource = await openDataSource(
      {
        connection: { ...this.admin, database: this.name },
        poolSize: 4,
        entities: [],
        migrations: [Simulator1764000003000, SimulatorHold1795561800931, SimulatorRestores1795576120525],
        functions: FUNCTIONS.filter(({ name }) => name.startsWith('simulator')),
        release: '0.0.0',
      },
      new Log('test'),
    );
    const database = new Database(poolOf(dataSource));
    const store = new SimulatorStore(database, 'regtest');
    const backend = await SimulatorBackend.open(store, new SystemClock());
    const stop = async (): Promise<void> => {
      backend.onModuleDestroy();
      if (dataSource.isInitialized) await dataSource.destroy();
    };
    const started = { backend, simulator: new LightningSimulator(store), database, stop };
    this.processes.push(started);
    return started;
  }

  async destroy(): Promise<void> {
    await Promise.all(this.processes.map((started) => started.stop()));
    await as(this.admin, (client) => dropDatabase(client, this.name));
  }
}

async function as(admin: pg.ClientConfig, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(admin);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export const SATS = 1_000n;
export const FEE_LIMIT_MSAT = 10n * SATS;

/** The other side of the contract suite, with its faults, as the simulator makes them. */
export function simulatorFaults(
  simulator: LightningSimulator,
): Pick<LightningBackendFixture, 'payFromOutside' | 'hold' | 'expensiveInvoice' | 'disconnect' | 'reconnect'> {
  return {
    payFromOutside: async (paymentRequest, amountMsat) =>
      (await simulator.payOutside(paymentRequest, amountMsat === undefined ? {} : { amountMsat })).status === 'paid',
    hold: async (amountMsat) => {
      const { paymentRequest, paymentHash } = await simulator.createOutsideInvoice({ amountMsat, faults: { hold: true } });
      const end = async (fail?: 'rejected'): Promise<void> => {
        await simulator.setFaults(paymentHash, {});
        if (!(await simulator.release(paymentHash, fail))) throw new Error(`No payment of ${paymentHash} is held`);
      };
      return { paymentRequest, settle: () => end(), fail: () => end('rejected') };
    },
    expensiveInvoice: async (amountMsat) => {
      const feeMsat = 20n * SATS;
      const { paymentRequest } = await simulator.createOutsideInvoice({ amountMsat, faults: { routeFeeMsat: feeMsat } });
      return { paymentRequest, feeMsat };
    },
    disconnect: () => simulator.setAway(true),
    reconnect: () => simulator.setAway(false),
  };
}

/** The request with which the payment service would pay this invoice. */
export function paymentOf(paymentRequest: string, over: Partial<PaymentRequest> = {}): PaymentRequest {
  const decoded = decodeInvoice(paymentRequest);
  if (!decoded.ok) throw new Error(decoded.message);
  const { paymentHash, amountMsat } = decoded.invoice;
  return { paymentRequest, paymentHash, amountMsat: amountMsat ?? 0n, feeLimitMsat: FEE_LIMIT_MSAT, timeoutSeconds: 10, ...over };
}

/** An invoice of our node. */
export async function ourInvoice(
  { backend }: Process,
  amountMsat: bigint | null = 1_000n * SATS,
): Promise<{ paymentHash: string; paymentRequest: string }> {
  const made = await backend.createInvoice({
    amountMsat,
    description: 'test',
    expirySeconds: 600,
    preimage: randomBytes(32).toString('hex'),
  });
  if (made.status !== 'created') throw new Error(`The invoice was not made: ${made.status}`);
  return made;
}

/** The first `count` items of a stream. */
export async function take<T>(count: number, open: (signal: AbortSignal) => AsyncIterable<T>): Promise<T[]> {
  const listening = new AbortController();
  const items: T[] = [];
  for await (const item of open(listening.signal)) {
    items.push(item);
    if (items.length === count) listening.abort();
  }
  return items;
}

/** The stream of outcomes, once it runs: payments are made until it reports one. */
export async function listenToOutcomes({ backend, simulator }: Process, signal: AbortSignal): Promise<AsyncIterator<FinalPayment>> {
  const stream = backend.paymentOutcomes(signal)[Symbol.asyncIterator]();
  let begun = false;
  const first = stream.next().finally(() => (begun = true));
  const rehearsals: string[] = [];
  while (!begun) {
    const request = paymentOf((await simulator.createOutsideInvoice({ amountMsat: SATS })).paymentRequest);
    await backend.pay(request);
    rehearsals.push(request.paymentHash);
  }
  let { value: told } = (await first) as IteratorYieldResult<FinalPayment>;
  while (told.paymentHash !== rehearsals.at(-1)) told = ((await stream.next()) as IteratorYieldResult<FinalPayment>).value;
  return stream;
}
