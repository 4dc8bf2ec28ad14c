import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { BTC, capture, DEALER_BTC, DEALER_USD, FEES, hold, LIGHTNING, LOSS, MAX, post, release, USD, World, type Leg, type Op } from './world.js';

/** People with empty BTC accounts; alice has a USD account too. Bob's number is above alice's, carol's above bob's. */
interface Cast {
  readonly alice: bigint;
  readonly bob: bigint;
  readonly carol: bigint;
  readonly aliceUsd: bigint;
}
type Rule = (world: World, cast: Cast) => Promise<void>;
const NOBODY = 404n;

const posting: Record<string, Rule> = {
  async 'a post moves money; one that is refused does not, and does not harm its neighbours'(world, { alice, bob }) {
    await world.fund(alice, 1000);
    const results = await world.apply([post([alice, -1001], [bob, 1001]), post([alice, -400], [bob, 390], [FEES, 10]), post([bob, -391], [alice, 391])]);
    assert.deepEqual(results, ['insufficient', 'ok', 'insufficient']);
    assert.deepEqual(await world.balances(alice, bob, FEES, LIGHTNING), [[600n, 0n], [390n, 0n], [10n, 0n], [-1000n, 0n]]); // prettier-ignore
  },
  async 'an operation sees what those before it in its batch did'(world, { alice, bob, carol }) {
    const results = await world.apply([post([LIGHTNING, -10], [alice, 10]), post([alice, -10], [bob, 10]), post([alice, -1], [carol, 1]), post([bob, -10], [carol, 10])]);
    assert.deepEqual(results, ['ok', 'ok', 'insufficient', 'ok']);
  },
  async 'entries tell the story: one a journal and account, with the balance after it, but not in hot accounts'(world, { alice, bob }) {
    await world.apply([post([LIGHTNING, -1000], [alice, 1000]), post([alice, -500], [alice, 100], [bob, 390], [FEES, 10]), post([LOSS, -7], [bob, 7])]);
    const entries = await world.rows(`SELECT account_id::int AS account, amount::int, balance_after::int AS after FROM ledger_entry ORDER BY journal_id, account_id`);
    const expected = [[-1n, -1000, null], [alice, 1000, 1000], [-2n, 10, null], [alice, -400, 600], [bob, 390, 390], [-5n, -7, -7], [bob, 7, 397]]; // prettier-ignore
    assert.deepEqual(entries.map(({ account, amount, after }) => [account, amount, after]), expected.map(([account, ...rest]) => [Number(account), ...rest])); // prettier-ignore
  },
  async 'legs on one account are judged together'(world, { alice, bob, carol }) {
    await world.fund(alice, 100);
    assert.deepEqual(await world.apply([post([alice, -60], [alice, -60], [bob, 120])]), ['insufficient']);
    assert.deepEqual(await world.apply([post([alice, -150], [bob, 90], [alice, 60])]), ['ok'], 'it only ever goes down by 90');
    assert.deepEqual(await world.apply([post([alice, -5], [alice, 5])]), ['invalid'], 'nothing is left of it');
    assert.deepEqual(await world.apply([post([alice, -5], [alice, 5], [bob, -1], [carol, 1])]), ['ok'], 'what cancels out is no entry');
    assert.deepEqual(await world.balances(alice, bob, carol), [[10n, 0n], [89n, 0n], [1n, 0n]]); // prettier-ignore
  },
  async 'each currency balances by itself'(world, { alice, aliceUsd }) {
    await world.fund(alice, 1000);
    assert.deepEqual(await world.apply([post([alice, -7], [aliceUsd, 7])]), ['invalid']);
    assert.deepEqual(await world.apply([post([alice, -1000], [DEALER_BTC, 1000], [DEALER_USD, -7], [aliceUsd, 7])]), ['ok']);
    assert.deepEqual(await world.apply([post([aliceUsd, -8], [DEALER_USD, 8])]), ['insufficient']);
    assert.deepEqual(await world.apply([post([aliceUsd, -7], [DEALER_USD, 6], [DEALER_BTC, 1])]), ['invalid']);
  },
  async 'the order of legs is nobody’s business'(world, { alice, bob }) {
    const legs: Leg[] = [[bob, 4], [LIGHTNING, -10], [alice, 6]]; // prettier-ignore
    const first = post(...legs);
    assert.deepEqual(await world.apply([first, { ...first, legs: [...legs].reverse() }]), ['ok', 'duplicate']);
    const values = (ops: Op[]): unknown[] => [ops.map((o) => o.op), ops.map((o) => o.idem), ops.map(() => 1), [2, 1, 1, 2], [bob, alice, LIGHTNING, alice], [1, 5, -5, -1], null];
    assert.deepEqual(await world.applyParameters(values([post(), post()])), ['ok', 'ok'], 'nor is the order of operations among the legs');
  },
};

