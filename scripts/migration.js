// Migrations of a release never change.
//
//   npm run migration:new -- <name>   a new migration, listed in migrations/index.ts
//   node scripts/migration.js check   compares the files and functions with what was released (migrations/checksums.json)
//   node scripts/migration.js freeze  records those of the version in package.json, when it is released
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, projectRoot, readJson } from './project.js';

const CHECKSUMS = 'migrations/checksums.json';
/** From the name to the end of the arguments or of what is returned: the part of a function that a caller relies on. */
const SIGNATURE = /^CREATE OR REPLACE FUNCTION (.+?)\s+(?:LANGUAGE|SET|SECURITY|STABLE|IMMUTABLE|AS)\b/gms;

/** Above a function that is kept for the processes of the release before, whose callers alone it serves. */
const KEPT = /^-- Of \d+\.\d+\.\d+\.\nCREATE OR REPLACE FUNCTION/gm;

/** What a release publishes: the hash of each migration, and the signature of each function. What it keeps for the one before is `kept`. */
export function published(root = projectRoot, kept = true) {
  const files = readdirSync(join(root, 'migrations')).filter((name) => /^\d{13}-/.test(name));
  const functions = readdirSync(join(root, 'migrations/functions')).flatMap((name) => {
    const text = readFileSync(join(root, 'migrations/functions', name), 'utf8')
      .replace(kept ? '' : KEPT, '')
      .replace(/--.*$/gm, '');
    return [...text.matchAll(SIGNATURE)].map(([, signature]) => signature.replace(/\s+/g, ' '));
  });
  return {
    migrations: Object.fromEntries(files.sort().map((name) => [name, hashOf(readFileSync(join(root, 'migrations', name), 'utf8'))])),
    functions: functions.sort(),
  };
}

/** What differs from a release: from every one a migration, from the last one a function, whose callers may still run. */
export function faultsOf(root = projectRoot) {
  const releases = Object.entries(readJson(root, CHECKSUMS) ?? {});
  const now = published(root);
  const functions = new Set(now.functions);
  const changed = releases.flatMap(([release, { migrations }]) =>
    Object.keys(migrations)
      .filter((name) => now.migrations[name] !== migrations[name])
      .map((name) => `migrations/${name} was released with ${release}: restore it, and write another migration`),
  );
  const [release, last] = releases.at(-1) ?? ['', { functions: [] }];
  const gone = last.functions
    .filter((signature) => !functions.has(signature))
    .map((signature) => `${signature} was published by ${release}: keep it for one release, and put a _v2 beside it`);
  return [...changed, ...gone];
}

function freeze(root) {
  const { version } = readJson(root, 'package.json');
  writeFileSync(join(root, CHECKSUMS), `${JSON.stringify({ ...readJson(root, CHECKSUMS), [version]: published(root, false) }, null, 2)}\n`);
  console.log(`${CHECKSUMS} has the migrations and functions of ${version}`);
}

function create(root, name = '') {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) throw new Error('Usage: npm run migration:new -- <name-in-small-letters>');
  const index = join(root, 'migrations/index.ts');
  const text = readFileSync(index, 'utf8');
  const last = Math.max(...[...text.matchAll(/'\.\/(\d{13})-/g)].map(([, time]) => Number(time)));
  const time = Math.max(Date.now(), last + 1);
  const file = `migrations/${time}-${name}.ts`;
  const type = `${name.replace(/(^|-)(.)/g, (_, _dash, letter) => letter.toUpperCase())}${time}`;
  if (existsSync(join(root, file))) throw new Error(`${file} exists`);
  writeFileSync(
    join(root, file),
    `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${type} implements MigrationInterface {
  readonly name = '${type}';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(\`\`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(\`\`);
  }
}
`,
  );
  const lines = text.split('\n');
  lines.splice(lines.findLastIndex((line) => line.startsWith('import ')) + 1, 0, `import { ${type} } from './${time}-${name}.js';`);
  lines.splice(lines.indexOf('];'), 0, `  ${type},`);
  writeFileSync(index, lines.join('\n'));
  console.log(file);
}

const [, , command, ...args] = process.argv;
try {
  if (command === 'new') create(projectRoot, ...args);
  else if (command === 'freeze') freeze(projectRoot);
  else if (command === 'check') {
    for (const fault of faultsOf()) {
      console.error(fault);
      process.exitCode = 1;
    }
  } else throw new Error('Usage: node scripts/migration.js new <name> | check | freeze');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
