import { DATA_SECTIONS } from '../../src/money/personal-data/personal-data.js';
import { Database, sql, type Statement, type Tx } from '../../src/platform/database/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

/** Of other people. */
const ROWS = Number(process.env['SLUICE_ROWS'] ?? 20_000);
const READ = sql`SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read
  FROM pg_stat_xact_user_tables WHERE schemaname = current_schema() AND relname IN ('transaction', 'invoice', 'payment')`;

describe('a server with many rows of other people', () => {
  let app: TestApp;
  let alice: Person;
  let wallets: string[];
  let ownerId: string;

  beforeAll(async () => {
    app = await createTestApp();
    const fixture = new Fixture(app);
    alice = await fixture.user({ sats: 1_000 });
    wallets = Object.values(alice.wallets);
    const { accountId, userId, wallets: others } = await fixture.user();
    ownerId = userId;
    const added = (into: string, select: string): Promise<unknown> =>
      app.pool.query(`INSERT INTO ${into} SELECT ${select} FROM generate_series(1, ${ROWS}) AS n`, [accountId, others.BTC]);
    // Failed payments and cancelled invoices moved no money.
    await added(
      'transaction (id, account_id, wallet_id, currency, direction, status, amount, memo, external_id_by_owner, initiation, settlement, created_at, settled_at)',
      `gen_random_uuid(), $1, $2, 'BTC', 'SEND', 'FAILURE', -1, 'rent', false, 'ln', 'ln', now() - make_interval(secs => n), now()`,
    );
    await added(
      'invoice (payment_hash, account_id, wallet_id, node_id, payment_request, payment_secret, preimage, amount_msat, external_id, cents_per_btc, by_owner, expires_at, state, closed_at)',
      `encode(sha256(sha256(n::text::bytea)), 'hex'), $1, $2, 'n', n, n, encode(sha256(n::text::bytea), 'hex'), 1, n, 1, true, now(), 'cancelled', now()`,
    );
    await added(
      `payment (id, account_id, wallet_id, kind, node_id, payment_hash, amount_msat, fee_limit_msat, principal_id, state, finished_at, created_at)`,
      `gen_random_uuid(), $1, $2, 'ln', 'n', n, 1, 0, 'key', 'failed', now(), now()`,
    );
    for (const table of ['transaction', 'invoice', 'payment']) await app.pool.query(`ANALYZE ${table}`);
  });
  afterAll(() => app.close());

  const readBy = (statement: Statement, values: readonly unknown[]): Promise<number> =>
    app.get(Database).transaction(async (tx: Tx) => {
      const [before] = await tx.query<{ read: number }>(READ);
      await tx.query(statement, values);
      const [after] = await tx.query<{ read: number }>(READ);
      return (after?.read ?? NaN) - (before?.read ?? NaN);
    });

  it.each(DATA_SECTIONS)('exports the $name of a person without reading them', async ({ statement }) => {
    expect(await readBy(statement, [alice.userId, null, null])).toBeLessThan(100);
  });

  it.each(['transactions', 'invoices'])('reads one piece of %s of a person who has many', async (name) => {
    const { statement } = DATA_SECTIONS.find((section) => section.name === name) as (typeof DATA_SECTIONS)[number];
    const after = name === 'invoices' ? '00' : '00000000-0000-0000-0000-000000000000';
    expect(await readBy(statement, [ownerId, 'epoch', after])).toBeLessThan(2_000);
  });

  it.each([
    ['judges the deletion of an account', sql`SELECT account_delete_verdict($1)`, () => [alice.userId]],
    ['finds the invoices of an account that can be paid', sql`SELECT invoice_payable($1, 1)`, () => [wallets]],
    ['forgets the history of an account', sql`SELECT history_forget($1, 500)`, () => [wallets]],
    ['forgets the invoices of an account', sql`SELECT invoice_forget_account($1, 500)`, () => [wallets]],
  ])('%s without reading them', async (_, statement, values) => {
    expect(await readBy(statement, values())).toBeLessThan(100);
  });
});