const holding: Record<string, Rule> = {
  async 'what is held is not available'(world, { alice, bob }) {
    await world.fund(alice, 100);
    assert.deepEqual(await world.apply([hold(alice, 101), hold(alice, 60), hold(alice, 41), post([alice, -41], [bob, 41]), post([alice, -40], [bob, 40])]), ['insufficient', 'ok', 'insufficient', 'insufficient', 'ok']); // prettier-ignore
    assert.deepEqual(await world.balances(alice), [[60n, 60n]]);
  },
  async 'a capture takes from the hold, and the rest is free again'(world, { alice, bob }) {
    await world.fund(alice, 1000);
    const h = hold(alice, 500);
    assert.deepEqual(await world.apply([h, capture(h.idem, [alice, -200], [bob, 290], [alice, -100], [FEES, 10])]), ['ok', 'ok']);
    assert.deepEqual(await world.balances(alice, bob, FEES), [[700n, 0n], [290n, 0n], [10n, 0n]]); // prettier-ignore
  },
  async 'a capture never exceeds its hold, whatever the balance'(world, { alice, bob }) {
    await world.fund(alice, 1000);
    const h = hold(alice, 100);
    assert.deepEqual(await world.apply([h, capture(h.idem, [alice, -101], [bob, 101]), capture(h.idem, [alice, -60], [alice, -41], [bob, 101])]), ['ok', 'hold_exceeded', 'hold_exceeded']);
    assert.deepEqual(await world.apply([capture(h.idem, [alice, -100], [bob, 100])]), ['ok']);
    assert.deepEqual(await world.balances(alice, bob), [[900n, 0n], [100n, 0n]]); // prettier-ignore
  },
  async 'a capture works when the hold is all there is; its other accounts are judged as in a post'(world, { alice, bob, carol }) {
    await world.fund(alice, 100);
    const h = hold(alice, 100);
    assert.deepEqual(await world.apply([h, capture(h.idem, [alice, -100], [bob, -1], [carol, 101])]), ['ok', 'insufficient']);
    assert.deepEqual(await world.apply([capture(h.idem, [bob, -1], [carol, 1]), capture(h.idem, [alice, 5], [carol, -5])]), ['invalid', 'invalid'], 'the held account must be debited');
    assert.deepEqual(await world.apply([capture(h.idem, [alice, -100], [carol, 100])]), ['ok']);
  },
  async 'a hold ends once'(world, { alice, bob }) {
    await world.fund(alice, 1000);
    const [h, g] = [hold(alice, 100), hold(alice, 200)];
    const [taken, dropped] = [capture(h.idem, [alice, -100], [bob, 100]), release(g.idem)];
    assert.deepEqual(await world.apply([h, g, taken, dropped]), ['ok', 'ok', 'ok', 'ok']);
    assert.deepEqual(await world.apply([taken, dropped, h]), ['duplicate', 'duplicate', 'duplicate']);
    const again = [capture(h.idem, [alice, -1], [bob, 1]), release(h.idem), capture(g.idem, [alice, -1], [bob, 1]), release(g.idem), release(randomUUID())];
    assert.deepEqual(await world.apply(again), again.map(() => 'hold_not_open')); // prettier-ignore
    assert.deepEqual(await world.balances(alice), [[900n, 0n]]);
  },
  async 'a hold may be made and end in one batch'(world, { alice, bob }) {
    await world.fund(alice, 1000);
    const [h, g] = [hold(alice, 100), hold(alice, 200)];
    const take = capture(h.idem, [alice, -10], [bob, 10]);
    const results = await world.apply([take, h, take, take, release(h.idem), g, release(g.idem), release(g.idem), { ...h, legs: [[alice, -99]] }]);
    assert.deepEqual(results, ['hold_not_open', 'ok', 'ok', 'duplicate', 'hold_not_open', 'ok', 'ok', 'hold_not_open', 'conflict']);
    assert.deepEqual(await world.balances(alice), [[990n, 0n]]);
    assert.deepEqual(await world.rows('SELECT state FROM ledger_hold ORDER BY state'), [{ state: 'captured' }, { state: 'voided' }]);
  },
};

