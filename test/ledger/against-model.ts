import assert from 'node:assert/strict';
import { Fuzz, Random } from './fuzz.js';
import { Model } from './model.js';
import { BTC, USD, LedgerFixture } from './ledger-fixture.js';

/** How often each result occurred, and `replayed` for batches. */
export type Tally = Map<string, number>;

async function compare(fixture: LedgerFixture, model: Model, where: string): Promise<void> {
  const [row] = await fixture.rows(`SELECT
    (SELECT jsonb_object_agg(id, ARRAY[posted::text, held::text]) FROM ledger_account) AS accounts,
    (SELECT coalesce(jsonb_object_agg(id, state), '{}') FROM ledger_hold) AS holds,
    (SELECT coalesce(jsonb_object_agg(idem, 1), '{}') FROM ledger_journal) AS keys`);
  assert.deepEqual(
    row?.['accounts'],
    Object.fromEntries([...model.accounts].map(([id, { posted, held }]) => [String(id), [String(posted), String(held)]])),
    where,
  );
  assert.deepEqual(row['holds'], Object.fromEntries([...model.holds].map(([id, { state }]) => [id, state])), where);
  assert.deepEqual(row['keys'], Object.fromEntries([...model.accepted.keys()].map((key) => [key, 1])), where);
}

/** Random batches with the same results and bookings as the model; the audit is zero after each. A failure names its seed and batch. */
export async function playAgainstModel({
  seed,
  batches,
  sql,
}: {
  readonly seed: number;
  readonly batches: number;
  readonly sql?: string;
}): Promise<Tally> {
  const tally: Tally = new Map();
  await LedgerFixture.use(sql === undefined ? {} : { sql }, async (fixture) => {
    const random = new Random(seed);
    const [customers, dollars] = [await fixture.open(6, BTC), await fixture.open(2, USD)];
    const fuzz = new Fuzz(random, customers, dollars, { huge: seed % 6 === 5 });
    const model = new Model();
    for (const id of customers) model.open(id, BTC);
    for (const id of dollars) model.open(id, USD);
    for (let batch = 0; batch < batches; batch++) {
      const where = `seed ${seed}, batch ${batch}`;
      const ops = fuzz.batch(24);
      const expected = model.apply(ops);
      const actual = await fixture.apply(ops);
      const wrong = actual.findIndex((result, index) => result !== expected[index]);
      assert.deepEqual(actual, expected, `${where}, operation ${wrong}: ${ops[wrong]?.op}`);
      assert.equal(fixture.replays, model.replays, `${where}: a batch is replayed exactly when a hot account would end beyond the bound`);
      for (const result of actual) tally.set(result, (tally.get(result) ?? 0) + 1);
      await fixture.assertAuditZero(where);
      await compare(fixture, model, where);
    }
    tally.set('replayed', fixture.replays);
  });
  return tally;
}
