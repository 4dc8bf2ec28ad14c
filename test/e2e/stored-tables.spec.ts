import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestApp, type TestApp } from '../support/app.js';
import { PROJECT } from '../support/server-process.js';

let app: TestApp;
beforeAll(async () => (app = await createTestApp()));
afterAll(() => app.close());

it('docs/reference/tables-and-jobs.md says of each table how long its rows are kept', async () => {
  const text = readFileSync(join(PROJECT, 'docs/reference/tables-and-jobs.md'), 'utf8');
  const section = text.split(/^#+ /m).find((part) => part.startsWith('What is stored, and how long')) ?? '';
  const rows = [...section.matchAll(/^\| (`.*`) \| (.+) \| (.{10,}) \|$/gm)];
  const documented = rows.flatMap(([, names = '']) => names.split(', ').map((name) => name.slice(1, -1)));
  const { rows: real } = await app.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  );
  expect(documented.sort()).toEqual(real.map(({ name }) => name).sort());
});
