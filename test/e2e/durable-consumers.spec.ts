import { ConsumerStore, Events, type ConsumeEvent, type ConsumeEvents, type PickKeys } from '../../src/platform/events/index.js';
import { sql } from '../../src/platform/database/index.js';
import { Loops } from '../../src/platform/loop/index.js';
import { eventsCommands } from '../../src/operator/act/events.command.js';
import { eventually } from '../../src/testing/eventually.js';
import type { TransactionRow } from '../../src/money/transaction/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture } from '../support/fixture.js';

const NOTE = sql`INSERT INTO consumed (key, by) VALUES ($1, $2)`;

describe('a durable consumer', () => {
  let app: TestApp;
  let sluice: string[];
  let logged: number;
  /** Of all processes: each one that starts gets the lines of all. */
  let logs: (readonly string[])[];

  beforeAll(async () => {
    app = await createTestApp();
    await app.pool.query('CREATE TABLE consumed (n bigint GENERATED ALWAYS AS IDENTITY, key text NOT NULL, by text)');
    [sluice, logs] = [[...registered().keys()], [app.logs]];
  });
  beforeEach(() => (logged = logs.flat().length));
  /** Each test has consumers and events of its own; Sluice's consumers, of webhooks, stay. */
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const [name, { loop }] of registered())
      if (!sluice.includes(name)) await loop.stop().then(() => registered().delete(name) && loops().delete(`consumer ${name}`));
    await app.pool.query(
      `LOCK TABLE event_consumer IN ACCESS EXCLUSIVE MODE;
       DELETE FROM event_position; DELETE FROM event; DELETE FROM consumed; DELETE FROM event_consumer WHERE name !~ '(webhook|payment_notice)$';
       UPDATE event_consumer SET position = 0, handled = 0, state = 'running'`,
    );
  });
  afterAll(() => app.close());

  const registered = (): Map<string, { readonly loop: { stop(): Promise<void> } }> =>
    (app.get(Events) as unknown as { consumers: { registered: Map<string, { readonly loop: { stop(): Promise<void> } }> } }).consumers
      .registered;
  const loops = (): Map<string, unknown> => (app.get(Loops) as unknown as { loops: Map<string, unknown> }).loops;
  /** The test's own lines of the log. */
  const hasLogged = (...parts: string[]): boolean =>
    logs
      .flat()
      .slice(logged)
      .some((line) => parts.every((part) => line.includes(part)));
  const startBeside = async (): Promise<TestApp> => {
    const beside = await createTestApp({ beside: app });
    logs.push(beside.logs);
    return beside;
  };
  const publish = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY[$1], ARRAY['{}'::jsonb])`, [key]);
  };
  const consumed = async (): Promise<string[]> =>
    (await app.pool.query<{ key: string }>('SELECT key FROM consumed ORDER BY n')).rows.map(({ key }) => key);
  const numbers = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  const note =
    (by = 'app'): ConsumeEvent<'invoice.changed'> =>
    async (_event, tx, key) =>
      void (await tx.query(NOTE, [key, by]));
  const consume = (handle = note(), name = 'test', from: 'next' | 'oldest' = 'oldest', by = app): void =>
    by.get(Events).consume(name, 'invoice.changed', handle, from);
  const noteAll: ConsumeEvents<'invoice.changed'> = async (events, tx) => {
    for (const { event, key } of events) await note()(event, tx, key);
  };
  const consumeTogether = (handle: ConsumeEvents<'invoice.changed'>, pick?: PickKeys): void =>
    app.get(Events).consumeTogether('test', 'invoice.changed', handle, { from: 'oldest', ...(pick && { pick }) });
  const stateOf = async (name = 'test'): Promise<Record<string, unknown> | undefined> =>
    (await app.get(ConsumerStore).list()).find((consumer) => consumer.name === name) as Record<string, unknown> | undefined;
  /** The next attempt is due now. */
  const hurry = (): Promise<unknown> => app.pool.query('UPDATE event_consumer SET next_at = now()');
  const run = async (name: string, ...positionals: string[]): Promise<string> => {
    const lines: string[] = [];
    const command = eventsCommands.find((each) => each.name === name);
    await command?.run({ get: app.get.bind(app) }, { positionals, options: {} }, (line) => void lines.push(line));
    return lines.join('\n');
  };

  it('handles each event once, in the order of the commits, also those of several in one call and of other topics between', async () => {
    consume();
    await publish('1', '2');
    await app.pool.query(
      `SELECT event_add(ARRAY['invoice.changed', 'credential.revoked', 'invoice.changed'], ARRAY['3', 'a key', '4'], ARRAY['{}', '{}', '{}']::jsonb[])`,
    );
    await publish(...numbers(5, 100));
    await eventually(async () => (await consumed()).length >= 100);
    expect(await consumed()).toEqual(numbers(1, 100));
    expect(await stateOf()).toMatchObject({ state: 'running', lagSeconds: 0, deadLetters: 0, attempts: 0, error: null });
  });

  it('continues after the clock of the database was an hour ahead, and leaves no time in the future behind', async () => {
    consume();
    await publish('1');
    await eventually(async () => (await consumed()).length === 1);
    const next = `SELECT next_at = '-infinity' AS "isPast" FROM event_consumer WHERE name = 'test'`;
    expect((await app.pool.query(next)).rows).toEqual([{ isPast: true }]);
    await app.pool.query(`UPDATE event_consumer SET next_at = now() + interval '1 hour'`);
    await publish('2');
    await eventually(async () => (await consumed()).length === 2);
  });

  it('is reported and makes its process degraded while an event has waited for more than a minute, as at a foreign lock', async () => {
    consume();
    await eventually(() => stateOf());
    const foreign = await app.pool.connect();
    await foreign.query(`BEGIN; SELECT FROM event_consumer WHERE name = 'test' FOR UPDATE`);
    await publish('1');
    const isLate = (): boolean => app.get(Events).hasLateConsumer;
    expect(isLate()).toBe(false);
    await app.pool.query(`UPDATE event_position SET committed_at = committed_at - interval '2 minutes'`);
    await eventually(isLate);
    await foreign.query('ROLLBACK');
    foreign.release();
    expect(hasLogged('events_consumer_late', 'Consumer test: its oldest event has waited for 12')).toBe(true);
    await eventually(() => !isLate());
    expect(await consumed()).toEqual(['1']);
  });

  it('begins with the next event if it is new, and continues where it was while no process ran', async () => {
    await publish('before');
    const beside = await startBeside();
    consume(note(), 'test', 'next', beside);
    await eventually(() => stateOf());
    await publish('1');
    await eventually(async () => (await consumed()).length === 1);
    await beside.close();
    await publish('2', '3');
    consume(note(), 'test', 'next');
    await eventually(async () => (await consumed()).length === 3);
    expect(await consumed()).toEqual(['1', '2', '3']);
  });

  it('runs in one process at a time, and in the other one when its process has gone', async () => {
    const beside = await startBeside();
    let atOnce = 0;
    let most = 0;
    const slow =
      (by: string): ConsumeEvent<'invoice.changed'> =>
      async (event, tx, key) => {
        most = Math.max(most, ++atOnce);
        await note(by)(event, tx, key);
        await new Promise((resolve) => setTimeout(resolve, 5));
        atOnce--;
      };
    consume(slow('here'));
    consume(slow('there'), 'test', 'oldest', beside);
    await publish(...numbers(1, 60));
    await eventually(async () => (await consumed()).length === 60);
    await beside.close();
    await publish(...numbers(61, 80));
    await eventually(async () => (await consumed()).length === 80);
    expect(await consumed()).toEqual(numbers(1, 80));
    expect(most).toBe(1);
  });

  it('loses and repeats nothing when its sessions end at any moment', async () => {
    consume(async (event, tx, key) => {
      await note()(event, tx, key);
      await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 20));
    });
    const ENDS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND query LIKE '%consume%'`;
    await publish(...numbers(1, 30));
    let ended = 0;
    while ((await consumed()).length < 30) {
      // Five at most: a slow machine would not handle one event from one end to the next.
      if (ended < 5) ended += (await app.pool.query(ENDS)).rowCount ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 300));
    }
    expect(ended).toBeGreaterThan(0);
    expect(await consumed()).toEqual(numbers(1, 30));
  });

  it('handles the events of the keys that it picks, passes the others, and counts a pick that fails as an attempt', async () => {
    // Of the page, and then of its first event alone.
    let failures = 2;
    const asked: string[][] = [];
    consumeTogether(noteAll, async (keys, tx) => {
      if (failures-- > 0) throw new Error('the list is closed');
      asked.push([...keys]);
      const { length } = await tx.query(sql`SELECT 1`);
      return keys.filter((key) => Number(key) % 10 === length - 1);
    });
    await publish(...numbers(1, 30));
    await eventually(async () => {
      await hurry();
      return (await stateOf())?.lagSeconds === 0 && (await consumed()).length === 3;
    });
    expect(await consumed()).toEqual(['10', '20', '30']);
    expect([...new Set(asked.flat())]).toHaveLength(30);
    expect(hasLogged('attempt 1 of 10', 'the list is closed')).toBe(true);
    expect(await stateOf()).toMatchObject({ attempts: 0, error: null, deadLetters: 0 });
  });

  it('handles up to 50 events in one call, and one at a time when a call has failed', async () => {
    const calls: string[][] = [];
    let failures = 2;
    consumeTogether(async (events, tx) => {
      calls.push(events.map(({ key }) => key));
      await noteAll(events, tx);
      if (events.some(({ key }) => key === '130') && failures-- > 0) throw new Error('the shop is closed');
    });
    const keys = numbers(1, 130);
    const topics = keys.map(() => 'invoice.changed');
    await app.pool.query('SELECT event_add($1::text[], $2::text[], $3::jsonb[])', [topics, keys, keys.map(() => '{}')]);
    await eventually(async () => {
      await hurry();
      return (await consumed()).length === 130;
    });
    expect(await consumed()).toEqual(keys);
    // The third call fails, and then the one with the event at fault.
    expect(calls.map(({ length }) => length)).toEqual([50, 50, 30, ...Array.from({ length: 31 }, () => 1)]);
    expect(await stateOf()).toMatchObject({ attempts: 0, error: null, deadLetters: 0 });
  });

  it('calls back after a commit of what its handler has written, and not for events that pass', async () => {
    const seen: string[][] = [];
    const reads: Promise<void>[] = [];
    consumeTogether(noteAll, async (keys) => keys.filter((key) => key === 'mine'));
    app.get(Events).onConsumed('test', () => void reads.push(consumed().then((keys) => void seen.push(keys))));
    await publish('other');
    await eventually(async () => (await stateOf())?.lagSeconds === 0);
    expect(reads).toEqual([]);
    await publish('mine');
    await eventually(() => reads.length === 1);
    await Promise.all(reads);
    // Another session sees it: it was committed before.
    expect(seen).toEqual([['mine']]);
  });

  it('tries a failed event again, commits nothing of a failed attempt, and handles those after it only then', async () => {
    let failures = 3;
    consume(async (event, tx, key) => {
      await note()(event, tx, key);
      if (key === '5' && failures-- > 0) throw new Error('the shop is closed');
    });
    await publish(...numbers(1, 20));
    await eventually(async () => Number((await stateOf())?.attempts) > 0);
    expect(await consumed()).toEqual(numbers(1, 4));
    expect(await stateOf()).toMatchObject({ error: 'the shop is closed', deadLetters: 0 });
    await eventually(async () => {
      await hurry();
      return (await consumed()).length === 20;
    });
    expect(await consumed()).toEqual(numbers(1, 20));
    expect(await stateOf()).toMatchObject({ attempts: 0, error: null });
    expect(hasLogged('events_consumer_failed', 'attempt 2 of 10')).toBe(true);
  });

  it('keeps an event that fails ten times as a dead letter, continues, and handles it when the operator replays it', async () => {
    let isBroken = true;
    consume(async (event, tx, key) => {
      if (key === '2' && isBroken) throw new Error('no such shop');
      await note()(event, tx, key);
    });
    await publish('1', '2', '3');
    await eventually(async () => {
      await hurry();
      return (await consumed()).length === 2;
    });
    expect(await consumed()).toEqual(['1', '3']);
    expect(await run('events list')).toContain('test invoice.changed running 0 s behind, 1 dead letters');
    expect(await app.get(ConsumerStore).list()).toContainEqual(expect.objectContaining({ name: 'test', deadLetters: 1 }));
    expect(await run('events replay', 'test')).toBe('Consumer test handles its dead letters again.');
    await eventually(() => hasLogged('failed again: no such shop'));
    expect(await stateOf()).toMatchObject({ deadLetters: 1, state: 'running' });
    isBroken = false;
    await run('events replay', 'test');
    await eventually(async () => (await stateOf())?.deadLetters === 0);
    expect(await consumed()).toEqual(['1', '3', '2']);
    await publish('4');
    await eventually(async () => (await consumed()).at(-1) === '4');
  });

  it.each([0, 9])('counts no failure against what another process has handled meanwhile, after %i failures', async (attempts) => {
    let other: Promise<unknown> | undefined;
    // The other process has committed before the failure is stored.
    const { store } = (app.get(Events) as unknown as { consumers: { store: ConsumerStore } }).consumers;
    const [claim, failed] = [store.claim.bind(store), store.failed.bind(store)];
    jest.spyOn(store, 'claim').mockImplementation(async (...args) => {
      await other;
      return claim(...args);
    });
    jest.spyOn(store, 'failed').mockImplementation(async (...args) => {
      await other;
      return failed(...args);
    });
    consume(async (event, tx, key) => {
      if (key !== '1') return note()(event, tx, key);
      // It waits for the row until this transaction is over.
      const SKIP = `UPDATE event_consumer SET position = (SELECT max(position) FROM event_position), handled = 1, attempts = 0 WHERE name = 'test'`;
      other = app.pool.query(SKIP);
      const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE event_consumer SET position = (SELECT%'`;
      await eventually(async () => (await app.pool.query(waits)).rowCount === 1);
      throw new Error('the shop is closed');
    });
    await eventually(() => stateOf());
    await app.pool.query(`UPDATE event_consumer SET attempts = $1 WHERE name = 'test'`, [attempts]);
    await publish('1');
    await eventually(() => other);
    await other;
    if (attempts === 0) await eventually(() => hasLogged('events_consumer_failed'));
    expect(await stateOf()).toMatchObject({ attempts: 0, error: null, deadLetters: 0 });
    await publish('2');
    await eventually(async () => (await consumed()).length === 1);
    expect(await consumed()).toEqual(['2']);
    expect(await stateOf()).toMatchObject({ attempts: 0, deadLetters: 0 });
  });

  it('holds its events for longer than an hour, and is stopped, not skipped, when it is too slow for too long', async () => {
    let isAway = true;
    consume(async (event, tx, key) => {
      if (isAway) throw new Error('away');
      await note()(event, tx, key);
    });
    await publish('1');
    await eventually(async () => Number((await stateOf())?.attempts) > 0);
    await publish('2', '3');
    const { outbox } = app.get(Events) as unknown as { outbox: { purge(): Promise<boolean> } };
    const age = (hours: number): Promise<unknown> =>
      app.pool.query(`UPDATE event_position SET committed_at = committed_at - make_interval(hours => $1)`, [hours]);
    const kept = async (): Promise<unknown> => (await app.pool.query(`SELECT FROM event WHERE topics = '{invoice.changed}'`)).rowCount;
    await age(70);
    await outbox.purge();
    expect([await kept(), (await stateOf())?.state]).toEqual([3, 'running']);
    await age(3);
    // A purge skips a consumer that is being claimed. One of the application's own may have stopped it, and deletes events next.
    await eventually(async () => (await outbox.purge(), (await stateOf())?.state === 'overrun' && (await kept()) === 1));
    expect(hasLogged('events_consumer_overrun')).toBe(true);
    isAway = false;
    await hurry();
    await publish('4');
    await app.pool.query('SELECT pg_sleep(0.5)');
    expect(await consumed()).toEqual([]);
    await run('events replay', 'test');
    await eventually(async () => (await consumed()).length === 2);
    expect(await consumed()).toEqual(['3', '4']);
  });

  it('receives the rows of the history, and does not lose an event whose rows could not be read', async () => {
    const fixture = new Fixture(app);
    const bob = await fixture.user();
    const rows: TransactionRow[] = [];
    app.get(Events).consume('history', 'transaction.changed', async (row) => void rows.push(row));
    await eventually(() => stateOf('history'));
    const { readers } = app.get(Events) as unknown as { readers: { byTopic: Map<string, unknown> } };
    const read = readers.byTopic.get('transaction.changed');
    readers.byTopic.set('transaction.changed', () => Promise.reject(new Error('a fault of the reader')));
    const { paymentRequest } = await bob.invoice(21);
    await fixture.simulator.payOutside(paymentRequest);
    await eventually(async () => (await stateOf('history'))?.error === 'a fault of the reader');
    readers.byTopic.set('transaction.changed', read);
    await hurry();
    await eventually(() => rows.length === 1);
    expect(rows).toEqual([expect.objectContaining({ accountId: bob.accountId, amount: 21_000n, status: 'SUCCESS' })]);
  });

  it('that takes too long is interrupted: its transaction has ended, and it is tried again', async () => {
    let late: Promise<unknown> | undefined;
    consume(async (event, tx, key) => {
      if (late) return note()(event, tx, key);
      await new Promise<void>((resolve) => {
        late = new Promise((over) => setTimeout(over, 21_000)).then(() => tx.query(NOTE, [key, 'late'])).finally(resolve);
        // It may reject before the test looks.
        late.catch(() => undefined);
      });
    });
    await publish('1');
    await eventually(async () => (await stateOf())?.error === 'The handler was not done within 20 s');
    await expect(late).rejects.toThrow('The transaction of this event has ended');
    await hurry();
    await eventually(async () => (await consumed()).length === 1);
  });

  it('does not hold up others: two are slow, and the third handles its events', async () => {
    const held: (() => void)[] = [];
    const hold: ConsumeEvent<'invoice.changed'> = () => new Promise((resolve) => held.push(resolve));
    consume(hold, 'slow');
    await publish('1');
    await eventually(() => held.length === 1);
    consume(note(), 'quick');
    await eventually(async () => (await consumed()).length === 1);
    held.forEach((end) => end());
    await eventually(async () => (await stateOf('slow'))?.lagSeconds === 0);
  });

  it('does not hold up others by a backlog: a turn is one transaction', async () => {
    const slow: ConsumeEvent<'invoice.changed'> = () => new Promise((resolve) => setTimeout(resolve, 100));
    await publish(...numbers(1, 60));
    consume(slow, 'one');
    consume(slow, 'two');
    consume(note(), 'quick');
    await eventually(async () => (await consumed()).length === 60);
    const lags = [await stateOf('one'), await stateOf('two')].map((state) => Number(state?.['lagSeconds']));
    expect(Math.min(...lags)).toBeGreaterThan(0);
  });

  it('counts what a handler throws as a failure, also if it looks like an outage', async () => {
    consume(async (event, tx, key) => {
      if (key === '2') throw Object.assign(new Error(`no \0template${' x'.repeat(1_000)}`), { code: 'ENOENT' });
      await note()(event, tx, key);
    });
    await publish('1', '2', '3');
    await eventually(async () => Number((await stateOf())?.['attempts']) > 0);
    expect(await stateOf()).toMatchObject({ error: `no template${' x'.repeat(1_000)}`.slice(0, 1_000) });
    await eventually(async () => {
      await hurry();
      return (await stateOf())?.['deadLetters'] === 1;
    });
    await eventually(async () => (await consumed()).length === 2);
    await run('events replay', 'test');
    await publish('4');
    await eventually(async () => (await consumed()).at(-1) === '4');
  });

  it('counts a failure if a handler has caught an error of its transaction, which then commits nothing', async () => {
    let isCareless = true;
    consume(async (event, tx, key) => {
      if (isCareless) await tx.query(sql`SELECT 1 / 0`).catch(() => undefined);
      else await note()(event, tx, key);
    });
    await publish('1');
    await eventually(async () => Number((await stateOf())?.['attempts']) > 0);
    expect(await stateOf()).toMatchObject({
      error: expect.stringMatching(/^current transaction is aborted.* \(the handler caught: .*division by zero\)$/) as string,
    });
    isCareless = false;
    await hurry();
    await eventually(async () => (await consumed()).length === 1);
  });

  it('handles the many events of one call in parts, and positions of other topics between', async () => {
    const keys = numbers(1, 1_000);
    const topics = keys.map((_, i) => (i % 3 === 0 ? 'credential.revoked' : 'invoice.changed'));
    await app.pool.query('SELECT event_add($1::text[], $2::text[], $3::jsonb[])', [topics, keys, keys.map(() => '{}')]);
    await app.pool.query(
      `DO $$ BEGIN FOR n IN 1..1200 LOOP PERFORM event_add(ARRAY['credential.revoked'], ARRAY['x'], ARRAY['{}'::jsonb]); END LOOP; END $$`,
    );
    await publish('last');
    consume();
    const expected = [...keys.filter((_, i) => i % 3 !== 0), 'last'];
    await eventually(async () => (await consumed()).length >= expected.length);
    expect(await consumed()).toEqual(expected);
  });

  it('writes nothing while there is nothing to handle', async () => {
    consume();
    await publish('1');
    await eventually(async () => (await consumed()).length === 1);
    const version = async (): Promise<unknown> => (await app.pool.query(`SELECT xmin::text FROM event_consumer WHERE name = 'test'`)).rows;
    const before = await version();
    await app.pool.query('SELECT pg_sleep(2.5)');
    expect(await version()).toEqual(before);
  });

  it('begins anew if it is forgotten while its process runs', async () => {
    consume(note(), 'test', 'next');
    await eventually(() => stateOf());
    await run('events forget', 'test');
    await eventually(() => stateOf());
    await publish('1');
    await eventually(async () => (await consumed()).length === 1);
  });

  it('is forgotten by the operator when its extension is gone, and then holds no events', async () => {
    await app.pool.query(`INSERT INTO event_consumer (name, topic, position) VALUES ('test', 'invoice.changed', 0)`);
    expect(await run('events forget', 'test')).toBe('Consumer test is forgotten.');
    await expect(run('events forget', 'test')).rejects.toThrow('There is no consumer "test"');
    await expect(run('events replay', 'test')).rejects.toThrow('There is no consumer "test"');
    // Sluice's own consumers are the only ones.
    const own = (await run('events list')).replaceAll(/ running \d+ s behind, 0 dead letters$/gm, '');
    expect(own.split('\n')).toEqual([
      'invoice-webhook invoice.webhook',
      'payment_notice transaction.changed',
      'webhook transaction.changed',
    ]);
  });

  it('has a valid name of its own', () => {
    consume();
    expect(() => consume()).toThrow('There are two consumers called test');
    expect(() => consume(note(), 'Not a name')).toThrow('needs a name of small letters');
  });
});
