import assert from 'node:assert/strict';
import { capture, FEES, hold, LIGHTNING, MAX, parameters, POISON, post, release, type Rule, type World } from './world.js';

const failing: Record<string, Rule> = {
  async 'what nobody foresaw is one operation’s problem: order and dependencies of the others hold'(world, { alice, bob }) {
    await world.plantKinds();
    const h = hold(alice, 50);
    const bad = { ...post([alice, -1], [bob, 1]), kind: POISON };
    const results = await world.apply([
      post([LIGHTNING, -100], [alice, 100]), bad, h, post([alice, -60], [bob, 60]), { ...release(h.idem), kind: POISON }, capture(h.idem, [alice, -50], [FEES, 1], [bob, 49]), { ...hold(alice, 1), kind: POISON }, post([alice, -50], [bob, 50]), release(h.idem),
    ]); // prettier-ignore
    assert.deepEqual(results, ['ok', 'internal', 'ok', 'insufficient', 'internal', 'ok', 'internal', 'ok', 'hold_not_open']);
    assert.equal(world.replays, 1);
    assert.deepEqual(await world.balances(alice, bob, FEES), [[0n, 0n], [99n, 0n], [1n, 0n]]); // prettier-ignore
    assert.deepEqual(await world.apply([{ ...bad, kind: 1 }]), ['insufficient'], 'its key is free');
  },
  async 'used wrongly it raises, and nothing has happened'(world, { alice }) {
    const a = post([LIGHTNING, -5], [alice, 5]);
    const wrong = async (position: number, value: unknown, pattern: RegExp): Promise<void> => {
      await assert.rejects(
        world.applyParameters(parameters([a]).with(position, value)),
        (error: { code?: string; message: string }) => error.code === '22023' && pattern.test(error.message),
      );
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
    for (const write of writes)
      await assert.rejects(
        world.client.query(`UPDATE ledger_account SET ${write} WHERE id = ${alice}`),
        /violates check constraint/,
        write,
      );
    await assert.rejects(world.client.query('SELECT ledger_open(3::smallint)'), /violates check constraint/);
  },
  async 'plans made while the tables were empty do not read whole tables when they are full'(world, { alice, bob }) {
    await world.client.query('VACUUM ANALYZE ledger_account, ledger_journal, ledger_entry, ledger_hold');
    // Callers have session settings of their own, which may contradict those of the ledger's functions.
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

/** Rows that scans of the ledger's tables and their indexes have fetched so far. */
async function rowsRead(world: World): Promise<number> {
  await world.client.query('SELECT pg_stat_force_next_flush()');
  const [row] = await world.rows(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_user_tables WHERE schemaname = current_schema()`,
  );
  return Number(row?.['n']);
}

/** What happens after a failure, wrong use, or tampering. */
export const guarding: Readonly<Record<string, Rule>> = { ...failing, ...keeping };