const refusing: Record<string, Rule> = {
  async 'what is malformed is its own problem'(world, { alice, bob, aliceUsd }) {
    const good = (): Op & { idem: string } => post([LIGHTNING, -5], [alice, 5]);
    const h = hold(alice, 1);
    const bad: Op[] = [
      post(), post([alice, 5]), post([LIGHTNING, -5], [alice, 4]), post([LIGHTNING, 0], [alice, 0]), post([LIGHTNING, '-1.5'], [alice, '1.5']), post([LIGHTNING, null], [alice, 5]), post([null, -5], [alice, 5]),
      post([LIGHTNING, -5], [aliceUsd, 5]), { ...good(), idem: null }, { ...good(), kind: null }, { ...good(), op: 'steal' }, { ...good(), op: null }, { ...good(), hold: randomUUID() },
      hold(alice, -5), hold(alice, 0), hold(LIGHTNING, 5), { ...hold(alice, 1), legs: [] }, { ...hold(alice, 1), legs: [[alice, -1], [bob, -1]] }, { ...hold(alice, 1), hold: h.idem },
      { ...capture(h.idem, [alice, -1], [bob, 1]), hold: null }, capture(h.idem), capture(h.idem, [alice, -1]), { ...release(h.idem), hold: null }, { ...release(h.idem), legs: [[alice, 1]] },
    ]; // prettier-ignore
    assert.deepEqual(await world.apply([good(), h, ...bad, good()]), ['ok', 'ok', ...bad.map(() => 'invalid'), 'ok']);
    assert.deepEqual(await world.balances(alice), [[10n, 1n]]);
  },
  async 'an unknown account is unknown to everything'(world, { alice }) {
    await world.fund(alice, 10);
    assert.deepEqual(await world.apply([post([alice, -5], [NOBODY, 5]), hold(NOBODY, 5)]), ['unknown_account', 'unknown_account']);
    const h = hold(alice, 5);
    assert.deepEqual(await world.apply([h, capture(h.idem, [alice, -5], [NOBODY, 5])]), ['ok', 'unknown_account']);
  },
  async 'amounts are bounded: nothing overflows, NaN and infinity are no money'(world, { alice, bob, carol }) {
    const beyond = ['2100000000000000001', '9223372036854775808', `1${'0'.repeat(60)}`, 'NaN', 'Infinity'];
    const bad = beyond.map((amount) => post([LIGHTNING, amount === 'NaN' ? amount : `-${amount}`], [alice, amount]));
    const together = post([LIGHTNING, -MAX], [LIGHTNING, -MAX], [bob, MAX], [carol, MAX]);
    assert.deepEqual(await world.apply([post([LIGHTNING, -5], [alice, 5]), ...bad, together, hold(alice, '1e30' as unknown as bigint)]), ['ok', ...bad.map(() => 'out_of_range'), 'out_of_range', 'out_of_range']); // prettier-ignore
  },
  async 'balances are bounded: of customers at once, of hot accounts at the end'(world, { alice, bob }) {
    assert.deepEqual(await world.apply([post([LIGHTNING, -MAX], [bob, MAX]), post([DEALER_BTC, -1], [bob, 1]), post([DEALER_BTC, -5], [alice, 5])]), ['ok', 'out_of_range', 'ok']);
    assert.equal(world.replays, 0);
    assert.deepEqual(await world.apply([post([alice, -1], [LIGHTNING, 1]), post([LIGHTNING, -2], [alice, 2]), post([DEALER_BTC, -1], [alice, 1])]), ['ok', 'out_of_range', 'ok']);
    assert.equal(world.replays, 1, 'a hot account is judged when the whole batch is');
    assert.deepEqual(await world.balances(alice, LIGHTNING, DEALER_BTC), [[5n, 0n], [1n - MAX, 0n], [-6n, 0n]]); // prettier-ignore
  },
};

