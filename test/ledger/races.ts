import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Fuzz, Random } from './fuzz.js';
import { BTC, capture, FEES, hold, LIGHTNING, POISON, post, release, SLOW, USD, World, type Leg, type Op } from './world.js';

const LANES = 8;

interface Race {
  /** @param rounds the number of rounds */
  (world: World, rounds: number): Promise<void>;
}
/** Runs all lanes at once; an exception in any of them, such as a deadlock, fails the race. */
const together = async <T>(world: World, work: (lane: number, client: World['client']) => Promise<T>): Promise<T[]> =>
  Promise.all(world.clients.slice(0, LANES).map((client, lane) => work(lane, client)));

/** Overlapping batches: lanes repeat each other's keys, end each other's holds, and hit unexpected errors. */
const storm: Race = async (world, rounds) => {
  await world.plantKinds();
  const [customers, dollars] = [await world.open(6, BTC), await world.open(2, USD)];
  const fuzz = new Fuzz(new Random(7), customers, dollars, { kinds: [...Array<number>(150).fill(1), POISON] });
  await world.apply(customers.map((id) => post([LIGHTNING, -20_000], [id, 20_000])));
  let accepted = customers.length;
  let running = true;
  const watch = async (): Promise<number> => {
    let audits = 0;
    for (; running; audits++) {
      await world.assertAuditZero('while batches run', world.clients[LANES]);
      await pause(20);
    }
    return audits;
  };
  const lanes = together(world, async (_, client) => {
    for (let round = 0; round < rounds; round++) {
      const results = await world.apply(fuzz.batch(20), client);
      accepted += results.filter((result) => result === 'ok').length;
    }
  });
  const [audits] = await Promise.all([watch(), lanes.finally(() => (running = false))]);
  assert.ok(audits > 0);
  assert.deepEqual(
    await world.rows('SELECT count(*)::int AS n FROM ledger_journal'),
    [{ n: accepted }],
    'every ok is a journal and every journal an ok',
  );
};

/** Lanes lock in opposite orders: keys without an account in common, accounts, hot accounts; with replays in between. */
const crossing: Race = async (world, rounds) => {
  await world.plantKinds();
  const customers = await world.open(LANES, BTC);
  const at = (index: number): bigint => customers[index % LANES] ?? 0n;
  await world.apply(customers.map((id) => post([LIGHTNING, -1_000_000], [id, 1_000_000])));
  for (let round = 0; round < rounds; round++) {
    const keys = Array.from({ length: 8 }, () => randomUUID());
    const results = await together(world, async (lane, client) => {
      const backwards = lane % 2 === 1;
      const [first, second] = backwards ? [LIGHTNING, FEES] : [FEES, LIGHTNING];
      const own: Leg[] = [[at(lane), -2], [first, 1], [second, 1]]; // prettier-ignore
      const steps = keys.map((idem, index): Op => {
        if (lane < 4) return { ...post(...own), idem, kind: SLOW };
        return lane < 6 ? post([at(index), -1], [at(index + 1), 1]) : post(...own);
      });
      const ops = backwards ? steps.reverse() : steps;
      if (round % 4 === 0 && lane % 3 === 0) ops.splice(4, 0, { ...post(...own), kind: POISON });
      return world.apply(ops, client);
    });
    const winners = results
      .slice(0, 4)
      .flat()
      .filter((result) => result === 'ok');
    assert.equal(winners.length, keys.length, 'each key is accepted once');
  }
};

/** The narrowest races: one hold and eight closers, one balance and eight spenders, one key and eight senders. */
const narrow: Race = async (world, rounds) => {
  const [alice = 0n, bob = 0n, ...own] = await world.open(LANES + 2, BTC);
  await world.fund(alice, 1_000_000);
  for (const id of own) await world.fund(id, 1_000_000);
  const oneWins = (results: string[][], others: string): void =>
    assert.deepEqual(results.flat().sort(), [...Array<string>(LANES - 1).fill(others), 'ok'].sort());
  for (let round = 0; round < rounds; round++) {
    const h = hold(alice, 10);
    assert.deepEqual(await world.apply([h]), ['ok']);
    oneWins(
      await together(world, (lane, client) => world.apply([lane % 2 ? release(h.idem) : capture(h.idem, [alice, -7], [bob, 7])], client)),
      'hold_not_open',
    );
    const [poor = 0n] = await world.open(1, BTC);
    await world.fund(poor, 10);
    oneWins(
      await together(world, (lane, client) => world.apply([lane % 2 ? hold(poor, 6) : post([poor, -6], [bob, 6])], client)),
      'insufficient',
    );
    const same = post([alice, -1], [bob, 1]);
    oneWins(await together(world, (_, client) => world.apply([same], client)), 'duplicate');
    const idem = randomUUID();
    oneWins(
      await together(world, (lane, client) => world.apply([{ ...post([own[lane] ?? 0n, -1], [LIGHTNING, 1]), idem }], client)),
      'conflict',
    );
  }
};

export const races = { storm, crossing, narrow } satisfies Record<string, Race>;

/** Runs a race in a ledger of its own; the audit is zero after it. */
export async function run(name: keyof typeof races, rounds: number, sql?: string): Promise<void> {
  await World.use({ connections: LANES + 1, ...(sql === undefined ? {} : { sql }) }, async (world) => {
    await races[name](world, rounds);
    await world.assertAuditZero('after the race');
  });
}
