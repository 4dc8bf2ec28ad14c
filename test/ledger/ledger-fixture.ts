import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { FUNCTIONS } from '../../migrations/index.js';
import { recordsOf } from '../../src/platform/database/records.js';
import { SystemAccount } from '../../src/money/ledger/index.js';

export const BTC = 1;
export const USD = 2;
export const MAX = 2_100_000_000_000_000_000n;
export const { lightning: LIGHTNING, fees: FEES, dealerBtc: DEALER_BTC, dealerUsd: DEALER_USD, loss: LOSS } = SystemAccount;
export const SYSTEM: readonly bigint[] = Object.values(SystemAccount);
export const HOT: readonly bigint[] = [LIGHTNING, FEES, DEALER_BTC, DEALER_USD, SystemAccount.onchain, SystemAccount.depositWaiting];

/** Amounts may be anything that PostgreSQL reads as numeric. */
export type Leg = readonly [account: bigint | null, amount: bigint | number | string | null];

/** An operation as a caller passes it to `ledger_apply`, valid or not. */
export interface Op {
  readonly op: string | null;
  readonly idem: string | null;
  readonly kind?: number | null;
  readonly hold?: string | null;
  readonly legs?: readonly Leg[];
}

/** Valid operations, with a fresh key each. */
export const post = (...legs: Leg[]): Op & { idem: string } => ({ op: 'post', idem: randomUUID(), legs });
export const hold = (account: bigint, amount: bigint | number): Op & { idem: string } => ({
  op: 'hold',
  idem: randomUUID(),
  legs: [[account, -amount]],
});
export const capture = (holdId: string, ...legs: Leg[]): Op & { idem: string } => ({
  op: 'capture',
  idem: randomUUID(),
  hold: holdId,
  legs,
});
export const release = (holdId: string): Op & { idem: string } => ({ op: 'void', idem: randomUUID(), hold: holdId });

/** Kinds for which `plantKinds` makes a statement fail like an unexpected error, or makes it slow, so that racing sessions overlap. */
export const POISON = 666;
export const SLOW = 777;

/** The administrator of the run’s database server. */
export const ADMIN = JSON.parse(process.env['TEST_DATABASE'] ?? '{}') as pg.ClientConfig;
/** The SQL under test, as the application runs it. */
export const ledgerSql = (): string =>
  [
    ...[
      '1764000002000-ledger',
      '1795513907364-ledger-audit-mark',
      '1795561323326-ledger-adjustment-account',
      '1796000080001-ledger-onchain-accounts',
    ].map((name) => readFileSync(join(__dirname, `../../migrations/${name}.sql`), 'utf8')),
    ...FUNCTIONS.filter(({ name }) => name.startsWith('ledger_')).map(({ text }) => text),
  ].join('\n');

async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  await client.connect();
  return client;
}

/** Runs `work` in a schema of its own: much cheaper than a database of its own; the ledger's SQL runs in any schema. */
async function withSchema<T>(work: (config: pg.ClientConfig, first: pg.Client) => Promise<T>): Promise<T> {
  const schema = `ledger_${randomUUID().replaceAll('-', '')}`;
  // PostgreSQL reports a deadlock after 50 ms instead of a second.
  const config = { ...ADMIN, application_name: '0', options: `-c search_path=${schema} -c deadlock_timeout=50ms` };
  const first = await connect(config);
  try {
    await first.query(`CREATE SCHEMA ${schema}`);
    return await work(config, first);
  } finally {
    await first.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await first.end();
  }
}

/** The operations as literals of `ledger_operation`, as the program passes them, also with fields that it would never pass. */
const records = (ops: readonly Op[]): string[] =>
  recordsOf(
    ops.map(({ legs = [], kind = 1, ...op }) => ({
      ...op,
      kind,
      legs: `{${legs.map(([account, amount]) => `"(${account ?? ''},${amount ?? ''})"`).join(',')}}`,
    })),
    'op',
    'idem',
    'kind',
    'hold',
    'legs',
  );

/** A ledger of its own and connections to it. */
export class LedgerFixture {
  /** Batches that left the fast path: without this count, a broken fast path would only be slow. */
  replays = 0;

  private constructor(readonly clients: readonly pg.Client[]) {
    for (const client of clients) client.on('notice', ({ message }) => (this.replays += /is replayed/.test(message ?? '') ? 1 : 0));
  }

  /** @param sql the ledger's SQL, or that of a ledger with a fault */
  static async use<T>({ connections = 1, sql = ledgerSql() }, work: (fixture: LedgerFixture) => Promise<T>): Promise<T> {
    return withSchema(async (config, first) => {
      await first.query(sql);
      const others = await Promise.all(
        Array.from({ length: connections - 1 }, (_, index) => connect({ ...config, application_name: `${index + 1}` })),
      );
      try {
        return await work(new LedgerFixture([first, ...others]));
      } finally {
        await Promise.all(others.map((client) => client.end()));
      }
    });
  }

  get client(): pg.Client {
    const [client] = this.clients;
    assert.ok(client);
    return client;
  }

  async apply(ops: readonly Op[], client = this.client): Promise<string[]> {
    const { rows } = await client.query<{ r: string[] }>({
      name: 'apply',
      text: 'SELECT ledger_apply($1::ledger_operation[]) AS r',
      values: [records(ops)],
    });
    return rows[0]?.r ?? [];
  }

  /** Opens customers' accounts. */
  async open(count: number, currency = BTC): Promise<bigint[]> {
    const { rows } = await this.client.query<{ id: string }>('SELECT ledger_open($1::smallint) AS id FROM generate_series(1, $2)', [
      currency,
      count,
    ]);
    return rows.map(({ id }) => BigInt(id));
  }

  async fund(account: bigint, amount: bigint | number): Promise<void> {
    assert.deepEqual(await this.apply([post([LIGHTNING, -amount], [account, amount])]), ['ok']);
  }

  /** The posted and held amounts of accounts. */
  async balances(...accounts: bigint[]): Promise<[bigint, bigint][]> {
    const { rows } = await this.client.query<{ id: string; posted: string; held: string }>(
      'SELECT * FROM ledger_account WHERE id = ANY ($1)',
      [accounts],
    );
    const found = new Map(rows.map(({ id, posted, held }) => [BigInt(id), [BigInt(posted), BigInt(held)] as [bigint, bigint]]));
    return accounts.map((account) => found.get(account) ?? [0n, 0n]);
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.client.query<Record<string, unknown>>(sql)).rows;
  }

  async plantKinds(): Promise<void> {
    await this.client.query(`
      CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$;
      CREATE TRIGGER poison BEFORE INSERT ON ledger_journal FOR EACH ROW WHEN (new.kind = ${POISON}) EXECUTE FUNCTION poison();
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.001); RETURN new; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON ledger_journal FOR EACH ROW WHEN (new.kind = ${SLOW}) EXECUTE FUNCTION slow()`);
  }

  async assertAuditZero(where: string, client = this.client): Promise<void> {
    const { rows } = await client.query('SELECT * FROM ledger_audit WHERE n <> 0');
    assert.deepEqual(rows, [], `the audit is not zero ${where}`);
  }
}

/** People with empty BTC accounts; alice has a USD account too. */
export interface Cast {
  readonly alice: bigint;
  readonly bob: bigint;
  readonly carol: bigint;
  readonly aliceUsd: bigint;
}

/** An example of a rule of the ledger. */
export type Rule = (fixture: LedgerFixture, cast: Cast) => Promise<void>;
