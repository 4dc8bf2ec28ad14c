import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './files.js';

let root: string;

/** A copy of the migrations, with their script. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-checksums-'));
  for (const path of ['migrations', 'scripts', 'package.json']) cpSync(join(ROOT, path), join(root, path), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = (folder: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [join(folder, 'scripts/migration.js'), ...args], { encoding: 'utf8' });
const change = (path: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(join(root, path), 'utf8');
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(join(root, path), changed);
};

it('the migrations and functions are those that were released', () => {
  expect(run(ROOT, 'check')).toMatchObject({ status: 0, stderr: '' });
});

describe('what was released', () => {
  beforeEach(() => expect(run(root, 'freeze').status).toBe(0));

  it('is recorded under its version, every migration and every function', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const recorded = JSON.parse(readFileSync(join(root, 'migrations/checksums.json'), 'utf8')) as Record<
      string,
      { migrations: Record<string, string>; functions: string[] }
    >;
    expect(Object.keys(recorded[version]?.migrations ?? {})).toContain('1764000002000-ledger.sql');
    expect(recorded[version]?.functions).toContain('ledger_open(p_currency smallint) RETURNS bigint');
    expect(recorded[version]?.functions.length).toBeGreaterThan(40);
  });

  it('has no function that is kept for the release before: the next one may remove it', () => {
    const opened = 'CREATE OR REPLACE FUNCTION ledger_open(';
    change('migrations/functions/ledger_account.sql', opened, `-- Of 0.1.0.\n${opened}`);
    run(root, 'freeze');
    const [last] = Object.values(JSON.parse(readFileSync(join(root, 'migrations/checksums.json'), 'utf8')) as object).slice(-1) as [
      { functions: string[] },
    ];
    expect(last.functions.join()).not.toContain('ledger_open(');
  });

  it('may get another body of a function, and another migration', () => {
    change('migrations/functions/ledger_account.sql', 'INSERT INTO ledger_account', 'INSERT  INTO ledger_account');
    const { status, stdout } = run(root, 'new', 'add-budget');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^migrations\/\d{13}-add-budget\.ts\n$/)]);
    const index = readFileSync(join(root, 'migrations/index.ts'), 'utf8');
    expect(index).toMatch(/^import \{ (AddBudget\d{13}) \} from '\.\/\d{13}-add-budget\.js';$[^]*^ {2}\1,\n\];/m);
    expect(run(root, 'check')).toMatchObject({ status: 0, stderr: '' });
  });

  it.each<[what: string, path: string, from: string | RegExp, to: string, fault: RegExp]>([
    [
      'a table',
      'migrations/1764000001000-event.ts',
      'topics',
      'topic',
      /^migrations\/1764000001000-event\.ts was released with \S+: restore it/,
    ],
    [
      'a type',
      'migrations/1764000002000-ledger.sql',
      'refusal text',
      'code text',
      /^migrations\/1764000002000-ledger\.sql was released with/,
    ],
    [
      'the arguments of a function',
      'migrations/functions/ledger_account.sql',
      'p_currency smallint',
      'p_currency text',
      /^ledger_open\(p_currency smallint\) RETURNS bigint was published by \S+: keep it for one release, and put a _v2 beside it/,
    ],
    [
      'what a function returns',
      'migrations/functions/event.sql',
      'p_payload jsonb[]) RETURNS void',
      'p_payload jsonb[]) RETURNS bigint',
      /^event_add\(/,
    ],
    [
      'a function’s name',
      'migrations/functions/invoice_settle.sql',
      'FUNCTION settlement_restart',
      'FUNCTION settlement_reset',
      /^settlement_restart\(/,
    ],
  ])('may not get another form of %s', (_what, path, from, to, fault) => {
    change(path, from, to);
    const { status, stderr } = run(root, 'check');
    expect([status, stderr]).toEqual([1, expect.stringMatching(fault)]);
  });
});
