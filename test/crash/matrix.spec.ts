import { eventually } from '../../src/testing/eventually.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { dataOf } from '../support/graphql.js';
import type { ServerProcess } from '../support/server-process.js';
import type { WalletClient } from '../support/wallet-client.js';
import { CrashingServer, LONG_LEASE } from './crashing-server.js';
import { FAULT_POINTS, FaultPoints, type FaultPoint, type APPROVAL_POINTS, type PAYOUT_POINTS } from './fault-points.js';

const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success } }`;
const COST = 102;
const PATIENT = {
  // A statement that stops at a point stays there until its process is killed.
  DATABASE_STATEMENT_SECONDS: '240',
  DATABASE_LOCK_MS: '60000',
  DATABASE_POOL_SIZE: '24',
  ...LONG_LEASE,
};

type Outcome = 'commit' | 'rollBack';
interface Invoice {
  readonly paymentRequest: string;
  readonly paymentHash: string;
}
/** What one step does in a process that is killed there, and what the others make of it. */
interface Prepared {
  readonly begin: () => Promise<unknown>;
  /** After the kill, before the others continue. */
  readonly outside?: () => Promise<unknown>;
  /** @param by the same person at a process that lives */
  readonly verify: (outcome: Outcome, by: WalletClient) => Promise<void>;
}
/** @param person at the process that will be killed */
type Step = (person: WalletClient) => Promise<Prepared>;

let system: CrashingServer;
let points: FaultPoints;
let servers: ServerProcess[];
const PAYEE = FAULT_POINTS.length;

beforeAll(async () => {
  system = await CrashingServer.prepare(PAYEE + 1, 3_000, PATIENT);
  points = await FaultPoints.plant(system.database.connection);
  servers = [system.server, await system.server.sibling(), await system.server.sibling()];
  await Promise.all(servers.map((server) => server.start()));
});
afterAll(async () => {
  await points?.close();
  for (const server of servers?.slice(1) ?? []) await server.end('SIGKILL');
  await system?.close();
});

const payee = (): WalletClient =>
  system.person(
    PAYEE,
    servers.find((server) => server.isRunning),
  );
const stateOf = async (paymentHash: string): Promise<string> =>
  (
    await system.pool.query<{ state: string }>('SELECT state FROM payment WHERE payment_hash = $1 ORDER BY created_at DESC LIMIT 1', [
      paymentHash,
    ])
  ).rows[0]?.state ?? 'never begun';
/** The end of a payment, whose time passes quickly. */
const final = (paymentHash: string): Promise<string> =>
  eventually(async () => {
    const state = await stateOf(paymentHash);
    if (state !== 'in_flight') return state;
    await system.older(paymentHash);
    return null;
  });
const isHeld = (paymentHash: string): Promise<unknown> =>
  eventually(
    async () => (await system.pool.query('SELECT FROM payment WHERE payment_hash = $1 AND seen_in_flight', [paymentHash])).rowCount === 1,
  );
const due = (paymentHash: string): Promise<unknown> =>
  system.pool.query('UPDATE payment SET next_check_at = now() WHERE payment_hash = $1', [paymentHash]);

const sentLongAgo = async (paymentHash: string): Promise<unknown> => {
  const isSent = 'SELECT FROM payment WHERE payment_hash = $1 AND dispatched_at IS NOT NULL';
  await eventually(async () => (await system.pool.query(isSent, [paymentHash])).rowCount === 1);
  return system.older(paymentHash);
};

/** A payment to the outside that is charged, or not, as `ends` says. */
async function paysOutside(
  person: WalletClient,
  faults: object,
  ends: (outcome: Outcome) => string,
  more: { after?: (invoice: Invoice) => Promise<unknown>; outside?: (invoice: Invoice) => Promise<unknown> } = {},
): Promise<Prepared> {
  const [invoice, before] = [await system.outside(100, faults), await person.sats()];
  return {
    begin: async () => (void person.pay(invoice.paymentRequest).catch(() => undefined), more.after?.(invoice)),
    outside: () => more.outside?.(invoice) ?? Promise.resolve(),
    verify: async (outcome, by) => {
      const end = await final(invoice.paymentHash);
      expect(end).toBe(ends(outcome));
      expect(before - (await by.sats())).toBe(end === 'settled' ? COST : 0);
      if (end === 'never begun') expect(await by.pay(invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    },
  };
}

async function createsInvoice(person: WalletClient): Promise<Prepared> {
  const before = await person.sats();
  return {
    begin: async () => void person.invoice(50).catch(() => undefined),
    verify: async (_outcome, by) => {
      // Its text reached no payer; the caller asks again.
      const { paymentRequest } = await by.invoice(50);
      expect(await system.simulator.payOutside(paymentRequest)).toMatchObject({ status: 'paid' });
      await eventually(async () => (await by.sats()) === before + 50);
    },
  };
}

async function paysInside(
  person: WalletClient,
  expected: (outcome: Outcome) => string,
  ends: Prepared['verify'],
): Promise<Prepared & { invoice: Invoice }> {
  const [invoice, before] = [await payee().invoice(70), await person.sats()];
  return {
    invoice,
    begin: async () => void person.pay(invoice.paymentRequest).catch(() => undefined),
    verify: async (outcome, by) => {
      await ends(outcome, by);
      // A repeat pays what was not paid, and nothing twice.
      expect(await by.pay(invoice.paymentRequest)).toMatchObject({ status: expected(outcome) });
      expect(before - (await by.sats())).toBe(70);
    },
  };
}

const settled = (): string => 'settled';
const failed = (): string => 'failed';
const release = (fail?: 'no_route') => async (invoice: Invoice) => system.simulator.release(invoice.paymentHash, fail);

/** The node's answer comes before the kill at `finish`, during it at `send`, and after it at `claim` and `seen`. */
const STEPS: Readonly<Record<Exclude<FaultPoint, 'resolve' | (typeof APPROVAL_POINTS | typeof PAYOUT_POINTS)[number]>, Step>> = {
  cancel: async (person) => {
    const { paymentRequest, paymentHash } = await person.invoice(60);
    const input = { walletId: person.walletId, paymentHash };
    const cancel = (by: WalletClient): Promise<{ lnInvoiceCancel: unknown }> => dataOf(by.url, CANCEL, { input }, by.as('receive'));
    return {
      begin: async () => void cancel(person).catch(() => undefined),
      verify: async (_outcome, by) => {
        expect((await cancel(by)).lnInvoiceCancel).toEqual({ success: true });
        expect(await system.simulator.payOutside(paymentRequest)).toEqual({ status: 'cancelled' });
        expect(await payee().pay(paymentRequest)).toMatchObject({ status: 'FAILURE' });
      },
    };
  },
  'close copy': async (person) => {
    const step = await paysInside(
      person,
      () => 'ALREADY_PAID',
      async () => {
        // Until the node's copy is cancelled the outside can pay too, and that money is the payee's.
        const { status } = await system.simulator.payOutside(step.invoice.paymentRequest);
        expect(['paid', 'cancelled']).toContain(status);
      },
    );
    return step;
  },
  finish: (person) => paysOutside(person, {}, settled),
  claim: (person) =>
    paysOutside(person, { hold: true }, failed, {
      after: async ({ paymentHash }) => (await isHeld(paymentHash), await points.set('claim'), due(paymentHash)),
      outside: release('no_route'),
    }),
  'not found': (person) => paysOutside(person, { lost: true }, failed, { after: ({ paymentHash }) => sentLongAgo(paymentHash) }),
  seen: (person) => paysOutside(person, { hold: true }, settled, { outside: release() }),
  store: createsInvoice,
  make: createsInvoice,
  send: (person) => paysOutside(person, {}, (outcome) => (outcome === 'commit' ? 'settled' : 'failed')),
  dispatch: (person) => paysOutside(person, {}, failed),
  begin: (person) => paysOutside(person, {}, (outcome) => (outcome === 'commit' ? 'failed' : 'never begun')),
  move: (person) =>
    paysInside(
      person,
      (outcome) => (outcome === 'commit' ? 'ALREADY_PAID' : 'SUCCESS'),
      () => Promise.resolve(),
    ),
  settle: async (person) => {
    const [{ paymentRequest }, before] = [await person.invoice(90), await person.sats()];
    return {
      begin: async () => void system.simulator.payOutside(paymentRequest).catch(() => undefined),
      verify: async (_outcome, by) => void (await eventually(async () => (await by.sats()) === before + 90)),
    };
  },
};

/**
 * A round of the reconciler stops at one of its steps, and the end of a payment and a settlement need the same account of the ledger: of each
 * two, a round has one.
 */
const ROUNDS: readonly { readonly victim: number; readonly outcome: Outcome; readonly without: readonly FaultPoint[] }[] = [
  { victim: 0, outcome: 'rollBack', without: ['not found', 'settle'] },
  { victim: 1, outcome: 'commit', without: ['not found', 'settle'] },
  { victim: 2, outcome: 'rollBack', without: ['claim', 'finish'] },
  { victim: 1, outcome: 'commit', without: ['claim', 'finish'] },
];

describe.each(ROUNDS)('process $victim of three, killed ($outcome) at every step at once', (round) => {
  const { victim, outcome, without } = round;
  const steps = (Object.keys(STEPS) as (keyof typeof STEPS)[]).filter((name) => !without.includes(name));
  const prepared = new Map<FaultPoint, Prepared>();
  const others = (): ServerProcess[] => servers.filter((_, n) => n !== victim);
  const killed = (): ServerProcess => servers[victim] as ServerProcess;

  beforeAll(async () => {
    for (const name of steps) prepared.set(name, await STEPS[name](system.person(FAULT_POINTS.indexOf(name), killed())));
    // The others do not work meanwhile, so that it is this process that stops at each point.
    for (const { pid } of others()) process.kill(pid, 'SIGSTOP');
    try {
      for (const name of steps) {
        // The reconciler claims payments all the time: its step is set once there is one to claim.
        if (name !== 'claim') await points.set(name);
        await prepared.get(name)?.begin();
        await points.reached(name);
      }
      await points.kill(killed(), outcome, steps);
      for (const name of steps) await prepared.get(name)?.outside?.();
    } finally {
      for (const { pid } of others()) process.kill(pid, 'SIGCONT');
    }
  });
  afterAll(() => (round === ROUNDS.at(-1) ? undefined : killed().start()));

  it.each(steps)('%s: the others end it once', async (name) => {
    const [survivor] = others();
    await prepared.get(name)?.verify(outcome, system.person(FAULT_POINTS.indexOf(name), survivor));
  });

  it('the audit is zero, and what is owed equals what the node has', async () => {
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});

describe('a resolution by an operator whose command is killed', () => {
  it.each(['rollBack', 'commit'] as const)('(%s) happens with its record, or not at all', async (outcome) => {
    const person = system.person(FAULT_POINTS.indexOf('resolve'));
    const [before, invoice] = [await person.sats(), await system.outside(100, { hold: true })];
    void person.pay(invoice.paymentRequest).catch(() => undefined);
    await isHeld(invoice.paymentHash);
    // With a later payment the node's payment index does not go back, which would stop all sends.
    await payee().pay((await system.outside(1)).paymentRequest);
    await system.simulator.setForgotten(invoice.paymentHash, true);
    await points.set('resolve');
    const resolving = system.pool
      .query(
        `SELECT payment_resolve_v2(id, 'failed', NULL, NULL, 'not asked', 'ann', 'the node has lost it') FROM payment WHERE payment_hash = $1`,
        [invoice.paymentHash],
      )
      .catch(() => undefined);
    await points.reached('resolve');
    await (outcome === 'commit' ? points.open('resolve') : points.rollBack('resolve'));
    await resolving;
    const { rowCount } = await system.pool.query(
      'SELECT FROM operator_action WHERE subject = (SELECT id::text FROM payment WHERE payment_hash = $1)',
      [invoice.paymentHash],
    );
    expect([await stateOf(invoice.paymentHash), rowCount]).toEqual(outcome === 'commit' ? ['failed', 1] : ['in_flight', 0]);
    await system.simulator.setForgotten(invoice.paymentHash, false);
    await system.simulator.release(invoice.paymentHash, 'no_route');
    expect(await final(invoice.paymentHash)).toBe('failed');
    expect(await person.sats()).toBe(before);
    expect(await violationsAtRest(system.pool)).toEqual({});
  });
});
