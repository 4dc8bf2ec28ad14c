import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../support/server-process.js';

const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

describe('docs/architecture.md', () => {
  const text = read('docs/architecture.md');

  it('lists all folders of src in the order of the dependency law', () => {
    const rows = [...text.matchAll(/^\| (`[a-z`\- ]+`) \|/gm)].map(([, cell = '']) => cell);
    const listed = rows.flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name));
    const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect([...listed].sort()).toEqual(folders.map(({ name }) => name).sort());
    const [, order = ''] = /^const ORDER = \[([^\]]*)\]/m.exec(read('.dependency-order.cjs')) ?? [];
    expect(listed).toEqual([...order.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name));
  });

  it('names existing functions and files', () => {
    const sql = readdirSync(join(PROJECT, 'migrations/functions'))
      .map((name) => read(`migrations/functions/${name}`))
      .join('\n');
    for (const name of ['payment_begin', 'payment_finish', 'ledger_apply']) {
      expect(text).toContain(name);
      expect(sql).toContain(`FUNCTION ${name}(`);
    }
    const files = [...text.matchAll(/\b(payment\.(?:resolver|service|reconciler))\b/g)].map(([, name]) => `src/payment/${name}.ts`);
    expect(files.length).toBeGreaterThan(2);
    expect([...files, 'src/auth/request-hook.ts', 'src/database/batcher.ts'].filter((path) => !existsSync(join(PROJECT, path)))).toEqual(
      [],
    );
  });
});
