import { randomBytes } from 'node:crypto';
import { encodeInvoice, type LightningBackend } from '../../src/money/lightning/index.js';
import { lightningBackendContract, type LightningBackendFixture } from '../../src/testing/lightning-backend-contract.js';
import { simulatorFaults, SimulatorFixture } from '../lightning/simulator-fixture.js';

type Test = () => Promise<unknown>;

/** The tests that a contract defines, by name, without running them. */
export function testsOf(define: () => void): { tests: Map<string, Test>; begin: Test[]; end: Test[] } {
  const found = { tests: new Map<string, Test>(), begin: [] as Test[], end: [] as Test[] };
  const names: string[] = [];
  const collectors = {
    describe: (name: string, define: () => void) => {
      names.push(name);
      define();
      names.pop();
    },
    it: Object.assign((name: string, test: Test) => void found.tests.set([...names, name].join(' '), test), {
      each: () => () => undefined,
    }),
    beforeAll: (work: Test) => found.begin.push(work),
    afterAll: (work: Test) => found.end.push(work),
  };
  const real = Object.fromEntries(Object.keys(collectors).map((name) => [name, (globalThis as Record<string, unknown>)[name]]));
  Object.assign(globalThis, collectors);
  try {
    define();
  } finally {
    Object.assign(globalThis, real);
  }
  return found;
}

/** A back end that breaks a promise of the port, and the test of the contract that must fail for it. */
export type Mutant = readonly [what: string, test: string, change: (backend: LightningBackend) => Partial<LightningBackend>];

const CHANGED = [
  'portVersion',
  'capabilities',
  'info',
  'createInvoice',
  'cancelInvoice',
  'lookupInvoice',
  'pay',
  'lookupPayment',
  'latestPaymentIndex',
  'listPayments',
  'probeFee',
  'channelBalance',
  'invoiceSettlements',
] as const;

/** What a mutant may replace, as it is. */
function partsOf(backend: LightningBackend): Partial<LightningBackend> {
  const partOf = (name: (typeof CHANGED)[number]): unknown => {
    const part: unknown = Reflect.get(backend, name);
    return typeof part === 'function' ? (part.bind(backend) as unknown) : part;
  };
  return Object.fromEntries(CHANGED.map((name) => [name, partOf(name)]));
}

/** Defines a test for each mutant: the test of the contract passes for the simulator, and fails for the mutant. */
export function refuses(mutants: readonly Mutant[]): void {
  let backend: LightningBackend;
  const { tests, begin, end } = testsOf(() => lightningBackendContract(opened));
  async function opened(): Promise<LightningBackendFixture> {
    const fixture = await SimulatorFixture.create();
    const started = await fixture.start();
    backend = started.backend;
    return {
      backend,
      network: 'regtest',
      invoiceOfOther: async (amountMsat) => (await started.simulator.createOutsideInvoice({ amountMsat })).paymentRequest,
      invoiceOutOfReach: async (amountMsat) => {
        const [paymentHash, paymentSecret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
        const createdAtSeconds = Math.floor(Date.now() / 1000);
        const facts = { network: 'regtest', amountMsat, paymentHash, paymentSecret, description: '', createdAtSeconds } as const;
        return encodeInvoice(facts, randomBytes(32));
      },
      ...simulatorFaults(started.simulator),
      close: () => fixture.destroy(),
    };
  }
  beforeAll(async () => {
    for (const work of begin) await work();
  });
  afterAll(async () => {
    for (const work of end) await work();
  });

  it.each(mutants)('%s', async (_what, name, change) => {
    const test = tests.get(name);
    if (!test) throw new Error(`The contract has no test "${name}"`);
    await test();
    const sound = partsOf(backend);
    const whole = Object.assign(Object.create(backend) as LightningBackend, sound);
    Object.assign(backend, change(whole));
    try {
      await expect((async () => test())()).rejects.toThrow(/expect/);
    } finally {
      Object.assign(backend, sound);
    }
  });
}
