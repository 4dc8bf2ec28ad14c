// TypeScript to JavaScript by SWC, which removes types without checking them (`npm run typecheck` does). Inputs: the source root and assets
// of nest-cli.json, and the migrations.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlesOf } from './bundle.js';
import { ensureInstalled } from './install.js';
import { hashOf, projectRoot, readJson, readText } from './project.js';

const OUT = 'dist';
const STAMP = join(OUT, '.stamp');
/** The inputs of a build besides the sources. */
const RECIPE = ['nest-cli.json', 'package-lock.json', 'scripts/build.js', 'scripts/bundle.js', 'src/testing/jest/typescript.cjs'];

/** Is `dist/` up to date? */
export function isBuilt(root = projectRoot) {
  return readText(root, STAMP) === stampOf(root, planOf(root));
}

/**
 * Builds everything, unless it is built. It replaces each changed file in one step, so that a reader never sees a partial file.
 * @param {{ root?: string, bundles?: boolean }} options without `bundles` the programs are built faster and start slower
 * @returns the number of files that it has built
 * @throws Error that names every file that does not compile; the others are built, the failed ones are missing
 */
export async function build({ root = projectRoot, bundles = true } = {}) {
  const plan = planOf(root);
  const stamp = stampOf(root, plan);
  if (bundles && readText(root, STAMP) === stamp) return 0;
  // An interrupted build must not pass for an earlier one.
  rmSync(join(root, STAMP), { force: true });
  const outputs = new Map();
  const compiled = await Promise.allSettled(plan.sources.map((source) => compile(root, source)));
  for (const { value = [] } of compiled) for (const [path, text] of value) outputs.set(path, text);
  const problems = compiled.flatMap(({ reason }) => (reason ? [reason.message.split('\n\n\nCaused by:')[0]] : []));
  for (const [from, to] of plan.assets) outputs.set(to, readFileSync(join(root, from)));
  for (const [path, content] of outputs) replaceFile(join(root, path), content);
  if (bundles && problems.length === 0)
    for (const [path, content] of await bundlesOf(join(root, OUT))) {
      const target = posix(join(OUT, path));
      outputs.set(target, content);
      replaceFile(join(root, target), content);
    }
  for (const path of filesBelow(root, OUT)) if (!outputs.has(path) && !isDraft(path)) rmSync(join(root, path), { force: true });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  if (bundles) replaceFile(join(root, STAMP), stamp);
  return outputs.size;
}

/** Another build is about to put it in place. */
const isDraft = (path) => path.endsWith('.draft');

/** The inputs: `sources` to compile, `assets` to copy (from, to); paths are relative to the project. */
function planOf(root) {
  const { sourceRoot, compilerOptions } = readJson(root, 'nest-cli.json');
  const files = [sourceRoot, 'migrations'].flatMap((folder) => filesBelow(root, folder));
  const sources = files.filter((path) => /(?<!\.spec|\.d)\.ts$/.test(path));
  const assets = new Map();
  for (const { include, outDir } of compilerOptions.assets ?? []) {
    const pattern = posix(join(sourceRoot, include));
    const base = dirname(pattern.split('*')[0] + '.');
    const candidates = pattern.includes('*') ? files : [pattern].filter((path) => readText(root, path) !== undefined);
    for (const path of candidates) if (matcherOf(pattern).test(path)) assets.set(path, posix(join(outDir, relative(base, path))));
  }
  return { sources, assets };
}

function stampOf(root, { sources, assets }) {
  const inputs = [...sources, ...assets.keys(), ...RECIPE].sort();
  return hashOf(...inputs.flatMap((path) => [path, readText(root, path) ?? '']));
}

async function compile(root, source) {
  const { transform } = await import('@swc/core');
  const { default: swc } = await import('../src/testing/jest/typescript.cjs');
  const target = join(OUT, source.replace(/\.ts$/, '.js'));
  const options = {
    ...swc.typescriptOptions('es6'),
    filename: join(root, source),
    sourceMaps: true,
    sourceFileName: posix(relative(dirname(target), source)),
  };
  const { code, map } = await transform(readFileSync(join(root, source), 'utf8'), options);
  const name = posix(target);
  return [
    [name, `${code}//# sourceMappingURL=${name.slice(name.lastIndexOf('/') + 1)}.map\n`],
    [`${name}.map`, map],
  ];
}

/** Converts a glob with `**`, `*` and `{a,b}` to a regular expression. */
function matcherOf(glob) {
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, list) => `(?:${list.replaceAll(',', '|')})`)
    .replace(/\*\*\/|\*/g, (star) => (star === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}$`);
}

function filesBelow(root, folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}

function replaceFile(path, content) {
  const wanted = Buffer.from(content);
  try {
    if (readFileSync(path).equals(wanted)) return;
  } catch {
    mkdirSync(dirname(path), { recursive: true });
  }
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, wanted);
  renameSync(draft, path);
}

function posix(path) {
  return path.split(sep).join('/');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled({ dev: false });
  const began = performance.now();
  try {
    const count = await build();
    console.error(count === 0 ? 'The build is up to date.' : `Built ${count} files in ${Math.round(performance.now() - began)} ms.`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
