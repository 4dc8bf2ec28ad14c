import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import type { Statement } from '../../src/platform/database/index.js';
import type * as Records from '../../src/platform/database/records.js';
import type * as Tag from '../../src/platform/database/sql.js';
import { createTestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { filesBelow, ROOT } from './files.js';

/** The real tag, which also keeps what it has made. */
jest.mock('../../src/platform/database/sql.js', () => {
  const real = jest.requireActual<typeof Tag>('../../src/platform/database/sql.js');
  const made: { source: string; statement: Statement }[] = [];
  const recording: typeof Tag.sql = (strings, ...parts) => {
    const statement = real.sql(strings, ...parts);
    made.push({ source: strings.join('…'), statement });
    return statement;
  };
  return { ...real, sql: recording, made };
});
/** The real function, which also keeps what it has made. */
jest.mock('../../src/platform/database/records.js', () => {
  const real = jest.requireActual<typeof Records>('../../src/platform/database/records.js');
  const types: CompositeFields[] = [];
  const compositeType: typeof Records.compositeType = (name, ...fields) => {
    types.push({ name, fields });
    return real.compositeType(name, ...fields);
  };
  return { ...real, compositeType, types };
});
type CompositeFields = Pick<Records.CompositeType<string>, 'name' | 'fields'>;
const { types } = jest.requireMock<{ types: CompositeFields[] }>('../../src/platform/database/records.js');
const { made } = jest.requireMock<{ made: { source: string; statement: Statement }[] }>('../../src/platform/database/sql.js');

const SOURCES = filesBelow('src').filter((path) => /\.ts$/.test(path) && !/\.spec\.ts$|^src\/(generated|testing)\//.test(path));
/** They run a program when they are loaded. */
const PROGRAMS = ['src/main.ts', 'src/cli/main.ts'];
/** They speak to the server before there is a pool, or about the server itself. */
const RAW =
  /^src\/platform\/(database\/(connection|database|(extension|function)-migrations|migrator|server-check|session-limits)|embedded-postgres\/)/;
const STARTS_LIKE_SQL = /^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|MERGE INTO|WITH \w+ AS)\s/;

/** The texts of a file's `sql` templates, and its SQL outside of them. */
function sqlIn(path: string, text: string): { readonly tagged: string[]; readonly untagged: string[] } {
  const [tagged, untagged]: [string[], string[]] = [[], []];
  const partsOf = (node: ts.Node): string | undefined => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
    return ts.isTemplateExpression(node)
      ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…')
      : undefined;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && /^(sql|fragment)$/.test(node.tag.getText())) {
      if (node.tag.getText() === 'sql') tagged.push(partsOf(node.template) ?? '');
      if (ts.isTemplateExpression(node.template)) node.template.templateSpans.forEach(({ expression }) => visit(expression));
      return;
    }
    const found = partsOf(node);
    if (found !== undefined && STARTS_LIKE_SQL.test(found)) untagged.push(`${path}: ${found.trim().split('\n')[0] ?? ''}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return { tagged, untagged };
}

/** What PostgreSQL says against each statement; it looks up every table, column, function and type. */
async function faultsOf(statements: readonly Pick<Statement, 'name' | 'text'>[], client: pg.Client): Promise<string[]> {
  const faults: string[] = [];
  for (const { text, name } of statements)
    await client.query(`PREPARE "${name}" AS ${text}`).catch((error: Error) => faults.push(`${error.message}: ${text}`));
  await client.query('DEALLOCATE ALL');
  return faults;
}

/** The composite types whose fields have another place or name in the program than in the database. */
async function fieldFaults(declared: readonly CompositeFields[], client: pg.Client): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, fields } of declared) {
    const { rows } = await client.query<{ fields: string[] | null }>(
      `SELECT array_agg(attname::text ORDER BY attnum) AS fields FROM pg_attribute
        WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
      [name],
    );
    const stored = rows[0]?.fields?.join() ?? 'nothing';
    const written = fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join();
    if (stored !== written) faults.push(`${name} has ${stored}, not ${written}`);
  }
  return faults;
}

