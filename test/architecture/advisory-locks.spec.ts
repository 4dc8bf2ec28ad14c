import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { AdvisoryLock } from '../../src/platform/database/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { filesBelow, ROOT } from './files.js';

const SQL_LIST = 'migrations/functions/lock_key.sql';
const LISTS = [SQL_LIST, 'src/platform/database/advisory-locks.ts'];
const CALL = /\bpg_(?:try_)?advisory_(?:xact_)?(?:un)?lock(?:_shared)?\(([^\n]*)/gi;
/** Names of the list only; a column `lock_key` is made by `payment_lock_key`. */
const NAMED = /^(?:\$\{AdvisoryLock\.\w+\}|lock_key\('(\w+)'\)|payment_lock_key\(|lock_key\))/;
const KEYS = new RegExp(`\\b(?:${Object.values(AdvisoryLock).join('|')})\\b`);

/** Keys that are not of the list. Tests may have locks of their own, by name. */
function faultsIn(path: string, text: string): string[] {
  if (LISTS.includes(path)) return [];
  const faults = [...text.matchAll(CALL)].flatMap(([call, key = '']) => {
    const name = NAMED.exec(key)?.[1];
    const isListed = path.startsWith('test/') ? !/^\s*[\d'"]/.test(key) : NAMED.test(key) && (name === undefined || name in AdvisoryLock);
    return isListed ? [] : [`${path}: ${call}`];
  });
  const repeated = KEYS.exec(text.replace(/(\d)_(?=\d)/g, '$1'));
  return repeated ? [...faults, `${path}: repeats the key ${repeated[0]}`] : faults;
}

describe('the key of an advisory lock', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.connection);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('comes from one list, in code and in SQL', () => {
    const paths = ['src', 'migrations', 'test', 'bench', 'scripts']
      .flatMap(filesBelow)
      .filter((path) => /\.([cm]?[jt]s|sql)$/.test(path) && path !== 'test/architecture/advisory-locks.spec.ts');
    expect(paths.length).toBeGreaterThan(600);
    expect(paths.flatMap((path) => faultsIn(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });

  it('is the same for a statement of the program and for a SQL function', async () => {
    const names = [...readFileSync(join(ROOT, SQL_LIST), 'utf8').matchAll(/WHEN '(\w+)'/g)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(AdvisoryLock));
    for (const [name, key] of Object.entries(AdvisoryLock))
      expect((await client.query<{ key: string }>('SELECT lock_key($1) AS key', [name])).rows).toEqual([{ key: String(key) }]);
    await expect(client.query("SELECT lock_key('planted')")).rejects.toThrow('"planted"');
  });

  it.each([
    ['src/planted.ts', 'sql`SELECT pg_advisory_xact_lock(123)`', ['src/planted.ts: pg_advisory_xact_lock(123)`']],
    ['src/planted.ts', 'sql`SELECT pg_try_advisory_lock(${LOCK})`', ['src/planted.ts: pg_try_advisory_lock(${LOCK})`']],
    ['src/planted.ts', 'const LOCK = 7_305_822;', ['src/planted.ts: repeats the key 7305822']],
    ['migrations/functions/planted.sql', 'PERFORM pg_advisory_xact_lock(123);', ['pg_advisory_xact_lock(123);']],
    ['migrations/functions/planted.sql', 'PERFORM pg_advisory_xact_lock(hashtext(h));', ['pg_advisory_xact_lock(hashtext(h));']],
    ['migrations/functions/planted.sql', "PERFORM pg_advisory_lock_shared(lock_key('planted'));", ["_shared(lock_key('planted'));"]],
    ['test/planted.ts', "query('SELECT pg_advisory_unlock(123)')", ["pg_advisory_unlock(123)')"]],
    ['src/planted.ts', 'sql`SELECT pg_try_advisory_xact_lock(${AdvisoryLock.demo})`', []],
    ['migrations/functions/planted.sql', "PERFORM pg_advisory_xact_lock(lock_key('events'));", []],
  ])('is noticed outside of the list: %s %s', (path, text, faults) => {
    expect(faultsIn(path, text)).toEqual(faults.map((fault) => expect.stringContaining(fault) as string));
  });
});
