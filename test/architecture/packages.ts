import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What a lock file says of one package. */
export interface LockedPackage {
  /** Of a package that is installed under another one. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly license?: string;
  readonly engines?: { readonly node?: string } | readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface Semver {
  satisfies(version: string, range: string): boolean;
}

export const ROOT = join(__dirname, '../..');

/** npm's own semver, from dependency-cruiser's dependencies: Sluice does not depend on it itself. */
const semver = createRequire(join(ROOT, 'node_modules/dependency-cruiser/package.json'))('semver') as Semver;

/** Licences whose only condition for users of Sluice is to name the authors. */
const FREE = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
  'Python-2.0',
]);
/** Licences with weaker promises, enough for what only builds or tests: code that is not shipped, and tables of data. */
const FREE_FOR_TOOLS = new Set(['MPL-2.0', 'CC-BY-4.0']);

const ownPackages = ({ packages }: Lock): [string, LockedPackage][] =>
  Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);

/** An entry that names a registry is a fault: a clone must install from the registry that its user has chosen. */
export const addressesIn = ({ packages }: Lock): string[] =>
  Object.entries(packages).flatMap(([path, entry]) => (entry.resolved && !entry.link ? [`${path} names ${entry.resolved}`] : []));

/** Packages whose install scripts are not listed in `allowScripts`: npm 10 runs them all the same. */
export const undecidedScripts = ({ packages }: Lock, decided: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path, { name = path.split('node_modules/').at(-1) ?? '' }]) => name)
    .filter((name) => !(name in decided))
    .map((name) => `${name} runs a script when it is installed`);

/** npm can write a lock file in which binaries of other platforms are missing; `npm ci` then fails, or the program does. */
export function missingSiblings({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isFound(packages, path, name))
      .map((name) => `${path || 'the project'} may need ${name}, which has no entry`),
  );
}

/** Looks where Node looks: in the package's own node_modules, then in those around it. */
function isFound(packages: Lock['packages'], from: string, name: string): boolean {
  for (let at = from; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at}/node_modules/${name}`]) return true;
  }
  return packages[`node_modules/${name}`] !== undefined;
}

/** Packages for which npm would warn (EBADENGINE) on the oldest Node that Sluice supports. */
export const unfitFor = (node: string, lock: Lock): string[] =>
  ownPackages(lock).flatMap(([path, { engines }]) => {
    const range = engines && 'node' in engines ? engines.node : undefined;
    return range === undefined || semver.satisfies(node, range) ? [] : [`${path} wants Node ${range}`];
  });

/** @param licenseOf the licence that a package itself declares, where the lock file has none */
export const unfreeIn = (lock: Lock, licenseOf: (path: string) => string | undefined): string[] =>
  ownPackages(lock).flatMap(([path, entry]) => {
    const license = entry.license ?? licenseOf(path) ?? 'no licence';
    return isFree(license, entry.dev === true) ? [] : [`${path} is under ${license}`];
  });

/** `(A OR B) AND C`, as SPDX writes it: one of the alternatives, and all of the conditions. */
export function isFree(expression: string, tool: boolean): boolean {
  const bare = expression.replace(/^\((.*)\)$/, (whole, inner: string) => (/[()]/.test(inner) ? whole : inner));
  const alternatives = partsOf(bare, 'OR');
  if (alternatives.length > 1) return alternatives.some((part) => isFree(part, tool));
  const conditions = partsOf(bare, 'AND');
  if (conditions.length > 1) return conditions.every((part) => isFree(part, tool));
  return FREE.has(bare) || (tool && FREE_FOR_TOOLS.has(bare));
}

/** Splits at a word that stands outside parentheses. */
function partsOf(expression: string, word: 'OR' | 'AND'): string[] {
  const parts: string[][] = [[]];
  let depth = 0;
  for (const token of expression.split(/\s+/)) {
    depth += token.split('(').length - token.split(')').length;
    if (token === word && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.map((part) => part.join(' '));
}

interface Manifest {
  readonly license?: string | { readonly type: string };
  readonly licenses?: readonly { readonly type: string }[];
}

/** The licence of an installed package: from any of the three notations of package.json, or from the text of the licence itself. */
export function installedLicense(root: string, path: string): string | undefined {
  const { license, licenses } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;
  const [first] = licenses ?? [];
  const named = typeof license === 'string' ? license : (license?.type ?? first?.type);
  if (named !== undefined) return named;
  const texts = readdirSync(join(root, path)).filter((name) => /^(licen[cs]e|readme)/i.test(name));
  return texts.some((name) => readFileSync(join(root, path, name), 'utf8').includes('Permission is hereby granted, free of charge'))
    ? 'MIT'
    : undefined;
}
