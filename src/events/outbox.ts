import type { Duplex } from 'node:stream';
import pg from 'pg';
import { pgTypes } from '../database/index.js';

export interface OutboxRow {
  readonly id: bigint;
  readonly xid: string;
  readonly topic: string;
  readonly key: string;
  /** JSON. */
  readonly payload: string;
}

/** A row and, after all that are settled, at most one that is not. */
interface FoundRow extends OutboxRow {
  /** No transaction that is still running can add an event before this one. */
  readonly settled: boolean;
}

const CHANNEL = 'sluice_event';
const PAGE = 500;

// Rows at and above $3 may have others before them that nobody sees yet.
const READ = `
  WITH page AS (SELECT *, xid < greatest(pg_snapshot_xmin(pg_current_snapshot()), $3::xid8) AS settled
                  FROM event WHERE (xid, id) > ($1::xid8, $2) ORDER BY xid, id LIMIT ${PAGE})
  (SELECT id, xid::text AS xid, topic, key, payload::text AS payload, settled FROM page WHERE settled ORDER BY page.xid, page.id)
  UNION ALL (SELECT id, xid::text, topic, key, '', settled FROM page WHERE NOT settled LIMIT 1)`;

// The oldest transaction that may write here. Those of other databases of the cluster hold snapshots back as well, but no event of ours:
// they are told by the lock that each holds on its own number. One that is not found there counts.
const FRONTIER = `
  SELECT coalesce(min(running.xid), pg_snapshot_xmax(pg_current_snapshot()))::text AS xid
    FROM pg_snapshot_xip(pg_current_snapshot()) AS running (xid)
   WHERE NOT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
                      WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock' AND l.transactionid = running.xid::xid
                        AND a.datname <> current_database())`;

/** A connection that says nothing for so long is lost, though nobody has told us: a network may swallow what is sent. */
const SILENCE_MS = 2_500;
/** Few enough to be gone long before that. */
const FORGET_PAGE = 5_000;

/** One connection that reads the outbox in commit order and tells other processes to do so. */
export class Outbox {
  private cursor: { xid: string; id: bigint } | undefined;
  private client: pg.Client | undefined;

  constructor(
    private readonly connection: pg.ClientConfig,
    private readonly onNotice: () => void,
    private readonly onLost: () => void,
  ) {}

  get connected(): boolean {
    return this.client !== undefined;
  }

  /** The first connection starts at the present; later ones go on where the last one ended, so nothing is missed. */
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
      this.onLost();
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await this.greet(client);
    } catch (error) {
      drop(client);
      throw error;
    }
    this.client = client;
  }

  private async greet(client: pg.Client): Promise<void> {
    await client.connect();
    client.on('notification', ({ processId }) => processId !== (client as unknown as { processID: number }).processID && this.onNotice());
    // Events are read again from the table after a crash; telling others about them needs no flush of its own.
    // A plan made while the table is empty would read all of it for ever, so the table is asked by its key alone.
    await client.query(`SET synchronous_commit = off; SET enable_seqscan = off; LISTEN ${CHANNEL}`);
    // A number that is yet to come is that of another cluster, whose dump was restored here: such an event would be waited for, for ever.
    await client.query('DELETE FROM event WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())');
    this.cursor ??= await this.present(client);
  }

  /**
   * The next events in order, up to the first that is not settled.
   * @param patient false: it has taken long, so transactions of other databases are told from those that may write here
   */
  async read(patient: boolean): Promise<{ rows: OutboxRow[]; more: boolean; waits: boolean }> {
    const { client, cursor } = this;
    if (!client || !cursor) throw new Error('The outbox is not connected');
    // Before the rows: what begins to be seen in between may be older than what is seen then.
    const frontier = patient ? '0' : await this.frontier(client);
    const { rows } = await client.query<FoundRow>({ name: 'outbox_read', text: READ, values: [cursor.xid, cursor.id, frontier] });
    const ready = rows.filter(({ settled }) => settled);
    const last = ready.at(-1);
    if (last) this.cursor = { xid: last.xid, id: last.id };
    return { rows: ready, more: ready.length === PAGE, waits: rows.length > ready.length };
  }

  async notify(): Promise<void> {
    await this.client?.query({ name: 'outbox_notify', text: `SELECT pg_notify('${CHANNEL}', '')` });
  }

  /** Takes old events away, a page a call; true when that was all. */
  async forget(): Promise<boolean> {
    const gone = await this.client?.query({
      name: 'outbox_forget',
      text: `DELETE FROM event WHERE (xid, id) IN (SELECT xid, id FROM event WHERE created_at < now() - interval '1 hour' LIMIT ${FORGET_PAGE})`,
    });
    return (gone?.rowCount ?? 0) < FORGET_PAGE;
  }

  close(): void {
    const { client } = this;
    this.client = undefined;
    if (client) drop(client);
  }

  private async frontier(client: pg.Client): Promise<string> {
    const { rows } = await client.query<{ xid: string }>({ name: 'outbox_frontier', text: FRONTIER });
    return rows[0]?.xid ?? '0';
  }

  private async present(client: pg.Client): Promise<{ xid: string; id: bigint }> {
    const { rows } = await client.query<{ xid: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid');
    return { xid: rows[0]?.xid ?? '0', id: -1n };
  }
}

/** At once: nobody waits for the goodbye of a connection that may be dead. */
function drop(client: pg.Client): void {
  client.end().catch(() => undefined);
  (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
}
