import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { filesBelow, ROOT } from './files.js';

const FOLDERS = ['src', 'test', 'migrations', 'scripts', 'bench', 'docs'];

/** Names that say nothing about what is inside. */
const EMPTY_WORDS = /^(utils?|helpers?|common|shared|base|misc|lib|stuff)$/;
/** `<noun>.<role>.<extension>`, in small letters and dashes; files of SQL functions are named for their noun, as functions are. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const SQL_NAME = /^[a-z0-9]+(_[a-z0-9]+)*\.sql$/;
const MIGRATION_NAME = /^((index|functions)\.ts|\d{13}-[a-z0-9-]+\.(ts|sql))$/;
/** The roles that a file name may have. */
const ROLES = [
  'beginner',
  'check',
  'command',
  'controller',
  'dispatcher',
  'entity',
  'error',
  'filter',
  'finisher',
  'guard',
  'handler',
  'input',
  'job',
  'module',
  'outcome',
  'refusals',
].concat([
  'payload',
  'pipe',
  'plugin',
  'reconciler',
  'resolver',
  'row',
  'service',
  'settings',
  'spec',
  'store',
  'strategy',
  'view',
  'waiter',
  'watch',
]);
const MAX_LINES = 250;

function faultsOfName(path: string): string[] {
  const folders = path.split('/').slice(0, -1);
  const name = basename(path);
  const words = [...folders, ...name.split('.')];
  const faults = words.filter((word) => EMPTY_WORDS.test(word)).map((word) => `${path}: "${word}" says nothing`);
  const pattern = path.startsWith('migrations/functions/') ? SQL_NAME : NAME;
  if (!folders.includes('docs') && !pattern.test(name.replace(/^\./, '')) && name !== 'README.md')
    faults.push(`${path}: is not written as names are`);
  if (/^migrations\/[^/]+\.(ts|sql)$/.test(path) && !MIGRATION_NAME.test(name)) faults.push(`${path}: is no name of a migration`);
  const role = /^src\/.*\.([a-z-]+)\.ts$/.exec(path)?.[1];
  if (role !== undefined && !ROLES.includes(role)) faults.push(`${path}: "${role}" is no role that a file can have`);
  return faults;
}

/** Comments may cite an ADR by its number alone. */
const isDocument = (mentioned: string): boolean =>
  existsSync(join(ROOT, mentioned)) ||
  (/^docs\/adr\/\d{4}$/.test(mentioned) && readdirSync(join(ROOT, 'docs/adr')).some((name) => name.startsWith(basename(mentioned))));

