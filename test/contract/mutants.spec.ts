import { randomBytes } from 'node:crypto';
import { encodeInvoice, type LightningBackend, type PaymentIndex, type PaymentStatus, type PayResult } from '../../src/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { lightningBackendContract, type LightningBackendFixture } from '../../src/testing/lightning-backend-contract.js';
import { simulatorFaults, SimulatorFixture } from '../lightning/simulator-fixture.js';

type Test = () => Promise<unknown>;

/** The tests that the contract defines, by name, without running them. */
function testsOf(open: () => Promise<LightningBackendFixture>): { tests: Map<string, Test>; begin: Test[]; end: Test[] } {
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
    lightningBackendContract(open);
  } finally {
    Object.assign(globalThis, real);
  }
  return found;
}

const COUNT = 'payments count: the index grows with every payment that the node begins, and never decreases';
const IN_FLIGHT = 'payments are in flight only at a node that has them, and never at one to which they were not sent';
const SETTLE = 'payments settle with the preimage, for a fee within the limit';
const CUT_OFF = 'faults without a connection: every answer is unknown, no call rejects, and a payment is not sent later';
const SLOW = 'faults in flight longer than the caller waits: unknown to the caller, in flight to a look-up, and sent once';
const BROKEN = 'faults cut off in the middle of a payment: unknown to the caller, and in flight as soon as the node answers again';
const EXPENSIVE = 'faults a route that costs more than the limit: no route, and nothing is paid';

/** Changes what look-ups answer. */
const lookingUp = (change: (found: PaymentStatus) => PaymentStatus) => (backend: LightningBackend) => ({
  lookupPayment: async (paymentHash: string) => change(await backend.lookupPayment(paymentHash)),
});
/** Changes what `pay` answers. */
const paying = (change: (answer: PayResult) => PayResult) => (backend: LightningBackend) => ({
  pay: async (request: Parameters<LightningBackend['pay']>[0]) => change(await backend.pay(request)),
});
const failed = { status: 'failed', reason: 'timeout' } as const;

/** A back end that breaks a promise of the port, and the test of the contract that must fail for it. */
const MUTANTS: readonly (readonly [what: string, test: string, change: (backend: LightningBackend) => Partial<LightningBackend>])[] = [
  ['never increases its payment index', COUNT, () => ({ latestPaymentIndex: async () => 7n })],
  ['counts down', COUNT, (backend) => ({ latestPaymentIndex: async () => 1_000_000n - ((await backend.latestPaymentIndex()) as bigint) })],
  ['says the index as a number', COUNT, () => ({ latestPaymentIndex: async () => 7 as unknown as PaymentIndex })],
  ['cannot say the index while its node is there', COUNT, () => ({ latestPaymentIndex: async () => 'unknown' })],
  [
    'says that it has not sent what it has sent',
    IN_FLIGHT,
    (backend) => ({ pay: async (request) => (await backend.pay(request), { status: 'not_sent' }) }),
  ],
  [
    'says that the node has what was not sent',
    IN_FLIGHT,
    () => ({ pay: async ({ onInFlight }) => (onInFlight?.(), { status: 'not_sent' }) }),
  ],
  ['sends nothing', SETTLE, () => ({ pay: async () => ({ status: 'not_sent' }) })],
  ['does not find what it cannot look up', CUT_OFF, lookingUp((found) => (found.status === 'unknown' ? { status: 'not_found' } : found))],
  [
    'throws when it cannot look up',
    CUT_OFF,
    lookingUp((found) => {
      if (found.status === 'unknown') throw new Error('expect: no connection');
      return found;
    }),
  ],
  [
    'sends later what it could not send at once',
    CUT_OFF,
    (backend) => ({
      pay: async (request) => {
        const answer = await backend.pay(request);
        if (answer.status === 'not_sent') void retried(backend, request);
        return answer;
      },
    }),
  ],
  ['does not find an invoice while it is cut off', CUT_OFF, () => ({ lookupInvoice: async () => ({ status: 'not_found' }) })],
  ['takes the end of the caller’s time for a failure', SLOW, paying((answer) => (answer.status === 'unknown' ? failed : answer))],
  ['does not find what is in flight', SLOW, lookingUp((found) => (found.status === 'in_flight' ? { status: 'not_found' } : found))],
  ['takes what is in flight for failed', SLOW, lookingUp((found) => (found.status === 'in_flight' ? failed : found))],
  ['takes a broken connection for a failure', BROKEN, paying((answer) => (answer.status === 'unknown' ? failed : answer))],
  ['has not sent what it was sending', BROKEN, paying((answer) => (answer.status === 'unknown' ? { status: 'not_sent' } : answer))],
  [
    'ignores the fee limit',
    EXPENSIVE,
    (backend) => ({ pay: (request) => backend.pay({ ...request, feeLimitMsat: request.feeLimitMsat * 2n }) }),
  ],
];

/** Sends as soon as there is a connection, as a queue of a client library does. */
async function retried(backend: LightningBackend, request: Parameters<LightningBackend['pay']>[0]): Promise<void> {
  await eventually(async () => (await backend.info()).status === 'ready' && (await backend.pay(request)));
}

describe('the contract of Lightning back ends refuses a back end that', () => {
  let backend: LightningBackend;
  const { tests, begin, end } = testsOf(async () => {
    const fixture = await SimulatorFixture.create();
    const started = await fixture.start();
    backend = started.backend;
    const invoiceOfOther = async (amountMsat: bigint | null): Promise<string> =>
      (await started.simulator.createOutsideInvoice({ amountMsat })).paymentRequest;
    const invoiceOutOfReach = async (amountMsat: bigint): Promise<string> => {
      const [paymentHash, paymentSecret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
      const createdAtSeconds = Math.floor(Date.now() / 1000);
      return encodeInvoice(
        { network: 'regtest', amountMsat, paymentHash, paymentSecret, description: '', createdAtSeconds },
        randomBytes(32),
      );
    };
    return {
      backend,
      network: 'regtest',
      invoiceOfOther,
      invoiceOutOfReach,
      ...simulatorFaults(started.simulator),
      close: () => fixture.destroy(),
    };
  });
  beforeAll(async () => {
    for (const work of begin) await work();
  });
  afterAll(async () => {
    for (const work of end) await work();
  });

  it.each(MUTANTS)('%s', async (_what, name, change) => {
    const test = tests.get(name);
    if (!test) throw new Error(`The contract has no test "${name}"`);
    await test();
    const sound = {
      pay: backend.pay.bind(backend),
      latestPaymentIndex: backend.latestPaymentIndex.bind(backend),
      lookupPayment: backend.lookupPayment.bind(backend),
      lookupInvoice: backend.lookupInvoice.bind(backend),
    };
    const whole = Object.assign(Object.create(backend) as LightningBackend, sound);
    Object.assign(backend, change(whole));
    try {
      await expect(test()).rejects.toThrow(/expect/);
    } finally {
      Object.assign(backend, sound);
    }
  });
});
