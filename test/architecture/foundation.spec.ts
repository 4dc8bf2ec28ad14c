import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, ROOT } from './files.js';

/** Each package that Sluice is built on, with the folder whose code must load it. */
const PACKAGES: readonly (readonly [name: string, folder: string])[] = [
  ['@nestjs/core', 'src'],
  ['@nestjs/graphql', 'src'],
  ['@nestjs/apollo', 'src'],
  ['@nestjs/passport', 'src'],
  ['passport-http', 'src'],
  ['passport-custom', 'src'],
  ['typeorm', 'src'],
  ['pg', 'src'],
  ['graphql-ws', 'src'],
  ['class-validator', 'src'],
  ['@graphql-codegen/cli', 'scripts'],
  ['jest', 'scripts'],
];

/** Each path at the top that Sluice is built on, with a file that must name it. */
const PATHS: readonly (readonly [path: string, reader: string])[] = [
  ['package.json', 'scripts/node-version.js'],
  ['nest-cli.json', 'scripts/build.js'],
  ['schema.graphql', 'codegen.ts'],
  ['codegen.ts', 'scripts/codegen.js'],
  ['src', 'nest-cli.json'],
  ['test', 'jest.config.cjs'],
  ['migrations', 'scripts/build.js'],
  ['tsconfig.json', 'package.json'],
  ['README.md', 'test/readme/examples.ts'],
];

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Does the text load the package? A type leaves no trace in the program, and a comment neither. */
function loads(name: string, text: string): boolean {
  const quoted = `'${name}(/[^']*)?'`;
  return new RegExp(`^(?:import (?!type )|export (?!type )|\\} ).*from ${quoted}|^import ${quoted}|\\bresolve\\(${quoted}\\)`, 'm').test(
    text,
  );
}

const names = (path: string, text: string): boolean => new RegExp(`(?<![\\w.-])${path.replace('.', '\\.')}(?![\\w-])`).test(text);

describe('the packages that Sluice is built on', () => {
  const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>;
  const shipped = (folder: string): string[] => filesBelow(folder).filter((path) => /(?<!\.spec)\.(ts|js)$/.test(path));

  it.each(PACKAGES)('%s is a dependency, and %s loads it', (name, folder) => {
    expect({ ...dependencies, ...(folder === 'src' ? {} : devDependencies) }).toHaveProperty([name]);
    expect(shipped(folder).filter((path) => loads(name, textOf(path)))).not.toEqual([]);
  });

  it.each([
    ["import { Pool } from 'pg';", true],
    ["import {\n  Pool,\n} from 'pg';", true],
    ["export { Pool } from 'pg/lib/pool';", true],
    ["import 'pg';", true],
    ["const path = require.resolve('pg/package.json');", true],
    ["import type { Pool } from 'pg';", false],
    ["import { Pool } from 'pg-pool';", false],
    ["// import { Pool } from 'pg';", false],
    ["const driver = 'pg';", false],
  ])('are loaded by %j: %s', (text, loaded) => {
    expect(loads('pg', text)).toBe(loaded);
  });
});

describe('the paths that Sluice is built on', () => {
  it.each(PATHS)('%s is there, and %s names it', (path, reader) => {
    expect(existsSync(join(ROOT, path))).toBe(true);
    expect(names(path, textOf(reader))).toBe(true);
  });

  it.each([
    ["join(ROOT, 'codegen.ts')", true],
    ["join(ROOT, 'old-codegen.ts')", false],
    ["join(ROOT, 'codegen.ts-old')", false],
    ["join(ROOT, 'codegen-ts')", false],
  ])('are named by %j: %s', (text, named) => {
    expect(names('codegen.ts', text)).toBe(named);
  });
});

describe('the versions of Node', () => {
  const matrix = (workflow: string): string | undefined => /^ +node: \[([\d, ]+)\]$/m.exec(workflow)?.[1];

  it('that CI runs begin with the oldest, and README.md names them', () => {
    const versions = matrix(textOf('.github/workflows/ci.yml'))?.split(', ') ?? [];
    const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
    expect(engines.node).toMatch(new RegExp(`^>=${versions[0]}\\.`));
    expect(textOf('README.md')).toContain(`Node ${versions.slice(0, -1).join(', ')} and ${versions.at(-1)}`);
  });

  it('that CI runs are read from its matrix only', () => {
    expect(matrix('      matrix:\n        node: [20, 22]\n')).toBe('20, 22');
    expect(matrix('# node: [20, 22]\n')).toBeUndefined();
  });
});
