import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { FUNCTIONS } from '../../migrations/index.js';
import { Ledger1764000002000 } from '../../migrations/1764000002000-ledger.js';
import { LedgerAuditMark1795513907364 } from '../../migrations/1795513907364-ledger-audit-mark.js';
import { LedgerAdjustmentAccount1795561323326 } from '../../migrations/1795561323326-ledger-adjustment-account.js';
import { LedgerOnchainAccounts1796000080001 } from '../../migrations/1796000080001-ledger-onchain-accounts.js';
import { JOURNALS_OF_BLOCK, SystemAccount } from '../../src/money/ledger/index.js';
import { pgTypes } from '../../src/platform/database/index.js';
import { MAX_AMOUNT_MSAT } from '../../src/platform/kernel/money.js';
import { dropDatabase } from '../support/database.js';
import { ADMIN, USD } from './ledger-fixture.js';

const ACCOUNTS = 'SELECT id, currency, posted, held, allow_negative AS "allowNegative", hot, label FROM ledger_account';
interface Account {
  readonly id: bigint;
  readonly currency: number;
  readonly allowNegative: boolean;
  readonly hot: boolean;
  readonly label: string;
}

describe('the ledger’s schema', () => {
  const database = `ledger_${randomUUID().replaceAll('-', '')}`;
  let admin: pg.Client;
  let source: DataSource;

  beforeAll(async () => {
    admin = new pg.Client(ADMIN);
    await admin.connect();
    await admin.query(`CREATE DATABASE ${database}`);
    source = new DataSource({
      type: 'postgres',
      migrations: [
        Ledger1764000002000,
        LedgerAuditMark1795513907364,
        LedgerAdjustmentAccount1795561323326,
        LedgerOnchainAccounts1796000080001,
      ],
      migrationsTransactionMode: 'each',
      extra: { ...ADMIN, database, types: pgTypes },
    });
    await source.initialize();
  });

  afterAll(async () => {
    await source.destroy();
    await dropDatabase(admin, database);
    await admin.end();
  });

  const things = async (): Promise<string[]> => {
    const rows = await source.query<{ name: string }[]>(`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
      UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
      UNION SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace`);
    return rows.map(({ name }) => name).filter((name) => name.includes('ledger'));
  };

  it('migrates, reverts without a trace, and migrates again', async () => {
    await source.runMigrations();
    expect(await things()).toEqual(expect.arrayContaining(['ledger_account', 'ledger_operation', 'ledger_refuse']));
    await source.undoLastMigration();
    await source.undoLastMigration();
    await source.undoLastMigration();
    await source.undoLastMigration();
    expect(await things()).toEqual([]);
    await source.runMigrations();
    const functions = FUNCTIONS.filter(({ name }) => name.startsWith('ledger_'));
    await source.transaction((manager) => manager.query(functions.map(({ text }) => text).join('\n')));
    expect(await things()).toEqual(expect.arrayContaining(['ledger_apply', 'ledger_audit', 'ledger_open']));
  });

  it('has the system accounts that the code names', async () => {
    const accounts = await source.query<Account[]>(`${ACCOUNTS} ORDER BY id DESC`);
    expect(Object.fromEntries(accounts.map(({ label, id }) => [label, id]))).toEqual(SystemAccount);
    expect(accounts.filter(({ currency }) => currency === USD).map(({ label }) => label)).toEqual(['dealerUsd']);
    expect(accounts.filter(({ hot }) => !hot).map(({ label }) => label)).toEqual(['loss', 'unclaimed', 'adjustment']);
    expect(accounts.every(({ allowNegative }) => allowNegative)).toBe(true);
  });

  it('digests blocks of the size that the code names', async () => {
    expect(await source.query('SELECT ledger_digest_block() AS size')).toEqual([{ size: Number(JOURNALS_OF_BLOCK) }]);
  });

  it('has the largest amount that the code names', async () => {
    const [row] = await source.query<{ max: string }[]>('SELECT ledger_max_amount()::text AS max');
    expect(row?.max).toBe(String(MAX_AMOUNT_MSAT));
  });

  it('numbers customers’ accounts from 1000 on, one currency each', async () => {
    const [first, second] = await source.query<{ id: bigint }[]>('SELECT ledger_open(c::smallint) AS id FROM unnest(ARRAY[1, 2]) AS c');
    expect([first?.id, second?.id]).toEqual([1000n, 1001n]);
    expect(await source.query(`${ACCOUNTS} WHERE id = 1001`)).toEqual([
      { id: 1001n, currency: USD, posted: 0n, held: 0n, allowNegative: false, hot: false, label: null },
    ]);
  });

  it('permits a role without rights on the tables to move money by granted functions, and not otherwise', async () => {
    const role = `${database}_app`;
    await source.query(`CREATE ROLE ${role}`);
    const runner = source.createQueryRunner();
    try {
      await runner.query(`SET ROLE ${role}`);
      const apply = `SELECT ledger_apply(ARRAY[ROW('post', '${randomUUID()}', 1, NULL, ARRAY[ROW(-1, -5), ROW(1000, 5)]::ledger_leg[])]::ledger_operation[]) AS results`;
      await expect(runner.query(apply)).rejects.toThrow('permission denied');
      await runner.query('RESET ROLE');
      await runner.query(`GRANT EXECUTE ON FUNCTION ledger_apply, ledger_open TO ${role}`);
      await runner.query(`SET ROLE ${role}`);
      expect(await runner.query(apply)).toEqual([{ results: ['ok'] }]);
      await runner.query('SELECT ledger_open(1::smallint)');
      // The ledger's functions ignore temporary tables that such a role creates under the tables' names.
      await runner.query(
        'CREATE TEMP TABLE ledger_account (id bigint, currency smallint, posted bigint, held bigint, allow_negative boolean, hot boolean, label text)',
      );
      expect(await runner.query(apply)).toEqual([{ results: ['duplicate'] }]);
      await expect(runner.query('UPDATE public.ledger_account SET posted = 0')).rejects.toThrow('permission denied');
      await expect(runner.query('SELECT ledger_must_raise($1)', ['40000'])).rejects.toThrow('permission denied');
    } finally {
      await runner.query('RESET ROLE; DISCARD TEMP');
      await runner.release();
      await source.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});
