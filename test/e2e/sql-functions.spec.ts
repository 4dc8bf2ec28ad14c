import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { FUNCTIONS, MIGRATIONS } from '../../migrations/index.js';
import { openDataSource, type DatabaseOptions } from '../../src/platform/database/index.js';
import { Log } from '../../src/platform/logging/index.js';
import { createTestDatabase, CURRENT_SCHEMA, type TestDatabase } from '../support/database.js';

type Functions = DatabaseOptions['functions'];
const answering = (answer: string): string => `CREATE OR REPLACE FUNCTION planted() RETURNS text LANGUAGE sql AS $$ SELECT '${answer}' $$`;
const planted = (answer: string): Functions => [...FUNCTIONS, { name: 'planted', text: answering(answer) }];
const compatibleSince = (release: string): Functions =>
  FUNCTIONS.map(({ name, text }) => ({
    name,
    text: name === 'schema_compatibility' ? text.replace(/SELECT '[^']*'/, `SELECT '${release}'`) : text,
  }));

class First9999999999998 implements MigrationInterface {
  readonly name = 'First9999999999998';
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE first_of_two (id int)');
  }
  async down(): Promise<void> {
    // Never undone.
  }
}
class Second9999999999999 implements MigrationInterface {
  readonly name = 'Second9999999999999';
  up(): Promise<void> {
    return Promise.reject(new Error('interrupted'));
  }
  async down(): Promise<void> {
    // Never undone.
  }
}

let database: TestDatabase;
let pool: pg.Pool;
let lines: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ ...database.connection, max: 1 });
  pool.on('error', () => undefined);
  lines = [];
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const note = ({ message }: { readonly message: string }): void => void lines.push(message);
/** Starts as release `release` does. */
const start = async (
  release: string,
  functions: Functions = FUNCTIONS,
  allowNewerSchema = false,
  migrations: DatabaseOptions['migrations'] = MIGRATIONS,
): Promise<void> => {
  const common = { connection: database.connection, poolSize: 2, entities: [] };
  const options = { ...CURRENT_SCHEMA, ...common, migrations, functions, release, allowNewerSchema };
  const dataSource = await openDataSource(options, new Log('test', { log: note, warn: note, error: note }));
  await dataSource.destroy();
};
const answer = async (): Promise<unknown> => (await pool.query<{ answer: string }>('SELECT planted() AS answer')).rows[0]?.answer;
const versions = async (): Promise<string[]> => {
  const { rows } = await pool.query<{ row: string }>('SELECT name || release || created_at AS row FROM schema_function ORDER BY name');
  return rows.map(({ row }) => row);
};

describe('the SQL functions', () => {
  it('are created when their text has changed, and only then', async () => {
    const before = await versions();
    expect(before).toHaveLength(FUNCTIONS.length);
    await start('1.0.0', planted('one'));
    expect(await answer()).toBe('one');
    expect(await versions()).toEqual(expect.arrayContaining(before));
    await start('1.0.0', planted('two'));
    expect(await answer()).toBe('two');
    await start('1.1.0', planted('three'));
    expect(await answer()).toBe('three');
    expect(await versions()).toEqual(expect.arrayContaining(before));
  });

  it('stay as they are when one of them cannot be created', async () => {
    await start('1.0.0', planted('one'));
    const broken = [
      ...planted('two'),
      { name: 'broken', text: 'CREATE OR REPLACE FUNCTION broken() RETURNS int LANGUAGE sql AS $$ SELECT now() $$' },
    ];
    await expect(start('1.1.0', broken)).rejects.toThrow('The SQL functions "broken" cannot be created: return type mismatch');
    expect(await answer()).toBe('one');
  });

  it('let an older release start where a newer one has ended between two of its migrations', async () => {
    await start('1.0.0');
    await expect(start('1.1.0', FUNCTIONS, false, [...MIGRATIONS, First9999999999998, Second9999999999999])).rejects.toThrow('interrupted');
    lines = [];
    await start('1.0.0');
    expect(lines).toEqual(['A newer version of Sluice has migrated the database: its SQL functions stay as they are']);
  });

  it('are left alone by an older release that may run beside them', async () => {
    await start('1.1.0', planted('new'));
    await start('1.0.0', planted('old'));
    expect(await answer()).toBe('new');
    expect(lines).toEqual(['A newer version of Sluice has migrated the database: its SQL functions stay as they are']);
  });

  it('refuse a release that is older than the oldest compatible one, unless the operator allows it', async () => {
    await start('2.0.0', compatibleSince('1.5.0'));
    await expect(start('1.4.9', planted('old'))).rejects.toThrow(
      /^Sluice 2\.0\.0 has migrated the database, and its schema needs Sluice 1\.5\.0 or newer; this is 1\.4\.9\. .*SLUICE_ALLOW_NEWER_SCHEMA=1/,
    );
    await start('1.5.0');
    await start('1.4.9', planted('old'), true);
    await expect(answer()).rejects.toThrow('function planted() does not exist');
  });

  it('can all be created again on the schema that they are in, with the same result', async () => {
    const definitions = async (): Promise<unknown[]> =>
      (
        await pool.query(`SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'simulator'::regnamespace)
         UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal UNION ALL SELECT pg_get_viewdef('ledger_audit'::regclass) ORDER BY 1`)
      ).rows;
    const before = await definitions();
    await pool.query('DELETE FROM schema_function');
    await start('1.0.0');
    expect(await definitions()).toEqual(before);
    expect(before.length).toBeGreaterThan(40);
  });
});
