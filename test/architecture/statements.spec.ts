import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import ts from 'typescript';
import type { Statement } from '../../src/database/index.js';
import type * as Tag from '../../src/database/sql.js';
import { createTestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { filesBelow, ROOT } from './files.js';

/** The real tag, which also keeps what it has made. */
jest.mock('../../src/database/sql.js', () => {
  const real = jest.requireActual<typeof Tag>('../../src/database/sql.js');
  const made: { source: string; statement: Statement }[] = [];
  const recording: typeof Tag.sql = (strings, ...parts) => {
    const statement = real.sql(strings, ...parts);
    made.push({ source: strings.join('…'), statement });
    return statement;
  };
  return { ...real, sql: recording, made };
});
const { made } = jest.requireMock<{ made: { source: string; statement: Statement }[] }>('../../src/database/sql.js');

const SOURCES = filesBelow('src').filter((path) => /\.ts$/.test(path) && !/\.spec\.ts$|^src\/(generated|testing)\//.test(path));
/** They run a program when they are loaded. */
const PROGRAMS = ['src/main.ts', 'src/cli/main.ts'];
/** They speak to the server before there is a pool, or about the server itself. */
const RAW =
  /^src\/(database\/(connection|database|(extension|function)-migrations|migrator|server-check|session-limits)|embedded-postgres\/)/;
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

  it.each([
    ["const A = 'SELECT 1 FROM app_user';", 'SELECT 1 FROM app_user'],
    ['const A = `UPDATE app_user SET id = ${id}`;', 'UPDATE app_user SET id = …'],
    ["query({ name: 'a', text: 'DELETE FROM session' });", 'DELETE FROM session'],
    ['const A = sql`SELECT ${f(`SELECT 2 FROM b`)}`;', 'SELECT 2 FROM b'],
  ])('is noticed outside of the tag: %s', (text, found) => {
    expect(sqlIn('src/planted.ts', text).untagged).toEqual([`src/planted.ts: ${found}`]);
  });
});
