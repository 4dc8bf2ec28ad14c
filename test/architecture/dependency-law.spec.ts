import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { APP_ORDER, FOLDERS, PLANTS, SOUND, SUBFOLDERS, type Plant } from './plants.js';
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

function violationsIn(folder: string): Violation[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [CRUISE, '--config', CONFIG, '--output-type', 'json', 'src', 'migrations', 'test/extensions'],
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

const nameOf = (path: string): string => path.replaceAll(/[/.]/g, '-');

/** A plant in the folder `from` that imports a file of the folder `to`; both are paths below src. */
const upward = (rule: string, from: string, to: string): Plant => ({
  rule: `${nameOf(rule)}-imports-down-only`,
  at: `src/${from}/up-to-${nameOf(to)}.ts`,
  imports: [`type ${relative(from, to)}.js`],
});

/** One plant for each import that points up a list: of rooms and folders, of subfolders, and of the files of app. */
function stepsUp(): Plant[] {
  const between = FOLDERS.flatMap((to, index) => FOLDERS.slice(index + 1).map((from) => upward(from, from, `${to}/index`)));
  const inside = Object.entries(SUBFOLDERS).flatMap(([folder, names]) =>
    names.flatMap((to, index) =>
      names.slice(index + 1).map((from) => upward(`${folder}/${from}`, `${folder}/${from}`, `${folder}/${to}/${to}`)),
    ),
  );
  const among = APP_ORDER.flatMap((from, index) =>
    [...APP_ORDER.slice(0, index).map((file) => `./${file}`), '../main', '../cli/index', '../testing/index'].map((to) => ({
      rule: `app-${nameOf(from)}-imports-down-only`,
      at: `src/app/${from}.ts`,
      imports: [`type ${to}.js`],
    })),
  );
  return [...between, ...inside, ...among];
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
  const plants = [...PLANTS, ...stepsUp()];
  const workshop = new Workshop([CONFIG, '.dependency-order.cjs', 'tsconfig.json']);
  let found: Violation[];

  const soundTree = Object.entries(SOUND).map(([at, imports]) => ({ at, imports }));
  afterAll(() => workshop.close());

  it('permits every allowed import, in a small planted tree', () => {
    build(workshop, soundTree);
    expect(violationsIn(workshop.folder).map(sentence)).toEqual([]);
  });

  describe('refuses a planted import', () => {
    beforeAll(() => {
      build(workshop, [...soundTree, ...plants]);
      found = violationsIn(workshop.folder);
    });

    it.each(PLANTS)('$rule: $at', ({ rule, at, imports }) => {
      const named = found.filter((violation) => violation.rule.name === rule && violation.from === at).map(({ to }) => to);
      for (const what of imports) expect(named.filter((to) => leadsTo(at, what, to))).not.toEqual([]);
      expect(named).not.toEqual([]);
    });

    it('for every step up the lists of folders, subfolders and files of app', () => {
      const missed = stepsUp().filter(
        ({ rule, at, imports: [what = ''] }) =>
          !found.some((violation) => violation.rule.name === rule && violation.from === at && leadsTo(at, what, violation.to)),
      );
      expect(missed).toEqual([]);
    });
  });

  it('is described in docs/architecture.md as configured', () => {
    const rows = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').match(/^\| `.*$/gm) ?? [];
    const described = rows.flatMap((row) => {
      const [room, ...folders] =
        row
          .split('|')
          .slice(1, 3)
          .join(' ')
          .match(/(?<=`)[a-z-]+(?=`)/g) ?? [];
      return folders.length === 0 ? [room] : folders.map((folder) => `${room}/${folder}`);
    });
    expect(described).toEqual(FOLDERS);
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
