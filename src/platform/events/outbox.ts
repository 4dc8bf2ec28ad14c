import pg from 'pg';
import { discardClient, fragment, isUnavailable, pgTypes, sql, type Statement, type Tx } from '../database/index.js';
import type { Log } from '../logging/index.js';
import { rowOfItem, rowsOfItems, type TopicRows } from './row-source.js';

export interface OutboxRow {
  readonly topic: string;
  readonly key: string;
  readonly payload: string;
  readonly named?: object | undefined;
}

/** A reader's progress: the last row that it has read. `at` distinguishes it from another row of the same position. */
interface OutboxCursor {
  readonly position: bigint;
  readonly at: bigint | null;
}

/** The columns of a read; topic null: the event of this position is gone. */
type ReadValues = [position: bigint, at: bigint, topic: string | null, key: string, payload: string, ...named: unknown[]];

export interface OutboxPage {
  readonly rows: readonly OutboxRow[];
  readonly last: OutboxCursor | undefined;
  readonly more: boolean;
}

interface OutboxListener {
  onConnect(client: pg.Client): Promise<void>;
  onNotice(): void;
  /** The last row read is gone: the database was restored from an older copy, or this process was away longer than events are kept. */
  onGap(): void;
}

const CHANNEL = fragment`sluice_event`;
/** Calls of `event_add`; each may hold the events of a whole batch. */
const PAGE = 100;

const MICROS = fragment`(extract(epoch FROM committed_at) * 1000000)::int8`;

/** Events of a page whose rows are read with them: they save a round trip. Those of more are read only where a handler listens. */
const MAX_WITH_ROWS = 8;

// A position whose event is gone (deleted by an operator) is read too: otherwise a page of them would end the reading.
// The rows of events are found by key, each by itself (OFFSET 0 keeps PostgreSQL from joining): with statistics of a few rows, it would
// read the whole table instead at each poll.
// One row per event, because the driver parses arrays by the character: a fifth of the processor time of a payment.
const PAGE_OF_EVENTS = fragment`
  SELECT p.position, p.at, e.topics, e.keys, e.payloads, sum(cardinality(e.topics)) OVER () AS events
    FROM (SELECT position, event_id, ${MICROS} AS at FROM event_position WHERE position > $1 ORDER BY position LIMIT ${PAGE}) p
    LEFT JOIN LATERAL (SELECT topics, keys, payloads FROM event WHERE id = p.event_id OFFSET 0) e ON true`;

function readWith(sources: readonly TopicRows[]): Statement {
  const { columns, joins } = rowsOfItems(sources, fragment`page.events <= ${MAX_WITH_ROWS}`);
  return sql`
  SELECT page.position, page.at, item.topic, item.key, item.payload::text AS payload${columns}
    FROM (${PAGE_OF_EVENTS}) page
    LEFT JOIN LATERAL unnest(page.topics, page.keys, page.payloads) WITH ORDINALITY AS item (topic, key, payload, nth) ON true${joins}
   ORDER BY page.position, item.nth`;
}
const READ = readWith([]);
const NOTIFY = sql`SELECT pg_notify('${CHANNEL}', '')`;
const PRESENT = sql`SELECT position, ${MICROS} AS at FROM event_position ORDER BY position DESC LIMIT 1`;
const SEEN = sql`SELECT FROM event_position WHERE position = $1 AND ${MICROS} = $2`;
const PREPARED = sql`SELECT current_setting('max_prepared_transactions')::int AS most`;
/** Few enough that the deletion ends long before the connection counts as lost. */
const PURGE_PAGE = 2_000;
// A consumer that has not handled an event in all the time that events are kept is stopped, and no longer holds them.
const OVERRUN = sql`
  UPDATE event_consumer SET state = 'overrun' WHERE name IN (
    SELECT name FROM event_consumer c
     WHERE state = 'running' AND (SELECT committed_at FROM event_position p WHERE p.position > c.position ORDER BY p.position LIMIT 1)
                                 < now() - make_interval(hours => $1)
       FOR UPDATE SKIP LOCKED)
  RETURNING name`;
// The last row stays: a reader finds by it that it has missed nothing. So does that of the slowest consumer.
const PURGE = sql`
  WITH oldest AS (SELECT position, event_id, committed_at FROM event_position ORDER BY position LIMIT ${PURGE_PAGE}),
       old AS (SELECT position, event_id FROM oldest
                WHERE committed_at < now() - interval '1 hour' AND position < (SELECT max(position) FROM event_position)
                  AND position < coalesce((SELECT min(position) FROM event_consumer WHERE state = 'running'), 9223372036854775807)),
       gone AS (DELETE FROM event_position p USING old WHERE p.position = old.position)
  DELETE FROM event e USING old WHERE e.id = old.event_id`;

/** A connection that is silent this long counts as lost even without an error: a network may drop packets silently. */
const SILENCE_MS = 2_500;

export class Outbox implements Tx {
  private cursor: OutboxCursor | undefined;
  private client: pg.Client | undefined;
  /** When the present connection was opened (`performance.now()`): events may wait for its first read. */
  connectedAt = Infinity;
  private joined: { readonly sources: readonly TopicRows[]; readonly statement: Statement } | undefined;

  constructor(
    private readonly connection: pg.ClientConfig,
    private readonly keptHours: number,
    private readonly listener: OutboxListener,
    private readonly log: Log,
    /** The rows that events name; those that are added later are not read with their events. */
    private readonly sources: readonly TopicRows[],
  ) {}

