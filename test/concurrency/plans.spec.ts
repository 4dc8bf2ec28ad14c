import { createHash, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { RELEASED_BY_HASH } from '../../src/money/payment/reconcile.store.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const NODE = '02'.padEnd(66, '0');
const BEGIN = `SELECT result FROM payment_begin_v2(ARRAY(
  SELECT ROW(a.id, a.payer, a.wallet, a.recipient, a.hash, a.request, NULL, 10000, 1000, NULL, 'principal', NULL, false)::payment_attempt
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[]) AS a(id, payer, wallet, recipient, hash, request)), '{}', '${NODE}', 1, 0, NULL, NULL)`;
const FINISH = `SELECT array_agg(code) AS codes FROM payment_finish(ARRAY(
  SELECT ROW(r.id, r.state, 0, r.preimage, NULL)::payment_resolution FROM unnest($1::uuid[], $2::text[], $3::text[]) AS r(id, state, preimage)))`;
const SETTLE = `SELECT codes FROM invoice_settle_v2('${NODE}', 0, ARRAY(
  SELECT ROW(s.*)::invoice_settlement FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS s), NULL)`;

interface Purse {
  readonly userId: string;
  readonly walletId: string;
}
interface Secret {
  readonly preimage: string;
  readonly hash: string;
}

/** One session: it keeps the plans that it makes while the tables are empty. */
class Session {
  private settled = 0;

  constructor(private readonly client: pg.Client) {}

  async ask(name: string, text: string, values: unknown[]): Promise<pg.QueryResultRow[]> {
    return (await this.client.query<pg.QueryResultRow>({ name, text, values })).rows;
  }

  async people(count: number): Promise<Purse[]> {
    const rows = await this.ask(
      `people ${count}`,
      `WITH u AS (INSERT INTO app_user (id, email, username, password_hash) SELECT gen_random_uuid(), n || '@x.test', n, 'none'
                    FROM (SELECT 'u' || replace(gen_random_uuid()::text, '-', '') AS n FROM generate_series(1, ${count})) AS names RETURNING id) SELECT id FROM u`,
      [],
    );
    const ids = rows.map((row) => row['id'] as string);
    const found = await this.ask(
      'purses',
      `SELECT a.user_id, w.id FROM account a JOIN wallet w ON w.account_id = a.id WHERE w.currency = 'BTC' AND a.user_id = ANY ($1)`,
      [ids],
    );
    return found.map((row) => ({ userId: row['user_id'] as string, walletId: row['id'] as string }));
  }

  async invoices(purses: readonly Purse[]): Promise<Secret[]> {
    const secrets = purses.map(() => newSecret());
    await this.ask(
      'invoices',
      `INSERT INTO invoice (payment_hash, account_id, wallet_id, node_id, payment_request, payment_secret, preimage, amount_msat, external_id, cents_per_btc, by_owner, expires_at)
       SELECT x.hash, w.account_id, w.id, '${NODE}', 'request ' || x.hash, x.hash, x.preimage, 10000, x.hash, 1, true, now() + interval '1 day'
         FROM unnest($1::text[], $2::text[], $3::uuid[]) AS x(hash, preimage, wallet) JOIN wallet w ON w.id = x.wallet AND w.id = ANY ($3)`,
      [secrets.map(({ hash }) => hash), secrets.map(({ preimage }) => preimage), purses.map(({ walletId }) => walletId)],
    );
    return secrets;
  }

  async fund(purses: readonly Purse[]): Promise<void> {
    const secrets = await this.invoices(purses);
    const indexes = secrets.map(() => ++this.settled);
    const [row] = await this.ask('settle', SETTLE, [indexes, secrets.map(({ hash }) => hash), secrets.map(() => 1_000_000)]);
    expect(row?.['codes']).toEqual(secrets.map(() => 'credited'));
  }

  /** Each person pays the next one: from wallet to wallet, by invoice, and to the outside, of which one half settles. */
  async payments(purses: readonly Purse[]): Promise<void> {
    const behind = (n: number): Purse => purses[(n + 1) % purses.length] as Purse;
    const invoices = await this.invoices(purses.map((_, n) => behind(n)));
    const outside = purses.map(() => newSecret());
    await this.begin(
      purses,
      purses.map((_, n) => behind(n).walletId),
      null,
      'settled',
    );
    await this.begin(purses, null, invoices, 'settled');
    const ids = await this.begin(purses, null, outside, 'in_flight');
    const [row] = await this.ask('finish', FINISH, [
      ids,
      ids.map((_, n) => (n % 2 ? 'settled' : 'failed')),
      outside.map(({ preimage }, n) => (n % 2 ? preimage : null)),
    ]);
    expect(row?.['codes']).toEqual(ids.map(() => 'finished'));
    // The node's stream reports a payment whose money was released.
    expect(await this.ask(RELEASED_BY_HASH.name, RELEASED_BY_HASH.text, [outside[0]?.hash])).toEqual([{ id: ids[0] }]);
  }

  private async begin(
    from: readonly Purse[],
    to: readonly string[] | null,
    secrets: readonly Secret[] | null,
    expected: string,
  ): Promise<string[]> {
    const ids = from.map(() => randomUUID());
    const none = from.map(() => null);
    const requests = secrets?.map(({ hash }) => `request ${hash}`) ?? none;
    const rows = await this.ask('begin', BEGIN, [
      ids,
      from.map(({ userId }) => userId),
      from.map(({ walletId }) => walletId),
      to ?? none,
      secrets?.map(({ hash }) => hash) ?? none,
      requests,
    ]);
    expect(rows).toEqual(ids.map(() => ({ result: expected })));
    return ids;
  }

  /** Rows that scans of all tables and their indexes have fetched so far, by table. */
  async rowsRead(): Promise<Record<string, number>> {
    await this.client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await this.client.query<{ relname: string; n: number }>(
      `SELECT relname, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_user_tables WHERE schemaname = 'public'`,
    );
    return Object.fromEntries(rows.map(({ relname, n }) => [relname, n]));
  }
}

function newSecret(): Secret {
  const preimage = randomBytes(32);
  return { preimage: preimage.toString('hex'), hash: createHash('sha256').update(preimage).digest('hex') };
}

describe('a session that planned its statements when every table was empty', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.connection);
    await client.connect();
    // A slow machine gives autovacuum time to analyse tables of a few rows, after which the plans would be of another moment.
    await client.query(`DO $$ DECLARE t regclass; BEGIN
      FOR t IN SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', t);
      END LOOP; END $$`);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('still reads a few rows for a payment when the tables are full', async () => {
    const session = new Session(client);
    await client.query('VACUUM ANALYZE');
    // Two, so that every plan is made and used while the tables are nearly empty.
    const first = await session.people(2);
    await session.fund(first);
    await session.payments(first);

    const many = await session.people(300);
    await session.fund(many);
    await session.payments(many);
    const before = await session.rowsRead();
    await session.fund(first);
    await session.payments(first);
    const read = Object.entries(await session.rowsRead()).map(([table, n]) => [table, n - (before[table] ?? 0)] as const);
    expect(read.filter(([, rows]) => rows > 100)).toEqual([]);
  });

  it('reads what a key has spent without a call of a function for each of its payments', async () => {
    const session = new Session(client);
    const purses = await session.people(2);
    await session.fund(purses);
    await session.payments(purses);
    const { rows } = await client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = 'payment'`,
    );
    const names = rows.map(({ name }) => name).filter((name) => name !== 'id');
    await client.query(
      `INSERT INTO payment (id, ${names.join(', ')}) SELECT gen_random_uuid(), ${names.map((name) => `p.${name}`).join(', ')}
         FROM (SELECT * FROM payment WHERE kind = 'intraledger' LIMIT 1) AS p, generate_series(1, 1000)`,
    );
    await client.query(`SET track_functions = 'all'`);
    const [spent] = (await client.query<{ msat: bigint }>(`SELECT annual_spent_msat AS msat FROM budget_list(ARRAY['principal'])`)).rows;
    expect(Number(spent?.msat)).toBeGreaterThanOrEqual(10_000_000);
    await client.query('SELECT pg_stat_force_next_flush()');
    expect((await client.query(`SELECT funcname FROM pg_stat_user_functions WHERE calls >= 500`)).rows).toEqual([]);
  });
});
