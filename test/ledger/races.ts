import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Fuzz, Random } from './fuzz.js';
import {
  BTC,
  capture,
  FEES,
  hold,
  LIGHTNING,
  POISON,
  post,
  release,
  SLOW,
  USD,
  LedgerFixture,
  type Leg,
  type Op,
} from './ledger-fixture.js';

const LANES = 8;

interface Race {
  /** @param rounds the number of rounds */
  (fixture: LedgerFixture, rounds: number): Promise<void>;
}
/** Runs all lanes at once; an exception in any of them, such as a deadlock, fails the race. */
const together = async <T>(fixture: LedgerFixture, work: (lane: number, client: LedgerFixture['client']) => Promise<T>): Promise<T[]> =>
  Promise.all(fixture.clients.slice(0, LANES).map((client, lane) => work(lane, client)));

/** Overlapping batches: lanes repeat each other's keys, end each other's holds, and hit unexpected errors. */
const storm: Race = async (fixture, rounds) => {
  await fixture.plantKinds();
  const [customers, dollars] = [await fixture.open(6, BTC), await fixture.open(2, USD)];
  const fuzz = new Fuzz(new Random(7), customers, dollars, { kinds: [...Array<number>(150).fill(1), POISON] });
  await fixture.apply(customers.map((id) => post([LIGHTNING, -20_000], [id, 20_000])));
  let accepted = customers.length;
  let running = true;
  const watch = async (): Promise<number> => {
    let audits = 0;
    for (; running; audits++) {
      await fixture.assertAuditZero('while batches run', fixture.clients[LANES]);
      await pause(20);
    }
    return audits;
  };
  const lanes = together(fixture, async (_, client) => {
    for (let round = 0; round < rounds; round++) {
      const results = await fixture.apply(fuzz.batch(20), client);
      accepted += results.filter((result) => result === 'ok').length;
    }
  });
  const [audits] = await Promise.all([watch(), lanes.finally(() => (running = false))]);
  assert.ok(audits > 0);
  assert.deepEqual(
    await fixture.rows('SELECT count(*)::int AS n FROM ledger_journal'),
    [{ n: accepted }],
    'every ok is a journal and every journal an ok',
  );
};

/** Lanes lock in opposite orders: keys without an account in common, accounts, hot accounts; with replays in between. */
const crossing: Race = async (fixture, rounds) => {
  await fixture.plantKinds();
  const customers = await fixture.open(LANES, BTC);
  const at = (index: number): bigint => customers[index % LANES] ?? 0n;
  await fixture.apply(customers.map((id) => post([LIGHTNING, -1_000_000], [id, 1_000_000])));
  for (let round = 0; round < rounds; round++) {
    const keys = Array.from({ length: 8 }, () => randomUUID());
    const results = await together(fixture, async (lane, client) => {
      const backwards = lane % 2 === 1;
      const [first, second] = backwards ? [LIGHTNING, FEES] : [FEES, LIGHTNING];
      const own: Leg[] = [[at(lane), -2], [first, 1], [second, 1]]; // prettier-ignore
      const steps = keys.map((idem, index): Op => {
        if (lane < 4) return { ...post(...own), idem, kind: SLOW };
        return lane < 6 ? post([at(index), -1], [at(index + 1), 1]) : post(...own);
      });
      const ops = backwards ? steps.reverse() : steps;
      if (round % 4 === 0 && lane % 3 === 0) ops.splice(4, 0, { ...post(...own), kind: POISON });
      return fixture.apply(ops, client);
    });
    const winners = results
      .slice(0, 4)
      .flat()
      .filter((result) => result === 'ok');
    assert.equal(winners.length, keys.length, 'each key is accepted once');
  }
};

/** The narrowest races: one hold and eight closers, one balance and eight spenders, one key and eight senders. */
const narrow: Race = async (fixture, rounds) => {
  const [alice = 0n, bob = 0n, ...own] = await fixture.open(LANES + 2, BTC);
  await fixture.fund(alice, 1_000_000);
  for (const id of own) await fixture.fund(id, 1_000_000);
  const oneWins = (results: string[][], others: string): void =>
    assert.deepEqual(results.flat().sort(), [...Array<string>(LANES - 1).fill(others), 'ok'].sort());
  for (let round = 0; round < rounds; round++) {
    const h = hold(alice, 10);
    assert.deepEqual(await fixture.apply([h]), ['ok']);
    oneWins(
      await together(fixture, (lane, client) =>
        fixture.apply([lane % 2 ? release(h.idem) : capture(h.idem, [alice, -7], [bob, 7])], client),
      ),
      'hold_not_open',
    );
    const [poor = 0n] = await fixture.open(1, BTC);
    await fixture.fund(poor, 10);
    oneWins(
      await together(fixture, (lane, client) => fixture.apply([lane % 2 ? hold(poor, 6) : post([poor, -6], [bob, 6])], client)),
      'insufficient',
    );
    const same = post([alice, -1], [bob, 1]);
    oneWins(await together(fixture, (_, client) => fixture.apply([same], client)), 'duplicate');
    const idem = randomUUID();
    oneWins(
      await together(fixture, (lane, client) => fixture.apply([{ ...post([own[lane] ?? 0n, -1], [LIGHTNING, 1]), idem }], client)),
      'conflict',
    );
  }
};

export const races = { storm, crossing, narrow } satisfies Record<string, Race>;

/** Runs a race in a ledger of its own; the audit is zero after it. */
export async function run(name: keyof typeof races, rounds: number, sql?: string): Promise<void> {
  await LedgerFixture.use({ connections: LANES + 1, ...(sql === undefined ? {} : { sql }) }, async (fixture) => {
    await races[name](fixture, rounds);
    await fixture.assertAuditZero('after the race');
  });
}
