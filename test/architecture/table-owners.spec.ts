import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { filesBelow, ROOT } from './files.js';

const { ROOMS } = createRequire(__filename)('../../.dependency-order.cjs') as {
  ROOMS: Readonly<Record<string, readonly string[]>>;
};
/** The rooms, the highest first. */
const ROOM_NAMES = Object.keys(ROOMS);
const roomOf = (folder: string): string | undefined => ROOM_NAMES.find((room) => room === folder || ROOMS[room]?.includes(folder));

/** The folder of `src` to which a file of SQL belongs, by the first word of its name. */
const FOLDERS: Readonly<Record<string, string>> = {
  access: 'user',
  account: 'wallet',
  adjustment: 'adjustment',
  api: 'api-key',
  budget: 'budget',
  credential: 'call',
  dealer: 'price',
  deposit: 'onchain',
  email: 'user',
  event: 'events',
  factor: 'factor',
  history: 'transaction',
  idempotency: 'idempotency',
  identity: 'identity',
  'user-identity': 'identity',
  invitation: 'user',
  invoice: 'invoice',
  job: 'job',
  ledger: 'ledger',
  lock: 'database',
  node: 'payment',
  notice: 'notice',
  oauth: 'oauth',
  operator: 'operator-action',
  payment: 'payment',
  payout: 'payment',
  price: 'price',
  rate: 'rate-limit',
  reconciliation: 'reconciliation',
  retired: 'payment',
  schema: 'database',
  secret: 'database',
  session: 'session',
  settlement: 'invoice',
  simulated: 'onchain',
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
  if (!isSql(path)) {
    const [, room = '', folder = ''] = path.split('/');
    return ROOMS[room]?.includes(folder) ? folder : room;
  }
  const [stem = ''] = basename(path)
    .replace(/^\d{13}-/, '')
    .split('.');
  return FOLDERS[stem] ?? FOLDERS[stem.split(/[_-]/)[0] ?? ''];
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

/** The functions of the simulated node and of the simulated chain find their own tables first. */
const nameIn = (path: string, table: string): string => {
  const [, schema] = /\/(simulator|simulated_chain)[^/]*$/.exec(path) ?? [];
  return schema === undefined || table.includes('.') ? table : `${schema}.${table}`;
};

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

/** The names that a list after FROM or JOIN gives, without their aliases. */
const USES =
  /\b(?:FROM|JOIN|USING|INTO|UPDATE|ONLY)\s+(?:ONLY\s+)?([a-z_.]+(?:\s+(?:AS\s+)?[a-z]\w*)?(?:\s*,\s*[a-z_.]+(?:\s+(?:AS\s+)?[a-z]\w*)?)*)/g;
const CREATED = /CREATE (?:OR REPLACE )?(FUNCTION|VIEW)\s+"?([a-z_.0-9]+)/g;

/** The folder of each function and view, from the file that creates it. */
function makersIn(files: ReadonlyMap<string, string>): Map<string, string> {
  const makers = new Map<string, string>();
  for (const [path, text] of files)
    for (const [, kind, name = ''] of withoutComments(text).matchAll(CREATED))
      makers.set(kind === 'VIEW' ? name : `${name}(`, folderOf(path) ?? '');
  return makers;
}

/** The tables, views and functions that a text uses, of a room above its own; versioned migrations stay as they were released. */
function climbsIn(files: ReadonlyMap<string, string>): string[] {
  const owners = new Map([...ownersIn(files), ...makersIn(files)]);
  const calls = new RegExp(
    `\\b(?:${[...owners.keys()]
      .filter((name) => name.endsWith('('))
      .map((name) => name.slice(0, -1))
      .join('|')})\\s*\\(`,
    'g',
  );
  const climbs = [...files].flatMap(([path, raw]) => {
    const room = roomOf(folderOf(path) ?? '');
    if (room === undefined || /^migrations\/\d/.test(path)) return [];
    const text = withoutComments(raw);
    const tables = [...text.matchAll(USES)].flatMap(([, list = '']) =>
      list.split(',').map((each) => nameIn(path, each.trim().split(/\s/)[0] ?? '')),
    );
    const functions = [...text.matchAll(calls)].map(([call]) => call.replace(/\s/, ''));
    return [...new Set([...tables, ...functions])].flatMap((name) => {
      const owner = owners.get(name);
      const above = owner === undefined ? undefined : roomOf(owner);
      if (above === undefined || ROOM_NAMES.indexOf(above) >= ROOM_NAMES.indexOf(room)) return [];
      return [`${path}: uses ${name.replace('(', '()')} of ${owner}, which is in ${above}, above ${room}`];
    });
  });
  return climbs.sort();
}

const PATHS = [...filesBelow('src'), ...filesBelow('migrations')].filter(
  (path) => /\.(ts|sql)$/.test(path) && !/\.spec\.ts$|^src\/(generated|testing)\/|^migrations\/(index|functions)\.ts$/.test(path),
);
const files = new Map(PATHS.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));

