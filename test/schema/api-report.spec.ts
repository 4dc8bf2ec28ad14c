import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Workshop } from './workshop.js';

const ROOT = join(__dirname, '../..');
const REPORT = 'docs/api-report/sluice.md';
const INDEX = 'src/index.ts';
const TIP = 'src/tip.ts';
const CHANGES = 'CHANGELOG.md';

const SOURCE = `
import type { OnModuleInit } from '@nestjs/common';
export interface Tip {
  readonly sats: number;
  readonly by?: 'card' | 'phone';
}
export class Jar implements OnModuleInit {
  constructor(private readonly tips: Tip[]) {}
  onModuleInit(): void {}
  /** Wires the jar. @internal */
  wire(): void {}
  put(tip: Tip, note: string | null): number {
    return this.tips.push({ ...tip, ...(note && {}) });
  }
}
export const give = (tip: Tip): number => tip.sats;
`;

describe('npm run api:check', () => {
  const workshop = new Workshop(['scripts', 'tsconfig.json', 'tsconfig.pack.json']);
  const run = (...options: string[]) => workshop.run('scripts/api-report.js', ...options);

  beforeAll(() => {
    workshop.write(TIP, SOURCE);
    workshop.write(INDEX, "export { give, Jar, type Tip } from './tip.js';\n");
    workshop.write(CHANGES, '## [Unreleased]\n\n## [0.2.0]\n\n## [0.1.0]\n');
    workshop.write('src/testing/index.ts', 'export const eventually = true;\n');
    workshop.write('src/client/index.ts', 'export const client = true;\n');
    expect(run()).toMatchObject({ status: 0 });
  });
  afterAll(() => workshop.close());

  it('leaves out constructors, lifecycle hooks and what is internal', () => {
    const report = workshop.read(REPORT);
    expect(report).toContain('put(tip: Tip, note: string | null): number;');
    expect(report).not.toMatch(/constructor|OnModuleInit|onModuleInit|wire/);
  });

  it('passes while the public modules and their reports agree, whatever their code does, and the changelog names what has gone', () => {
    expect(workshop.read(REPORT)).toContain('export const give: (tip: Tip) => number;');
    workshop.plant(TIP, '=> tip.sats;', '=> Math.round(tip.sats);');
    // As if the release had exported one more.
    workshop.plant('test/schema/api-0.2.0/sluice.md', 'export const give:', 'export const lend: number;\n\nexport const give:');
    workshop.write(CHANGES, '## [Unreleased]\n\n- `lend` is gone.\n\n## [0.2.0]\n');
    const { status, output } = run('--check');
    expect([status, output]).toEqual([0, expect.stringContaining('agree with the code')]);
    expect(output).toContain('breaking: lend was removed\n');
  });

  it('fails for an export that is gone and another type of a property, and writes nothing', () => {
    const report = workshop.read(REPORT);
    workshop.plant(INDEX, 'give, Jar', 'Jar');
    workshop.plant(TIP, 'sats: number', 'sats: bigint | number');
    workshop.plant(TIP, '=> Math.round(tip.sats);', '=> Number(tip.sats);');
    const { status, output } = run('--check');
    expect(output).toContain(`${REPORT} differs from line `);
    expect(output).toContain('run `npm run api` and commit the result');
    expect([status, workshop.read(REPORT)]).toEqual([1, report]);
    // What has gone since the release fails after `npm run api` too.
    expect(output).toContain('breaking: give was removed; CHANGELOG.md does not name `give`');
  });

  it('compares with the release that the changelog names last, whose reports `npm run api` keeps', () => {
    workshop.write(CHANGES, '## [0.3.0]\n\n- `give` is gone: use `Jar`.\n\n## [0.2.0]\n');
    workshop.write('test/schema/api-report.spec.ts', 'kept');
    expect(run('--check')).toEqual({ status: 1, output: expect.stringContaining('test/schema/api-0.3.0 is missing') });
    expect(run().status).toBe(0);
    expect([workshop.has('test/schema/api-0.2.0'), workshop.has('test/schema/api-report.spec.ts')]).toEqual([false, true]);
    expect(workshop.read('test/schema/api-0.3.0/sluice.md')).toBe(workshop.read(REPORT));
  });
});

