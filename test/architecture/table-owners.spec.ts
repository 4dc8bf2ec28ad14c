import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesBelow, ROOT } from './files.js';

/** The folder of `src` to which a file of SQL belongs, by the first word of its name. */
const FOLDERS: Readonly<Record<string, string>> = {
  account: 'wallet',
  adjustment: 'adjustment',
  api: 'api-key',
  budget: 'budget',
  dealer: 'payment',
  event: 'events',
  history: 'transaction',
  idempotency: 'idempotency',
  invitation: 'user',
  invoice: 'invoice',
  job: 'job',
  ledger: 'ledger',
  lock: 'database',
  oauth: 'oauth',
  operator: 'operator-action',
  payment: 'payment',
  price: 'price',
  rate: 'rate-limit',
  reconciliation: 'reconciliation',
  schema: 'database',
  settlement: 'invoice',
  simulator: 'lightning',
  spending: 'budget',
  user: 'user',
  wallet: 'wallet',
  webhook: 'webhook',
};
const WRITES =
  /(?<!\b(?:FOR|KEY|DO|ON|OR|BEFORE|AFTER)\s+)\b(?:INSERT INTO|UPDATE(?: ONLY)?|DELETE FROM(?: ONLY)?|TRUNCATE(?: TABLE)?|MERGE INTO|COPY(?=\s+\S+\s+FROM\b))\s+(\$\{|[a-z_]+(?:\.[a-z_]+)?)/gi;

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)(\/\/|--).*$/gm, '$1');
const isSql = (path: string): boolean => /^migrations\//.test(path);

function folderOf(path: string): string | undefined {
  if (!isSql(path)) return path.split('/')[1];
  const [first = ''] = basename(path)
    .replace(/^\d{13}-/, '')
    .split(/[_.-]/);
  return FOLDERS[first];
}

/** The owner of each table: the folder with its entity, or whose migration makes it where it has none. Entities come before migrations. */
function ownersIn(files: ReadonlyMap<string, string>): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [path, text] of files)
    for (const [, table = ''] of withoutComments(text).matchAll(
      /(?:@Entity\('|CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?)([a-z_.]+)/g,
    )) {
      const folder = folderOf(path);
      if (folder !== undefined && !owners.has(nameIn(path, table))) owners.set(nameIn(path, table), folder);
    }
  return owners;
}

/** The simulator's functions find their own tables first. */
const nameIn = (path: string, table: string): string =>
  /\/simulator[^/]*$/.test(path) && !table.includes('.') ? `simulator.${table}` : table;

function faultsIn(files: ReadonlyMap<string, string>): string[] {
  const owners = ownersIn(files);
  const faults: string[] = [];
  for (const [path, text] of files) {
    const folder = folderOf(path);
    if (folder === undefined) faults.push(`${path}: belongs to no folder`);
    for (const [, written = ''] of withoutComments(text).matchAll(WRITES)) {
      const table = nameIn(path, written.toLowerCase());
      const owner = owners.get(table);
      if (table === '${') faults.push(`${path}: writes a table whose name is not in the text`);
      else if (owner === undefined) faults.push(`${path}: writes ${table}, which has no owner`);
      else if (owner !== folder) faults.push(`${path}: writes ${table}, which belongs to ${owner}`);
    }
  }
  return faults;
}

describe('a table', () => {
  const paths = [...filesBelow('src'), ...filesBelow('migrations')].filter(
    (path) => /\.(ts|sql)$/.test(path) && !/\.spec\.ts$|^src\/(generated|testing)\/|^migrations\/(index|functions)\.ts$/.test(path),
  );
  const files = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));

  it('is written by its owner only, in code and in SQL functions', () => {
    expect(ownersIn(files).size).toBeGreaterThan(30);
    expect(faultsIn(files)).toEqual([]);
  });

  it.each([
    ['src/oauth/planted.ts', 'sql`UPDATE app_user SET language = $1`', 'writes app_user, which belongs to user'],
    ['src/user/planted.ts', 'sql`WITH a AS (DELETE FROM oauth_grant RETURNING id) SELECT 1`', 'writes oauth_grant, which belongs to oauth'],
    ['src/wallet/planted.ts', "query('insert into invoice (id) values ($1)')", 'writes invoice, which belongs to invoice'],
    ['src/wallet/planted.ts', 'sql`TRUNCATE ledger_entry`', 'writes ledger_entry, which belongs to ledger'],
    ['src/user/planted.ts', 'sql`INSERT INTO ${TABLE} (id) VALUES ($1)`', 'writes a table whose name is not in the text'],
    ['src/user/planted.ts', 'sql`DELETE FROM app_users`', 'writes app_users, which has no owner'],
    ['migrations/sql/payment_planted.sql', 'UPDATE ledger_account SET posted = 0;', 'writes ledger_account, which belongs to ledger'],
    ['src/user/planted.ts', 'sql`UPDATE session SET ended_at = now()`', 'writes session, which belongs to session'],
    ['migrations/functions/wallet_planted.sql', 'MERGE INTO app_user AS u', 'writes app_user, which belongs to user'],
    ['migrations/1764999999000-invoice.ts', '`DELETE FROM event WHERE true`', 'writes event, which belongs to events'],
    ['migrations/sql/planted.sql', 'SELECT 1;', 'belongs to no folder'],
  ])('is noticed when another folder writes it: %s %s', (path, text, fault) => {
    expect(faultsIn(new Map([...files, [path, text]]))).toEqual([`${path}: ${fault}`]);
  });

  it.each([
    ['src/user/planted.ts', '// UPDATE oauth_grant would be wrong here\nsql`SELECT 1 FROM oauth_grant FOR NO KEY UPDATE OF g SKIP LOCKED`'],
    [
      'migrations/sql/wallet_planted.sql',
      '-- DELETE FROM event\nINSERT INTO wallet AS w VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1;',
    ],
    ['migrations/sql/oauth_planted.sql', 'CREATE TRIGGER a AFTER UPDATE OF password_hash ON app_user'],
  ])('is read, locked and watched by others: %s %s', (path, text) => {
    expect(faultsIn(new Map([...files, [path, text]]))).toEqual([]);
  });
});