  get connected(): boolean {
    return this.client !== undefined;
  }

  /** The server's id of the present connection. */
  get sessionPid(): number | undefined {
    return (this.client as unknown as { readonly processID: number } | undefined)?.processID;
  }

  /** The first connection starts at the present; later ones continue where the last one ended, so nothing is missed. */
  async connect(): Promise<void> {
    const client = new pg.Client({
      ...this.connection,
      types: pgTypes,
      connectionTimeoutMillis: 3_000,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    });
    const lost = (): void => {
      if (this.client !== client) return;
      this.client = undefined;
      this.log.warn('events_connection_lost', {}, 'The connection that listens for events was lost; it is opened again');
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await this.listen(client);
    } catch (error) {
      discardClient(client);
      throw error;
    }
    this.client = client;
    this.connectedAt = performance.now();
  }

  private async listen(client: pg.Client): Promise<void> {
    await client.connect();
    client.on(
      'notification',
      ({ processId }) => processId !== (client as unknown as { processID: number }).processID && this.listener.onNotice(),
    );
    // After a crash, readers get events from the table, so a NOTIFY needs no flush of its own.
    // Plans made while the tables are empty would scan them whole indefinitely, so the session allows access by key only.
    await client.query(`SET statement_timeout = 0; SET lock_timeout = 0; SET synchronous_commit = off; SET enable_seqscan = off;
                        SET enable_hashjoin = off; SET enable_mergejoin = off; LISTEN ${CHANNEL.text}`);
    await this.listener.onConnect(client);
    // The setting changes only when the server restarts, which ends this connection.
    const [settings] = (await client.query<{ most: number }>(PREPARED)).rows;
    if (settings && settings.most > 0)
      this.log.error(
        'events_prepared_transactions_allowed',
        {},
        'The database allows prepared transactions; one that is left open stops every payment',
      );
    if (this.cursor && (await isThere(client, this.cursor))) return;
    const gap = this.cursor !== undefined;
    const [present] = (await client.query<OutboxCursor>(PRESENT)).rows;
    this.cursor = present ?? { position: 0n, at: null };
    if (gap) this.listener.onGap();
  }

  /**
   * The next events, in the order of their commits. They are read again until `advance` is called.
   * @param isWanted whether a handler wants events of a topic: if there are few, the rows that they name are read with them
   */
  async read(isWanted: (topic: string) => boolean): Promise<OutboxPage> {
    if (!this.cursor) throw new Error('The outbox was never connected');
    const { position } = this.cursor;
    const sources = [...this.sources];
    const wanted = sources.map(({ topic }) => (isWanted(topic) ? topic : null));
    const values = wanted.some((topic) => topic !== null)
      ? await this.readWithRows(sources, [position, ...wanted])
      : await this.readValues(READ, [position]);
    const rows = values.flatMap(([, , topic, key, payload, ...named]): OutboxRow[] =>
      topic === null ? [] : [{ topic, key, payload, named: rowOfItem(sources, topic, named) }],
    );
    const last = values.at(-1);
    return {
      rows,
      last: last && { position: last[0], at: last[1] },
      more: new Set(values.map(([position]) => position)).size === PAGE,
    };
  }

  /** An event that names no row stops no other: then all are read without rows, and its reader reports it. */
  private async readWithRows(sources: readonly TopicRows[], values: readonly unknown[]): Promise<ReadValues[]> {
    if (this.joined?.sources.length !== sources.length) this.joined = { sources, statement: readWith(sources) };
    try {
      return await this.readValues(this.joined.statement, values);
    } catch (error) {
      if (isUnavailable(error) || !this.connected) throw error;
      return this.readValues(READ, values.slice(0, 1));
    }
  }

  private async readValues(statement: Statement, values: readonly unknown[]): Promise<ReadValues[]> {
    if (!this.client) throw new Error('The outbox is not connected');
    const { name, text } = statement;
    return (await this.client.query<ReadValues>({ name, text, values: [...values], rowMode: 'array' })).rows;
  }

  advance({ last }: OutboxPage): void {
    if (last) this.cursor = { position: last.position, at: last.at };
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.client) throw new Error('The outbox is not connected');
    return (await this.client.query({ ...statement, values: [...values] })).rows as Row[];
  }

  async notify(): Promise<void> {
    await this.client?.query(NOTIFY);
  }

  /** Deletes old events, one page per call; true when no more are left. */
  async purge(): Promise<boolean> {
    const overrun = await this.client?.query<{ name: string }>({ ...OVERRUN, values: [this.keptHours] });
    for (const { name: consumer } of overrun?.rows ?? [])
      this.log.error(
        'events_consumer_overrun',
        { consumer },
        `Consumer ${consumer}: it has not handled an event for ${this.keptHours} hours; it is stopped until \`sluice events replay ${consumer}\``,
      );
    const gone = await this.client?.query(PURGE);
    return (gone?.rowCount ?? 0) < PURGE_PAGE;
  }

  close(): void {
    const { client } = this;
    this.client = undefined;
    if (client) discardClient(client);
  }
}

/** Returns whether the last row read still exists; true if none was read, because then nothing can be missed. */
async function isThere(client: pg.Client, { position, at }: OutboxCursor): Promise<boolean> {
  return at === null || (await client.query({ ...SEEN, values: [position, at] })).rowCount === 1;
}
