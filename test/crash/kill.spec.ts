import { violationsNow, violationsAtRest } from '../support/ledger-invariants.js';
import { eventually } from '../../src/testing/eventually.js';
import { PostgresLab, serverPid } from '../support/postgres-lab.js';
import { CrashingServer } from './crashing-server.js';
import { Load, type Promised } from './load.js';

/** `CRASH_ROUNDS=100 npx jest test/crash` runs longer. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 3);
const SEED = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
const POSTGRES_ROUNDS = Math.ceil(ROUNDS / 2);
/** The ledger is audited after every kill. The outcome of every payment is checked once all is quiet, which takes seconds. */
const REST_EVERY = 3;
const PEOPLE = 8;

jest.setTimeout(900_000 + ROUNDS * 40_000);

/** Answers that disagree with the database. */
async function broken(system: CrashingServer, promised: readonly Promised[]): Promise<unknown[]> {
  const { rows } = await system.pool.query(
    `SELECT p.id, p.status AS reported, t.status FROM unnest($1::uuid[], $2::text[]) AS p(id, status) LEFT JOIN transaction t ON t.id = p.id
      WHERE t.status IS DISTINCT FROM CASE p.status WHEN 'ALREADY_PAID' THEN 'SUCCESS' ELSE p.status END`,
    [promised.map(({ transactionId }) => transactionId), promised.map(({ status }) => status)],
  );
  return rows;
}

async function afterDeath(system: CrashingServer, promised: readonly Promised[], isLast: boolean): Promise<void> {
  expect(await violationsNow(system.pool)).toEqual({});
  if (!isLast) return;
  expect(await violationsAtRest(system.pool)).toEqual({});
  expect(await broken(system, promised)).toEqual([]);
}

const rounds = (count: number): number[] => Array.from({ length: count }, (_, round) => round + 1);

describe(`kill -9 of the server during a mixed load, ${ROUNDS} times (CRASH_SEED=${SEED})`, () => {
  let system: CrashingServer;
  const promised: Promised[] = [];

  beforeAll(async () => {
    system = await CrashingServer.prepare(PEOPLE, 5_000, { PAYMENT_WAIT_SECONDS: '2' });
    await system.server.start();
  });
  afterAll(() => system?.close());

  it.each(rounds(ROUNDS))('round %i: no payment lost, none invented, each final', async (round) => {
    const load = new Load(system, PEOPLE, SEED + round);
    const enough = 30 + ((SEED * round) % 60);
    await eventually(() => load.answers >= enough);
    expect(await violationsNow(system.pool)).toEqual({});
    expect((await system.server.end('SIGKILL')).signal).toBe('SIGKILL');
    // Every other round kills the server again, while it recovers from the first kill.
    if (round % 2 === 0) {
      await system.server.start();
      await system.server.end('SIGKILL');
    }
    await load.stop();
    promised.push(...load.promised);

    await system.server.start();
    await afterDeath(system, promised, round % REST_EVERY === 0 || round === ROUNDS);
  });
});

describe(`kill -9 of PostgreSQL during a mixed load, ${POSTGRES_ROUNDS} times (CRASH_SEED=${SEED})`, () => {
  const lab = new PostgresLab();
  let system: CrashingServer;
  let dataDir: string;
  const promised: Promised[] = [];

  beforeAll(async () => {
    dataDir = lab.folder();
    const { connection } = await lab.start({ dataDir });
    const database = { connection: { ...connection }, drop: async (): Promise<void> => undefined };
    system = await CrashingServer.prepare(PEOPLE, 5_000, { PAYMENT_WAIT_SECONDS: '2' }, database);
    await system.server.start();
  });
  afterAll(async () => {
    await system?.close();
    await lab.close();
  });

  it.each(rounds(POSTGRES_ROUNDS))('round %i: no payment lost, none invented, each final', async (round) => {
    const load = new Load(system, PEOPLE, SEED - round);
    await eventually(() => load.answers >= 80);
    process.kill(serverPid(dataDir) ?? 0, 'SIGKILL');
    await eventually(async () => (await fetch(`${system.server.url}/health/ready`)).ok);
    const answered = load.answers;
    await eventually(() => load.answers >= answered + 40);
    await load.stop();
    promised.push(...load.promised);
    await afterDeath(system, promised, round % REST_EVERY === 0 || round === POSTGRES_ROUNDS);
  });
});