const once: Record<string, Rule> = {
  async 'a key is accepted once: a duplicate of the same, a conflict with anything else'(world, { alice }) {
    const a = post([LIGHTNING, -5], [alice, 5]);
    const other = { ...a, legs: [[LIGHTNING, -6], [alice, 6]] as Leg[] }; // prettier-ignore
    assert.deepEqual(await world.apply([a, a, other, { ...a, kind: 2 }]), ['ok', 'duplicate', 'conflict', 'conflict']);
    assert.deepEqual(await world.apply([other, a, { ...hold(alice, 5), idem: a.idem }]), ['conflict', 'duplicate', 'conflict']);
    assert.deepEqual(await world.balances(alice), [[5n, 0n]]);
  },
  async 'a refused operation does not use up its key'(world, { alice, bob }) {
    const a = post([alice, -5], [bob, 5]);
    assert.deepEqual(await world.apply([a]), ['insufficient']);
    await world.fund(alice, 5);
    assert.deepEqual(await world.apply([a, a]), ['ok', 'duplicate']);
  },
  async 'a duplicate is one even when the money is gone'(world, { alice, bob }) {
    await world.fund(alice, 5);
    const a = post([alice, -5], [bob, 5]);
    assert.deepEqual(await world.apply([a]), ['ok']);
    assert.deepEqual(await world.apply([a]), ['duplicate']);
  },
};

const failing: Record<string, Rule> = {
  async 'what nobody foresaw is one operation’s problem: order and dependencies of the others hold'(world, { alice, bob }) {
    await world.poison();
    const h = hold(alice, 50);
    const bad = { ...post([alice, -1], [bob, 1]), kind: 666 };
    const results = await world.apply([
      post([LIGHTNING, -100], [alice, 100]), bad, h, post([alice, -60], [bob, 60]), { ...release(h.idem), kind: 666 }, capture(h.idem, [alice, -50], [FEES, 1], [bob, 49]), { ...hold(alice, 1), kind: 666 }, post([alice, -50], [bob, 50]), release(h.idem),
    ]); // prettier-ignore
    assert.deepEqual(results, ['ok', 'internal', 'ok', 'insufficient', 'internal', 'ok', 'internal', 'ok', 'hold_not_open']);
    assert.equal(world.replays, 1);
    assert.deepEqual(await world.balances(alice, bob, FEES), [[0n, 0n], [99n, 0n], [1n, 0n]]); // prettier-ignore
    assert.deepEqual(await world.apply([{ ...bad, kind: 1 }]), ['insufficient'], 'its key is free');
  },
  async 'used wrongly it raises, and nothing has happened'(world, { alice }) {
    const a = post([LIGHTNING, -5], [alice, 5]);
    const wrong = async (position: number, value: unknown, pattern: RegExp): Promise<void> => {
      await assert.rejects(world.applyParameters(parametersOf(a).with(position, value)), (error: { code?: string; message: string }) => error.code === '22023' && pattern.test(error.message));
    };
    await wrong(1, [], /different length/);
    await wrong(1, null, /different length/);
    await wrong(4, [alice], /different length/);
    await wrong(5, null, /different length/);
    await wrong(6, [], /different length/);
    await wrong(3, [1, 2], /not there/);
    await wrong(3, [0, 1], /not there/);
    await wrong(3, [1, null], /not there/);
    await world.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await assert.rejects(world.apply([a]), /READ COMMITTED/);
    await world.client.query('ROLLBACK');
    await world.client.query('BEGIN');
    assert.deepEqual(await world.apply([a]), ['ok']);
    await assert.rejects(world.apply([a]), /once per transaction/);
    await world.client.query('ROLLBACK');
    assert.deepEqual(await world.apply([]), []);
    assert.deepEqual(await world.apply([a]), ['ok'], 'its key is free');
  },
  async 'a failure of the database is raised, not answered'(world, { alice, bob }) {
    await world.fund(alice, 10);
    await world.client.query(`
      CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER away BEFORE INSERT ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION away()`);
    await assert.rejects(world.apply([post([alice, -1], [bob, 1])]), /disk full/);
    await world.client.query('DROP TRIGGER away ON ledger_entry');
    assert.equal(world.replays, 0);
    assert.deepEqual(await world.balances(alice), [[10n, 0n]]);
  },
};