/** The composite types of which a statement takes an array. */
async function typesTaken(statements: readonly string[], client: pg.Client): Promise<string[]> {
  const names = statements.flatMap((text) => [...text.matchAll(/\$\d+::([a-z_0-9]+)\[\]/g)].map(([, name]) => name));
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relkind = 'c' AND relname = ANY ($1) ORDER BY relname",
    [names],
  );
  return rows.map(({ name }) => name);
}

describe('every statement of the program', () => {
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

  it('is written with the sql tag, and PostgreSQL can prepare it on the migrated tables', async () => {
    for (const path of SOURCES.filter((each) => !PROGRAMS.includes(each))) await import(join(ROOT, path));
    // Modules that start put together what others have registered.
    await (await createTestApp()).close();
    const written = SOURCES.map((path) => sqlIn(path, readFileSync(join(ROOT, path), 'utf8')));
    expect(written.flatMap(({ untagged }, index) => (RAW.test(SOURCES[index] ?? '') ? [] : untagged))).toEqual([]);
    // A statement inside a function that was not called is not made: it has to be a constant of its module.
    const sources = new Set(made.map(({ source }) => source));
    expect(written.flatMap(({ tagged }) => tagged.filter((source) => !sources.has(source)))).toEqual([]);
    const statements = [...new Map(made.map(({ statement }) => [statement.name, statement])).values()];
    expect(statements.length).toBeGreaterThan(60);
    // PostgreSQL takes a literal's fields by position: two uuids that are exchanged would pay the wrong person.
    expect(await fieldFaults(types, client)).toEqual([]);
    expect(types.map(({ name }) => name).sort()).toEqual(
      await typesTaken(
        statements.map(({ text }) => text),
        client,
      ),
    );
    // Transaction control cannot be prepared with PREPARE.
    expect(
      await faultsOf(
        statements.filter(({ text }) => text !== 'COMMIT'),
        client,
      ),
    ).toEqual([]);
  });

  it.each([
    ['a table', 'SELECT id FROM app_users', 'relation "app_users" does not exist'],
    ['a column', 'UPDATE app_user SET nickname = $1 WHERE id = $2', 'column "nickname" of relation "app_user" does not exist'],
    ['a function', 'SELECT wallet_shut($1)', 'function wallet_shut(unknown) does not exist'],
    ['a type', 'SELECT id FROM app_user WHERE id = ANY ($1::text[])', 'operator does not exist: uuid = text'],
    ['the syntax', 'SELECT FROM WHERE', 'syntax error'],
  ])('is refused when %s is wrong', async (_what, text, fault) => {
    const right = { name: 'right', text: 'SELECT id FROM app_user' };
    expect(await faultsOf([{ name: 'planted', text }, right], client)).toEqual([expect.stringContaining(fault)]);
  });

  it.each<[string, CompositeFields, string]>([
    ['are exchanged', { name: 'payment_claim', fields: ['token', 'id'] }, 'payment_claim has id,token, not token,id'],
    ['are too few', { name: 'payment_claim', fields: ['id'] }, 'payment_claim has id,token, not id'],
    ['have no type', { name: 'payment_claims', fields: ['id'] }, 'payment_claims has nothing, not id'],
  ])('is refused when the fields of a composite type %s', async (_what, planted, fault) => {
    const right = { name: 'invoice_answer', fields: ['paymentHash', 'answer'] };
    expect(await fieldFaults([planted, right], client)).toEqual([fault]);
  });

  it('cannot take a composite type whose fields are not compared', async () => {
    const planted = ['SELECT a($1::payment_claim[], $2::uuid[])', 'SELECT b($1, $2::spend[])'];
    expect(await typesTaken(planted, client)).toEqual(['payment_claim', 'spend']);
  });

  it.each([
    ["const A = 'SELECT 1 FROM app_user';", 'SELECT 1 FROM app_user'],
    ['const A = `UPDATE app_user SET id = ${id}`;', 'UPDATE app_user SET id = …'],
    ["query({ name: 'a', text: 'DELETE FROM session' });", 'DELETE FROM session'],
    ['const A = sql`SELECT ${f(`SELECT 2 FROM b`)}`;', 'SELECT 2 FROM b'],
  ])('is noticed outside of the tag: %s', (text, found) => {
    expect(sqlIn('src/planted.ts', text).untagged).toEqual([`src/planted.ts: ${found}`]);
  });
});
