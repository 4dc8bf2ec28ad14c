import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Workshop } from '../schema/workshop.js';

/** A line that breaks a rule, and the file that it is written to. */
type Breach = readonly [rule: string, at: string, code: string];

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `export const n${index} = ${index};`).join('\n');
const CLASS_OF_SIX =
  'export class C { constructor(readonly a: 1, readonly b: 2, readonly c: 3, readonly d: 4, readonly e: 5, readonly f: 6) {} }';

const BREACHES: readonly Breach[] = [
  ['@typescript-eslint/no-explicit-any', 'src/any.ts', 'export const x: any = 1;'],
  ['@typescript-eslint/no-explicit-any', 'test/any.spec.ts', 'export const x: any = 1;'],
  ['@typescript-eslint/no-unsafe-return', 'src/leak.ts', 'export const x = (text: string): string => JSON.parse(text);'],
  ['@typescript-eslint/no-non-null-assertion', 'src/bang.ts', 'export const x = (list: number[]): number => list[0]!;'],
  ['@typescript-eslint/no-non-null-assertion', 'test/bang.spec.ts', 'export const x = (list: number[]): number => list[0]!;'],
  ['no-restricted-properties', 'src/env.ts', "export const x = process.env['PORT'];"],
  ['no-restricted-imports', 'src/env-import.ts', "import { env } from 'node:process';\nexport const x = env;"],
  ['no-restricted-imports', 'src/forward.ts', "import { forwardRef } from '@nestjs/common';\nexport const x = forwardRef;"],
  ['no-restricted-imports', 'src/platform/config/forward.ts', "import { forwardRef } from '@nestjs/common';\nexport const x = forwardRef;"],
  ['no-restricted-properties', 'src/either.ts', 'export const x = AbortSignal.any([]);'],
  ['no-restricted-properties', 'migrations/env.ts', "export const x = process.env['PORT'];"],
  ['@typescript-eslint/no-floating-promises', 'src/floating.ts', 'export function x(work: Promise<void>): void { work; }'],
  ['@typescript-eslint/no-floating-promises', 'test/floating.spec.ts', 'export function x(work: Promise<void>): void { work; }'],
  [
    '@typescript-eslint/no-misused-promises',
    'src/misused.ts',
    'export const x = (work: () => Promise<boolean>): number => (work() ? 1 : 2);',
  ],
  [
    '@typescript-eslint/switch-exhaustiveness-check',
    'src/switch.ts',
    "export function x(kind: 'a' | 'b'): number { switch (kind) { case 'a': return 1; } return 2; }",
  ],
  [
    '@typescript-eslint/return-await',
    'src/return.ts',
    'export async function x(w: Promise<1>): Promise<1 | 2> { try { return w; } catch { return 2; } }',
  ],
  ['@typescript-eslint/no-unused-vars', 'src/unused.ts', 'const x = 1;\nexport {};'],
  ['@typescript-eslint/consistent-type-imports', 'src/value.ts', "import { Writable } from 'node:stream';\nexport type X = Writable;"],
  ['no-console', 'src/console.ts', 'export const x = (): void => console.log(1);'],
  ['no-console', 'test/console.spec.ts', 'export const x = (): void => console.log(1);'],
  ['max-lines', 'src/long.ts', lines(251)],
  ['max-lines', 'scripts/long.js', lines(251)],
  ['max-lines', 'test/long.spec.ts', lines(601)],
  ['max-lines-per-function', 'src/function.ts', `export function x(): void {\n${'void 0;\n'.repeat(50)}}`],
  ['max-params', 'src/parameters.ts', CLASS_OF_SIX],
  ['max-params', 'test/parameters.spec.ts', CLASS_OF_SIX],
  [
    'max-depth',
    'src/depth.ts',
    'export function x(a: number): void { if (a > 1) { if (a > 2) { if (a > 3) { if (a > 4) a.toFixed(); } } } }',
  ],
  [
    'max-nested-callbacks',
    'src/nested.ts',
    'export const x = (f: (g: () => void) => void): void => f(() => f(() => f(() => f(() => undefined))));',
  ],
  ['eqeqeq', 'src/equal.ts', 'export const x = (a: unknown): boolean => a == 1;'],
  ['no-param-reassign', 'src/reassign.ts', 'export function x(a: number): number { a = 2; return a; }'],
  ['no-undef', 'scripts/undefined.js', 'export const x = nothing;'],
  ['no-unused-vars', 'scripts/unused.js', 'const x = 1;'],
];

/** Code that resembles a breach and is permitted. */
const PERMITTED: readonly (readonly [at: string, code: string])[] = [
  ['src/platform/config/env.ts', "export const x = process.env['PORT'];"],
  ['src/main.ts', "export const x = process.env['PORT'];"],
  ['src/env.spec.ts', "export const x = process.env['PORT'];"],
  ['scripts/fine.js', 'console.log(process.env.PORT);'],
  ['src/nullish.ts', 'export const x = (a: unknown): boolean => a == null;'],
  ['src/full.ts', lines(250)],
  ['test/describe.spec.ts', `export function x(): void {\n${'void 0;\n'.repeat(99)}}`],
];

interface Linted {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string }[];
}

describe('npm run lint', () => {
  const workshop = new Workshop(['eslint.config.js', 'eslint.schema.js', 'tsconfig.json']);
  const found = new Map<string, string[]>();

  beforeAll(() => {
    for (const [, at, code] of BREACHES) workshop.write(at, `${code}\n`);
    for (const [at, code] of PERMITTED) workshop.write(at, `${code}\n`);
    workshop.write('src/idle.ts', '// eslint-disable-next-line no-console -- nothing is here\nexport const x = 1;\n');
    const eslint = join(workshop.folder, 'node_modules/eslint/bin/eslint.js');
    const { stdout, stderr } = spawnSync(process.execPath, [eslint, '.', '--format', 'json'], { cwd: workshop.folder, encoding: 'utf8' });
    if (stdout === '') throw new Error(stderr);
    for (const { filePath, messages } of JSON.parse(stdout) as Linted[]) {
      const path = filePath.slice(filePath.indexOf(workshop.folder) + workshop.folder.length + 1);
      found.set(
        path,
        messages.map(({ ruleId, message }) => ruleId ?? message),
      );
    }
  });
  afterAll(() => workshop.close());

  it.each(BREACHES)('reports %s in %s', (rule, at) => {
    expect(found.get(at)).toContain(rule);
  });

  it('reports a disable comment without effect', () => {
    expect(found.get('src/idle.ts')).toEqual([expect.stringContaining('Unused eslint-disable')]);
  });

  it.each(PERMITTED)('accepts %s', (at) => {
    expect(found.get(at)).toEqual([]);
  });
});
