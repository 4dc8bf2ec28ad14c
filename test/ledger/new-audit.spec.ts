import type pg from 'pg';
import { eventually } from '../../src/testing/eventually.js';
import { capture, hold, LedgerFixture, LIGHTNING, ledgerSql, post, type Op } from './ledger-fixture.js';

/** What an audit of new journals found; null: it has more to read. */
async function step(client: pg.Client, limit = 10_000): Promise<string[] | null> {
  const { rows } = await client.query<{ what: string | null; more: boolean }>('SELECT what, more FROM ledger_audit_advance($1)', [limit]);
  return rows.some(({ more }) => more) ? null : rows.flatMap(({ what }) => what ?? []).sort();
}

const mark = async ({ client }: LedgerFixture): Promise<{ at: number; blocks: number }> =>
  (await client.query<{ at: number; blocks: number }>('SELECT journal_id::int AS at, blocks::int FROM ledger_audit_mark')).rows[0] ?? {
    at: -1,
    blocks: -1,
  };
/** Audits until every journal has been read; transactions of other tests on this server delay that. */
const auditAll = async (fixture: LedgerFixture): Promise<void> => {
  const [{ last } = { last: 0 }] = (await fixture.rows('SELECT coalesce(max(id), 0)::int AS last FROM ledger_journal')) as {
    last: number;
  }[];
  await eventually(async () => {
    expect((await step(fixture.client)) ?? []).toEqual([]);
    return (await mark(fixture)).at === last;
  });
};
const must = async (fixture: LedgerFixture, op: Op, client = fixture.client): Promise<void> =>
  expect(await fixture.apply([op], client)).toEqual(['ok']);
/** The owner of the tables changes what Sluice never does. */
const forge = (fixture: LedgerFixture, sql: string): Promise<unknown> =>
  fixture.client.query(
    ['entry', 'journal', 'hold', 'account'].map((name) => `ALTER TABLE ledger_${name} DISABLE TRIGGER ALL;`).join(' ') + sql,
  );

