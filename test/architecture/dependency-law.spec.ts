import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PLANTS, SUBFOLDERS, SOUND, type Plant } from './plants.js';
import { Workshop } from '../schema/workshop.js';

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
  readonly to: string;
}

const ROOT = join(__dirname, '../..');
const CONFIG = '.dependency-cruiser.cjs';
const CRUISE = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const { forbidden } = createRequire(__filename)(join(ROOT, CONFIG)) as { forbidden: readonly { readonly name: string }[] };

function violationsIn(folder: string, ...more: string[]): Violation[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CRUISE, '--config', CONFIG, '--output-type', 'json', 'src', 'migrations', ...more],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

const sentence = ({ rule, from, to }: Violation): string => `${rule.name}: ${from} -> ${to}`;

const inSrc = Object.keys(SOUND).flatMap((path) => /^src\/(.*)$/.exec(path)?.[1] ?? []);
const folders = [...new Set(inSrc.filter((path) => path.includes('/')).map((path) => path.replace(/\/.*/, '')))];
const roots = inSrc.filter((path) => !path.includes('/')).map((path) => path.replace('.ts', ''));

/** One plant for each import that points down the list, also among subfolders and root files. */
function stepsDown(): Plant[] {
  const between = folders.flatMap((from, index) =>
    folders.slice(index + 1).map((to) => ({
      rule: `${from}-imports-up-only`,
      at: `src/${from}/down-to-${to}.ts`,
      imports: [`type ../${to}/${to === 'generated' ? 'graphql' : 'index'}.js`],
    })),
  );
  const inside = Object.entries(SUBFOLDERS).flatMap(([folder, subfolders]) =>
    subfolders.flatMap((from, index) =>
      subfolders.slice(index + 1).map((to) => ({
        rule: `${folder}-${from}-imports-up-only`,
        at: `src/${folder}/${from}/down-to-${to}.ts`,
        imports: [`type ../${to}/${to}.js`],
      })),
    ),
  );
  const among = roots.flatMap((from, index) =>
    [...roots.slice(index + 1), ...(from === 'index' ? [] : ['cli/index']), 'testing/index'].map((to) => ({
      rule: `root-${from.replace('.', '-')}-imports-up-only`,
      at: `src/${from}.ts`,
      imports: [`type ./${to}.js`],
    })),
  );
  return [...between.filter(({ rule }) => !rule.startsWith('generated-')), ...inside, ...among];
}

/** `type x` stands for an import of types alone. */
const lineOf = (what: string): string => (what.startsWith('type ') ? `import type {} from '${what.slice(5)}';\n` : `import '${what}';\n`);

/** Writes files with the given imports; a file that several plants name gets all of their imports. */
function build(workshop: Workshop, files: readonly { readonly at: string; readonly imports: readonly string[] }[]): void {
  const all = new Map<string, string[]>();
  for (const { at, imports } of files) all.set(at, [...(all.get(at) ?? []), ...imports]);
  for (const [at, imports] of all) workshop.write(at, `${imports.map(lineOf).join('')}export {};\n`);
}

describe('the dependency law', () => {
  const plants = [...PLANTS, ...stepsDown()];
  const workshop = new Workshop([CONFIG, '.dependency-order.cjs', 'tsconfig.json']);
  let found: Violation[];

  const soundTree = Object.entries(SOUND).map(([at, imports]) => ({ at, imports }));
  afterAll(() => workshop.close());

  it('holds for the whole of Sluice', () => {
    expect(violationsIn(ROOT, 'test/extensions').map(sentence)).toEqual([]);
  });

  it('permits every allowed import, in a small planted tree', () => {
    build(workshop, soundTree);
    expect(violationsIn(workshop.folder, 'test/extensions').map(sentence)).toEqual([]);
  });

  describe('refuses a planted import', () => {
    beforeAll(() => {
      build(workshop, [...soundTree, ...plants]);
      found = violationsIn(workshop.folder, 'test/extensions');
    });

    it.each(PLANTS)('$rule: $at', ({ rule, at, imports }) => {
      const named = found.filter((violation) => violation.rule.name === rule && violation.from === at).map(({ to }) => to);
      for (const what of imports) expect(named.filter((to) => leadsTo(at, what, to))).not.toEqual([]);
      expect(named).not.toEqual([]);
    });

    it('for every step down the lists of folders, subfolders and root files', () => {
      const missed = stepsDown().filter(
        ({ rule, at, imports: [what = ''] }) =>
          !found.some((violation) => violation.rule.name === rule && violation.from === at && leadsTo(at, what, violation.to)),
      );
      expect(missed).toEqual([]);
    });
  });

  it('is described in docs/architecture.md as configured', () => {
    const rows = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').match(/^\| `.*$/gm) ?? [];
    expect(rows.flatMap((row) => row.split('|')[1]?.match(/[a-z-]+/g) ?? [])).toEqual(folders);
  });

  it('has a plant for each rule', () => {
    const planted = new Set(plants.map(({ rule }) => rule));
    expect(forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual([]);
  });
});

/** Whether the reported path `to` is the module that a file at `at` imports as `what`. */
function leadsTo(at: string, what: string, to: string): boolean {
  const name = what.replace(/^type /, '');
  if (!name.startsWith('.')) return to === name.replace('node:', '') || to.includes(`node_modules/${name}/`) || to === name;
  const path = join(dirname(at), name);
  return to === path.replace(/\.js$/, '.ts') || to === name;
}