describe('a table', () => {
  it('is written by its owner only, in code and in SQL functions', () => {
    expect(ownersIn(files).size).toBeGreaterThan(30);
    expect(faultsIn(files)).toEqual([]);
  });

  it.each([
    ['src/access/oauth/planted.ts', 'sql`UPDATE app_user SET language = $1`', 'writes app_user, which belongs to user'],
    [
      'src/access/user/planted.ts',
      'sql`WITH a AS (DELETE FROM oauth_grant RETURNING id) SELECT 1`',
      'writes oauth_grant, which belongs to oauth',
    ],
    ['src/money/wallet/planted.ts', "query('insert into invoice (id) values ($1)')", 'writes invoice, which belongs to invoice'],
    ['src/money/wallet/planted.ts', 'sql`TRUNCATE ledger_entry`', 'writes ledger_entry, which belongs to ledger'],
    ['src/access/user/planted.ts', 'sql`INSERT INTO ${TABLE} (id) VALUES ($1)`', 'writes a table whose name is not in the text'],
    ['src/access/user/planted.ts', 'sql`DELETE FROM app_users`', 'writes app_users, which has no owner'],
    ['migrations/sql/payment_planted.sql', 'UPDATE ledger_account SET posted = 0;', 'writes ledger_account, which belongs to ledger'],
    ['src/access/user/planted.ts', 'sql`UPDATE session SET ended_at = now()`', 'writes session, which belongs to session'],
    ['migrations/functions/wallet_planted.sql', 'MERGE INTO app_user AS u', 'writes app_user, which belongs to user'],
    ['migrations/1764999999000-invoice.ts', '`DELETE FROM event WHERE true`', 'writes event, which belongs to events'],
    ['migrations/sql/planted.sql', 'SELECT 1;', 'belongs to no folder'],
  ])('is noticed when another folder writes it: %s %s', (path, text, fault) => {
    expect(faultsIn(new Map([...files, [path, text]]))).toEqual([`${path}: ${fault}`]);
  });

  it.each([
    [
      'src/access/user/planted.ts',
      '// UPDATE oauth_grant would be wrong here\nsql`SELECT 1 FROM oauth_grant FOR NO KEY UPDATE OF g SKIP LOCKED`',
    ],
    [
      'migrations/sql/wallet_planted.sql',
      '-- DELETE FROM event\nINSERT INTO wallet AS w VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 1;',
    ],
    ['migrations/sql/oauth_planted.sql', 'CREATE TRIGGER a AFTER UPDATE OF password_hash ON app_user'],
  ])('is read, locked and watched by others: %s %s', (path, text) => {
    expect(faultsIn(new Map([...files, [path, text]]))).toEqual([]);
  });
});

describe('a statement or function uses tables and functions of its own room and those below', () => {
  it('in code and in SQL', () => {
    expect([...new Set(PATHS.map((path) => folderOf(path) ?? path))].filter((folder) => roomOf(folder) === undefined)).toEqual([
      'client',
      'index.ts',
      'main.ts',
    ]);
    expect(makersIn(files).size).toBeGreaterThan(100);
    expect(climbsIn(files)).toEqual([]);
  });

  it.each([
    ['src/access/oauth/planted.ts', 'sql`SELECT 1 FROM wallet`', 'wallet of wallet, which is in money, above access'],
    [
      'src/access/user/planted.ts',
      'sql`SELECT 1 FROM app_user u, oauth_grant g, budget AS b`',
      'budget of budget, which is in money, above access',
    ],
    ['src/access/oauth/planted.ts', 'sql`SELECT ledger_apply ($1)`', 'ledger_apply() of ledger, which is in money, above access'],
    [
      'migrations/functions/oauth_planted.sql',
      'PERFORM payment_begin_v2($1);',
      'payment_begin_v2() of payment, which is in money, above access',
    ],
    [
      'migrations/functions/event_planted.sql',
      'SELECT 1 FROM x JOIN LATERAL y ON true JOIN idempotency k',
      'idempotency of idempotency, which is in edge, above platform',
    ],
    [
      'migrations/functions/invoice_planted.sql',
      'SELECT FROM reconciliation',
      'reconciliation of reconciliation, which is in operator, above money',
    ],
  ])('and is noticed when it does not: %s %s', (path, text, fault) => {
    expect(climbsIn(new Map([...files, [path, text]]))).toEqual([`${path}: uses ${fault}`]);
  });

  it('and may use what is below or beside it: what a comment names is no use', () => {
    const beside = '-- PERFORM budget_set(1)\nSELECT ledger_apply(x) FROM wallet, invoice JOIN app_user USING (id)';
    expect(climbsIn(new Map([...files, ['migrations/functions/payment_planted.sql', beside]]))).toEqual([]);
  });
});
