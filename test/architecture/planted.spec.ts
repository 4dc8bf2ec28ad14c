import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './files.js';

function script(...args: readonly string[]): string {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/planted.js'), ...args], { encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

describe('test/planted.md', () => {
  let folder: string;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const list = (): string => readFileSync(join(folder, 'test/planted.md'), 'utf8');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'planted-'));
    mkdirSync(join(folder, 'src'));
    write('test/cases.ts', "export const CASES = ['one', 'two'];");
    write('test/a.spec.ts', "import { CASES } from './cases.js';\ndescribe('a', () => it.each(CASES)('plants %s', () => {}));");
    write('test/b.spec.ts', "it('A-01: an attack', () => {}); it('a test', () => {});");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('lists the tests as they are, with a sentence for each that has gone', () => {
    expect(script('--check')).toBe('');
  });

  it('is refused when a planted test has gone, until a sentence says why', () => {
    expect(script('--check', folder)).toMatch('differs from the tests');
    expect(script(folder)).toBe('');
    expect(list()).toMatch('- a › plants %s (2)\n\n## test/b.spec.ts\n\n- A-01: an attack\n');
    expect(list()).not.toMatch('a test');

    write('test/cases.ts', "export const CASES = ['one', 'two', 'three'];");
    expect(script(folder)).toBe('');
    expect(list()).not.toMatch('(2):');
    write('test/cases.ts', "export const CASES = ['one'];");
    write('test/moved.spec.ts', "it('A-01: an attack', () => {});");
    write('test/b.spec.ts', '');
    expect(script(folder)).toBe('');
    expect(script('--check', folder)).toBe('test/planted.md: no sentence says why this test went: a › plants %s (3)\n');

    write('test/planted.md', list().replace('(3):', '(3): Three were one.'));
    expect(script('--check', folder)).toBe('');
  });
});