const keeping: Record<string, Rule> = {
  async 'history only grows, also for a session that plays a replica'(world, { alice }) {
    await world.fund(alice, 5);
    const h = hold(alice, 1);
    await world.apply([h, release(h.idem)]);
    for (const role of ['origin', 'replica']) {
      await world.client.query(`SET session_replication_role = ${role}`);
      const changes = [
        'UPDATE ledger_entry SET amount = amount', 'DELETE FROM ledger_entry', 'TRUNCATE ledger_entry', 'UPDATE ledger_journal SET kind = kind', 'DELETE FROM ledger_journal', 'TRUNCATE ledger_journal',
        'DELETE FROM ledger_hold', 'TRUNCATE ledger_hold', 'UPDATE ledger_hold SET amount = amount', `UPDATE ledger_hold SET state = 'open', closed_at = NULL`,
        'DELETE FROM ledger_account', 'TRUNCATE ledger_account', 'UPDATE ledger_account SET currency = currency', 'UPDATE ledger_account SET hot = hot',
      ]; // prettier-ignore
      for (const change of changes) await assert.rejects(world.client.query(change), /the ledger refuses/, change);
    }
    await world.client.query('RESET session_replication_role');
  },
  async 'the table itself refuses what the function would never write'(world, { alice }) {
    const writes = ['posted = -1', 'held = 1', 'held = -1', `posted = ${MAX + 1n}`, 'posted = 5, held = 6'];
    for (const write of writes) await assert.rejects(world.client.query(`UPDATE ledger_account SET ${write} WHERE id = ${alice}`), /violates check constraint/, write);
    await assert.rejects(world.client.query('SELECT ledger_open(3::smallint)'), /violates check constraint/);
  },
  async 'plans made while the tables were empty do not read whole tables when they are full'(world, { alice, bob }) {
    await world.client.query('VACUUM ANALYZE ledger_account, ledger_journal, ledger_entry, ledger_hold');
    // Callers have settings of their own, and some are the opposite of ours.
    await world.client.query('SET enable_hashjoin = off');
    await world.fund(alice, 1_000_000);
    const h = hold(alice, 1);
    await world.apply([h, release(h.idem), post([alice, -1], [bob, 1])]);
    const many = Array.from({ length: 400 }, () => hold(alice, 10));
    const others = await world.open(400);
    await world.apply([...many, ...others.map((id) => post([LIGHTNING, -1], [id, 1]))]);
    const before = await rowsRead(world);
    const g = hold(alice, 5);
    await world.apply([g, capture(g.idem, [alice, -5], [bob, 4], [FEES, 1]), post([alice, -1], [bob, 1])]);
    assert.ok((await rowsRead(world)) - before < 100, 'three operations read a handful of rows');
  },
};

const parametersOf = (op: Op): unknown[] => {
  const legs = op.legs ?? [];
  return [[op.op], [op.idem], [1], legs.map(() => 1), legs.map(([account]) => account), legs.map(([, amount]) => amount), null];
};

/** Rows that scans of the ledger's tables and their indexes have fetched so far. */
async function rowsRead(world: World): Promise<number> {
  await world.client.query('SELECT pg_stat_force_next_flush()');
  const [row] = await world.rows(`SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_user_tables WHERE schemaname = current_schema()`);
  return Number(row?.['n']);
}

/** Every rule of the ledger, by example. */
export const rules: Readonly<Record<string, Rule>> = { ...posting, ...holding, ...refusing, ...once, ...failing, ...keeping };

/** Plays one example in a ledger of its own; the audit is zero after it. */
export async function play(name: string, sql?: string): Promise<void> {
  const rule = rules[name];
  assert.ok(rule, `no such rule: ${name}`);
  await World.use(sql === undefined ? {} : { sql }, async (world) => {
    const [alice = 0n, bob = 0n, carol = 0n] = await world.open(3, BTC);
    const [aliceUsd = 0n] = await world.open(1, USD);
    await rule(world, { alice, bob, carol, aliceUsd });
    await world.assertAuditZero('after the example');
  });
}