describe('what counts as removed or narrowed', () => {
  const BEFORE = `
export class Jar {
  constructor(store: Store);
  put(tip: Tip, note: string | null): number;
  readonly state: { readonly total: number };
}
export abstract class Purse {
  abstract take(): void;
}
export interface Tip {
  readonly sats: number;
  readonly by?: 'card' | 'phone';
}
export const give: (tip: Tip, how?: { readonly fast?: boolean }) => number;
export type Outcome = 'given' | 'kept';
export type Result = { readonly status: 'sent'; readonly at?: Date } | { readonly status: 'lost' };
export function count(tips: readonly Tip[]): number;
`;
  const CASES: readonly (readonly [from: string, to: string, found: string])[] = [
    ['  put(tip', '  add(tip', 'Jar.put was removed'],
    ['export function count', 'function count', 'count was removed'],
    ['{ readonly total: number }', '{ readonly sum: number }', 'Jar.state.total was removed'],
    ['note: string | null)', 'note: string | null, at: Date)', 'Jar.put has another type'],
    ['note: string | null)', 'note: string)', 'Jar.put has another type'],
    ['null): number', 'null): number | null', 'Jar.put has another type'],
    ['readonly sats: number', 'readonly sats?: number', 'Tip.sats has another type'],
    ['readonly sats: number', 'readonly sats: bigint', 'Tip.sats has another type'],
    ["'card' | 'phone'", "'card'", 'Tip.by has another type'],
    ["'given' | 'kept'", "'given'", 'Outcome has another type'],
    ['fast?: boolean }) => number', 'fast?: boolean }) => void', 'give has another type'],
    ['readonly fast?: boolean', 'readonly fast?: boolean; readonly loud?: boolean', ''],
    ['readonly fast?: boolean', 'readonly slow?: boolean', 'give has another type'],
    ['abstract take(): void;', 'abstract take(): void;\n  abstract close(): void;', 'Purse.close has to be written by those who extend it'],
    ['export interface Tip {', 'interface Tip_2 {', 'Tip was removed'],
    ['constructor(store: Store);', 'constructor(store: Store, clock: Clock);', ''],
    ['  readonly sats: number;', '  readonly sats: number;\n  readonly note: string;', ''],
    ['note: string | null)', 'note: string | number | null, twice?: boolean)', ''],
    ["'card' | 'phone'", "'card' | 'phone' | 'cash'", ''],
    ["'given' | 'kept'", "'given' | 'kept' | 'lost'", 'Outcome has more alternatives'],
    ["status: 'lost' }", "status: 'lost' } | { readonly status: 'late' }", 'Result has more alternatives'],
    ["status: 'lost' }", "status: 'lost'; readonly isKnown?: true }", ''],
    ["status: 'lost' }", "status: 'lost'; readonly isKnown: boolean }", 'Result has another type'],
    ['readonly at?: Date }', '}', 'Result has another type'],
    ['export interface Tip {', 'interface Tip_2 {\n}\nexport { Tip_2 as Tip }\nexport interface Other {', 'Tip.sats was removed'],
  ];

  it.each(CASES.map(([from, to, found], index) => [found || 'nothing', from, to, index] as const))(
    '%s: %s becomes %s',
    (_found, from, to, index) => {
      expect(BEFORE).toContain(from);
      expect(found()[index]).toEqual(CASES[index]?.[2] === '' ? [] : expect.arrayContaining([CASES[index]?.[2]]));
      expect(to).not.toBe(from);
    },
  );

  /** One process for all: the script is ESM. */
  let all: string[][] | undefined;
  const found = (): string[][] => {
    const report = (text: string): string => `\`\`\`ts\n${text}\`\`\`\n`;
    const pairs = CASES.map(([from, to]) => [report(BEFORE), report(BEFORE.replace(from, to))]);
    const ask = `import(process.argv[1]).then(({ breachesOf }) => console.log(JSON.stringify(JSON.parse(process.argv[2]).map(
      ([before, after]) => breachesOf(before, after, { constructors: true }).map(({ name, what }) => name + ' ' + what)))))`;
    return (all ??= JSON.parse(
      execFileSync(process.execPath, ['-e', ask, join(ROOT, 'scripts/api-changes.js'), JSON.stringify(pairs)], { encoding: 'utf8' }),
    ) as string[][]);
  };
});
