import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../support/server-process.js';

const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

describe('docs/architecture.md', () => {
  const text = read('docs/architecture.md');

  it('answers where something is decided by files and functions that exist', () => {
    const [, table = ''] = /## Where it is decided\n([^]*?)\n## /.exec(text) ?? [];
    const quoted = [...table.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const pathOf = (name: string): string => (/^\w+\.sql$/.test(name) ? `migrations/functions/${name}` : name);
    const files = quoted.filter((name) => /\.(ts|sql|md)$/.test(name) && !name.includes('*')).map(pathOf);
    expect(files.length).toBeGreaterThan(15);
    expect(files.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
    const sql = files
      .filter((path) => path.endsWith('.sql'))
      .map(read)
      .join('\n');
    const functions = quoted.filter((name) => /^[a-z]+(_[a-z0-9]+)+$/.test(name));
    expect(functions.length).toBeGreaterThan(3);
    expect(functions.filter((name) => !sql.includes(`FUNCTION ${name}(`))).toEqual([]);
  });

  it('names existing functions and files', () => {
    const sql = readdirSync(join(PROJECT, 'migrations/functions'))
      .map((name) => read(`migrations/functions/${name}`))
      .join('\n');
    for (const name of ['payment_begin_v2', 'payment_finish', 'ledger_apply']) {
      expect(text).toContain(name);
      expect(sql).toContain(`FUNCTION ${name}(`);
    }
    const folders = { resolver: '', service: 'begin/', reconciler: 'end/' };
    const files = [...text.matchAll(/\bpayment\.(resolver|service|reconciler)\b/g)].map(
      ([, role]) => `src/money/payment/${folders[role as keyof typeof folders]}payment.${role}.ts`,
    );
    expect(files.length).toBeGreaterThan(2);
    expect(
      [...files, 'src/edge/auth/request-hook.ts', 'src/platform/database/batcher.ts'].filter((path) => !existsSync(join(PROJECT, path))),
    ).toEqual([]);
  });
});
