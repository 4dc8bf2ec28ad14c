import assert from 'node:assert/strict';
import { capture, FEES, hold, LIGHTNING, MAX, POISON, post, release, type Rule, type LedgerFixture } from './ledger-fixture.js';

const failing: Record<string, Rule> = {
  async 'an unforeseen error fails one operation: order and dependencies of the others hold'(fixture, { alice, bob }) {
    await fixture.plantKinds();
    const h = hold(alice, 50);
    const bad = { ...post([alice, -1], [bob, 1]), kind: POISON };
    const results = await fixture.apply([
      post([LIGHTNING, -100], [alice, 100]), bad, h, post([alice, -60], [bob, 60]), { ...release(h.idem), kind: POISON }, capture(h.idem, [alice, -50], [FEES, 1], [bob, 49]), { ...hold(alice, 1), kind: POISON }, post([alice, -50], [bob, 50]), release(h.idem),
    ]); // prettier-ignore
    assert.deepEqual(results, ['ok', 'internal', 'ok', 'insufficient', 'internal', 'ok', 'internal', 'ok', 'hold_not_open']);
    assert.equal(fixture.replays, 1);
    assert.deepEqual(await fixture.balances(alice, bob, FEES), [[0n, 0n], [99n, 0n], [1n, 0n]]); // prettier-ignore
    assert.deepEqual(await fixture.apply([{ ...bad, kind: 1 }]), ['insufficient'], 'its key is free');
  },
  async 'used wrongly it raises, and nothing has happened'(fixture, { alice }) {
    const a = post([LIGHTNING, -5], [alice, 5]);
    await assert.rejects(
      fixture.client.query('SELECT ledger_apply(NULL)'),
      (error: { code?: string; message: string }) => error.code === '22023' && /p_operations/.test(error.message),
    );
    assert.deepEqual(await fixture.rows('SELECT ledger_apply(ARRAY[NULL]::ledger_operation[]) AS r'), [{ r: ['invalid'] }]);
    await fixture.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await assert.rejects(fixture.apply([a]), /READ COMMITTED/);
    await fixture.client.query('ROLLBACK');
    await fixture.client.query('BEGIN');
    assert.deepEqual(await fixture.apply([a]), ['ok']);
    await assert.rejects(fixture.apply([a]), /once per transaction/);
    await fixture.client.query('ROLLBACK');
    assert.deepEqual(await fixture.apply([]), []);
    assert.deepEqual(await fixture.apply([a]), ['ok'], 'its key is free');
  },
  async 'a failure of the database is raised, not answered'(fixture, { alice, bob }) {
    await fixture.fund(alice, 10);
    await fixture.client.query(`
      CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER away BEFORE INSERT ON ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION away()`);
    await assert.rejects(fixture.apply([post([alice, -1], [bob, 1])]), /disk full/);
    await fixture.client.query('DROP TRIGGER away ON ledger_entry');
    assert.equal(fixture.replays, 0);
    assert.deepEqual(await fixture.balances(alice), [[10n, 0n]]);
  },
};

const keeping: Record<string, Rule> = {
  async 'history only grows, also for a session that plays a replica'(fixture, { alice }) {
    await fixture.fund(alice, 5);
    const h = hold(alice, 1);
    await fixture.apply([h, release(h.idem)]);
    for (const role of ['origin', 'replica']) {
      await fixture.client.query(`SET session_replication_role = ${role}`);
      const changes = [
        'UPDATE ledger_entry SET amount = amount', 'DELETE FROM ledger_entry', 'TRUNCATE ledger_entry', 'UPDATE ledger_journal SET kind = kind', 'DELETE FROM ledger_journal', 'TRUNCATE ledger_journal',
        'DELETE FROM ledger_hold', 'TRUNCATE ledger_hold', 'UPDATE ledger_hold SET amount = amount', `UPDATE ledger_hold SET state = 'open', closed_at = NULL`,
        'DELETE FROM ledger_account', 'TRUNCATE ledger_account', 'UPDATE ledger_account SET currency = currency', 'UPDATE ledger_account SET hot = hot',
      ]; // prettier-ignore
      for (const change of changes) await assert.rejects(fixture.client.query(change), /the ledger refuses/, change);
    }
    await fixture.client.query('RESET session_replication_role');
  },
  async 'the table itself refuses what the function would never write'(fixture, { alice }) {
    const writes = ['posted = -1', 'held = 1', 'held = -1', `posted = ${MAX + 1n}`, 'posted = 5, held = 6'];
    for (const write of writes)
      await assert.rejects(
        fixture.client.query(`UPDATE ledger_account SET ${write} WHERE id = ${alice}`),
        /violates check constraint/,
        write,
      );
    await assert.rejects(fixture.client.query('SELECT ledger_open(3::smallint)'), /violates check constraint/);
  },
  async 'plans made while the tables were empty do not read whole tables when they are full'(fixture, { alice, bob }) {
    // A slow machine gives autovacuum time to analyse the full tables, after which the plans would be of another moment.
    for (const name of ['account', 'journal', 'entry', 'hold'])
      await fixture.client.query(`ALTER TABLE ledger_${name} SET (autovacuum_enabled = false)`);
    await fixture.client.query('VACUUM ANALYZE ledger_account, ledger_journal, ledger_entry, ledger_hold');
    // Callers have session settings of their own, which may contradict those of the ledger's functions.
    await fixture.client.query('SET enable_hashjoin = off');
    await fixture.fund(alice, 1_000_000);
    const h = hold(alice, 1);
    await fixture.apply([h, release(h.idem), post([alice, -1], [bob, 1])]);
    const many = Array.from({ length: 400 }, () => hold(alice, 10));
    const others = await fixture.open(400);
    await fixture.apply([...many, ...others.map((id) => post([LIGHTNING, -1], [id, 1]))]);
    const before = await rowsRead(fixture);
    const g = hold(alice, 5);
    await fixture.apply([g, capture(g.idem, [alice, -5], [bob, 4], [FEES, 1]), post([alice, -1], [bob, 1])]);
    assert.ok((await rowsRead(fixture)) - before < 100, 'three operations read a handful of rows');
  },
};

/** Rows that scans of the ledger's tables and their indexes have fetched so far. */
async function rowsRead(fixture: LedgerFixture): Promise<number> {
  await fixture.client.query('SELECT pg_stat_force_next_flush()');
  const [row] = await fixture.rows(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_user_tables WHERE schemaname = current_schema()`,
  );
  return Number(row?.['n']);
}

/** What happens after a failure, wrong use, or tampering. */
export const guarding: Readonly<Record<string, Rule>> = { ...failing, ...keeping };