describe('the audit of new journals', () => {
  const LAST = '(SELECT max(id) FROM ledger_journal)';
  it.each<[what: string, sql: string, findings: string[]]>([
    [
      'an amount',
      `UPDATE ledger_entry SET amount = amount + 1 WHERE journal_id = ${LAST} AND account_id > 0`,
      ['balance_chain', 'journal_unbalanced'],
    ],
    ['an entry that is gone', `DELETE FROM ledger_entry WHERE journal_id = ${LAST} AND account_id > 0`, ['journal_unbalanced']],
    ['both entries that are gone', `DELETE FROM ledger_entry WHERE journal_id = ${LAST}`, ['journal_entries']],
    [
      'a balance after',
      `UPDATE ledger_entry SET balance_after = balance_after + 1 WHERE journal_id = ${LAST} AND account_id > 0`,
      ['balance_chain', 'posted_differs'],
    ],
    ['a journal that is gone', `DELETE FROM ledger_journal WHERE id = ${LAST} - 1`, ['entry_orphan']],
    ['another currency', `UPDATE ledger_entry SET currency = 2 WHERE journal_id = ${LAST}`, ['entry_orphan']],
    [
      'the balance of a customer',
      'UPDATE ledger_account SET posted = posted + 1 WHERE id = (SELECT max(id) FROM ledger_account)',
      ['posted_differs'],
    ],
    [
      'the balance of a hot account',
      `UPDATE ledger_account SET posted = posted + 1 WHERE id = ${LIGHTNING}`,
      ['currency_unbalanced', 'posted_differs'],
    ],
    ['what is held', 'UPDATE ledger_account SET held = held + 1 WHERE id = (SELECT max(id) FROM ledger_account)', ['held_differs']],
    ['a hold that is open again', `UPDATE ledger_hold SET state = 'open', closed_at = NULL`, ['hold_journals']],
    [
      'a hold that ended twice',
      `INSERT INTO ledger_journal SELECT nextval('ledger_journal_id'), gen_random_uuid(), 'void', 1, id, '', now() FROM ledger_hold`,
      ['hold_journals'],
    ],
    ['a post with a hold', `UPDATE ledger_journal SET op = 'post' WHERE op = 'capture'`, ['journal_hold']],
    ['a capture of more than was held', 'UPDATE ledger_hold SET amount = 1', ['capture_exceeds']],
  ])('finds %s, and does not pass it', async (_what, sql, findings) => {
    await LedgerFixture.use({}, async (fixture) => {
      const [alice = 0n] = await fixture.open(1);
      await fixture.fund(alice, 1_000);
      await auditAll(fixture);
      const before = await mark(fixture);
      const held = hold(alice, 100);
      await must(fixture, held);
      await must(fixture, capture(held.idem, [alice, -60], [LIGHTNING, 60]));
      await fixture.fund(alice, 7);
      await forge(fixture, sql);
      await eventually(async () => expect(await step(fixture.client)).toEqual(expect.arrayContaining(findings)) ?? true);
      const inJournals = !/balance of a hot|what is held/.test(_what);
      if (inJournals) expect((await mark(fixture)).at).toBe(before.at);
    });
  });

  it('does not pass a journal whose transaction is open, and reads it after the commit', async () => {
    await LedgerFixture.use({ connections: 2 }, async (fixture) => {
      const [alice = 0n, bob = 0n] = await fixture.open(2);
      await auditAll(fixture);
      const [, late] = fixture.clients;
      if (!late) throw new Error('There is no second connection');
      // Hot accounts would make the other wait: money goes from one to the other.
      await fixture.fund(alice, 10);
      await fixture.fund(bob, 10);
      const [carol = 0n, dave = 0n] = await fixture.open(2);
      await late.query('BEGIN');
      await must(fixture, post([alice, -1], [carol, 1]), late);
      await must(fixture, post([bob, -1], [dave, 1]));
      const last = Number((await fixture.rows('SELECT max(id)::int AS last FROM ledger_journal'))[0]?.['last']);
      for (let round = 0; round < 5; round++) expect(await step(fixture.client)).toEqual([]);
      expect((await mark(fixture)).at).toBeLessThan(last - 1);
      await late.query('ALTER TABLE ledger_entry DISABLE TRIGGER ledger_entry_append_only');
      await late.query('UPDATE ledger_entry SET amount = amount + 1 WHERE account_id = $1', [carol]);
      await late.query('ALTER TABLE ledger_entry ENABLE ALWAYS TRIGGER ledger_entry_append_only');
      await late.query('COMMIT');
      await eventually(async () => (await step(fixture.client))?.includes('journal_unbalanced'));
    });
  });

  it('reads each journal once, in steps, while money moves', async () => {
    await LedgerFixture.use({ connections: 3 }, async (fixture) => {
      const people = await fixture.open(4);
      for (const person of people) await fixture.fund(person, 1_000);
      await auditAll(fixture);
      await fixture.apply(Array.from({ length: 25 }, (_, n) => post([people[n % 4] ?? 0n, -1], [people[(n + 1) % 4] ?? 0n, 1])));
      const before = (await mark(fixture)).at;
      const found: (string[] | null)[] = [];
      await eventually(async () => {
        found.push(await step(fixture.client, 10));
        return (await mark(fixture)).at === before + 25;
      });
      expect(found.filter((findings) => findings === null)).toHaveLength(2);
      const [auditor, ...payers] = fixture.clients;
      if (!auditor) throw new Error('There is no connection');
      let paying = true;
      const pay = async (client: pg.Client, n: number): Promise<void> => {
        while (paying)
          await fixture.apply([post([people[n] ?? 0n, -1], [people[n + 1] ?? 0n, 1], [LIGHTNING, -1], [people[3] ?? 0n, 1])], client);
      };
      const payments = payers.map((client, n) => pay(client, n));
      try {
        for (let round = 0; round < 100; round++) expect((await step(auditor, 10)) ?? []).toEqual([]);
      } finally {
        paying = false;
        await Promise.all(payments);
      }
      await auditAll(fixture);
      await fixture.assertAuditZero('after the steps');
    });
  });

  it('digests the history that it has read: a change of it is found, one of what came later is not', async () => {
    const sql = ledgerSql().replace('SELECT 10000', 'SELECT 2');
    await LedgerFixture.use({ sql }, async (fixture) => {
      const [alice = 0n] = await fixture.open(1);
      for (let n = 1; n <= 7; n++) await fixture.fund(alice, n);
      await auditAll(fixture);
      expect((await mark(fixture)).blocks).toBe(3);
      const same = async (): Promise<unknown> =>
        (await fixture.rows('SELECT ledger_digest(blocks) = digest AS same FROM ledger_audit_mark'))[0]?.['same'];
      expect(await same()).toBe(true);
      await forge(fixture, `UPDATE ledger_journal SET kind = 9 WHERE id = 7`);
      expect(await same()).toBe(true);
      await forge(fixture, `UPDATE ledger_journal SET kind = 9 WHERE id = 4`);
      expect([await same(), await step(fixture.client)]).toEqual([false, []]);
    });
  });

  it('continues in another cluster, whose transactions have lower numbers', async () => {
    await LedgerFixture.use({}, async (fixture) => {
      const [alice = 0n] = await fixture.open(1);
      await fixture.fund(alice, 5);
      await step(fixture.client);
      await fixture.client.query(`UPDATE ledger_audit_mark SET next_xid = '4000000000000'`);
      await fixture.fund(alice, 6);
      await auditAll(fixture);
    });
  });
});