function faultsOfText(path: string, text: string): string[] {
  const faults: string[] = [];
  // Bytes of a picture may look like any word.
  if (/\.(png|ico)$/.test(path)) return faults;
  const lines = text.split('\n').length - 1;
  // ESLint counts the lines of the files that it lints; this counts those of SQL.
  if (path.endsWith('.sql') && lines > MAX_LINES) faults.push(`${path}: ${lines} lines are more than ${MAX_LINES}`);
  for (const [mentioned] of text.matchAll(/(?<![\w./])docs\/[\w/-]+(\.md)?/g))
    if (!isDocument(mentioned)) faults.push(`${path}: there is no ${mentioned}`);
  if (/\b(TODO|FIXME|XXX|HACK)\b/.test(text)) faults.push(`${path}: leaves something for later`);
  if (/^\s*(it|test|describe)(\.each)?\.(only|skip|todo)\b|^\s*[xf](it|describe)\(/m.test(text)) faults.push(`${path}: leaves tests out`);
  if (/^src\/generated\//.test(path) && /^(import|export) (?!type )[^;]* from /m.test(text))
    faults.push(`${path}: imports more than types`);
  return faults;
}

/** What git writes around the sides of a merge that it leaves to a person. */
const hasConflict = (text: string): boolean => /^(<{7}|\|{7}|={7}|>{7})( |$)/m.test(text);

const faultsOf = (path: string, text: string): string[] => [...faultsOfName(path), ...faultsOfText(path, text)];

describe('every file that git tracks', () => {
  it('has no conflict markers', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
    expect(files.length).toBeGreaterThan(1_000);
    const texts = files.filter((path) => existsSync(join(ROOT, path)) && !/\.(png|ico)$/.test(path));
    expect(texts.filter((path) => hasConflict(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });

  it.each(['<<<<<<< HEAD', '||||||| 7e8d36b8', '=======', '>>>>>>> main'])('is refused with a planted %s', (marker) => {
    expect(hasConflict(`one\n${marker}\ntwo\n`)).toBe(true);
    expect(hasConflict(`one\n  ${marker}\n=======================\n`)).toBe(false);
  });
});

describe('every file of the project', () => {
  it('has a descriptive name, at most the permitted size, and no TODO', () => {
    const files = FOLDERS.flatMap(filesBelow).filter((path) => path !== 'test/architecture/source-files.spec.ts');
    expect(files.length).toBeGreaterThan(300);
    const faults = files.map((path) => faultsOf(path, readFileSync(join(ROOT, path), 'utf8')));
    expect(faults.flat()).toEqual([]);
  });

  it.each([
    ['src/utils/text.ts', '', '"utils" says nothing'],
    ['src/money/wallet/helpers.ts', '', '"helpers" says nothing'],
    ['src/money/wallet/wallet.util.ts', '', '"util" says nothing'],
    ['src/shared/index.ts', '', '"shared" says nothing'],
    ['src/common/index.ts', '', '"common" says nothing'],
    ['src/money/wallet/base.service.ts', '', '"base" says nothing'],
    ['test/support/helper.ts', '', '"helper" says nothing'],
    ['src/money/wallet/WalletService.ts', '', 'is not written as names are'],
    ['src/money/wallet/wallet_service.ts', '', 'is not written as names are'],
    ['src/money/wallet/wallet.manager.ts', '', '"manager" is no role'],
    ['migrations/add-column.ts', '', 'is no name of a migration'],
    ['migrations/functions/payment.v1.sql', '', 'is not written as names are'],
    ['migrations/payment.sql', '', 'is no name of a migration'],
    ['migrations/functions/long.sql', 'SELECT 1;\n'.repeat(251), '251 lines are more than 250'],
    ['src/money/wallet/read.ts', '/** docs/nowhere.md says why. */', 'there is no docs/nowhere.md'],
    ['src/money/wallet/read.ts', '/** docs/adr/9999 says why. */', 'there is no docs/adr/9999'],
    ['src/money/wallet/later.ts', '// TODO: later', 'leaves something for later'],
    ['test/e2e/a.spec.ts', "  it.only('a', () => undefined);", 'leaves tests out'],
    ['test/e2e/a.spec.ts', "  describe.skip('a', () => undefined);", 'leaves tests out'],
    ['test/e2e/a.spec.ts', "  it.each([]).skip('a');\n  xit('b', () => undefined);", 'leaves tests out'],
    ['src/generated/graphql.ts', "import { WalletRow } from '../wallet/index.js';\n", 'imports more than types'],
    ['src/generated/graphql.ts', "export { WalletRow } from '../wallet/index.js';\n", 'imports more than types'],
  ])('is refused otherwise: %s', (path, text, fault) => {
    expect(faultsOf(path, text)).toContainEqual(expect.stringContaining(fault));
  });

  it.each([
    ['src/money/wallet/wallet.service.ts', 'one line\n'],
    ['src/edge/graphql/codegen-base.ts', '// docs/adr/0002 says why'],
    ['src/edge/socket/shared-feeds.ts', ''],
    ['src/generated/graphql.ts', "import type { WalletRow } from '../wallet/index.js';\nexport type A = 1;\n"],
    ['migrations/functions/payment_begin.sql', 'SELECT 1;\n'.repeat(250)],
    ['migrations/1764000001000-event.ts', ''],
  ])('is accepted without a fault: %s', (path, text) => {
    expect(faultsOf(path, text)).toEqual([]);
  });
});
