// `npm run lint:schema`: schema.graphql follows the rules of schema-lint.js, and stays compatible with test/schema/baseline.graphql, the
// last released API. `--accept` makes the current schema the baseline: an additive change, or a breaking one with an ADR that explains it.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  assertValidSchema,
  astFromValue,
  buildSchema,
  findBreakingChanges,
  findDangerousChanges,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { lint } from './schema-lint.js';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const BASELINE = join(ROOT, 'test/schema/baseline.graphql');

function load(path) {
  const schema = buildSchema(readFileSync(path, 'utf8'));
  assertValidSchema(schema);
  return schema;
}

const wordless = (node) => (node.description ? { ...node, description: undefined } : undefined);

/** The schema without descriptions, sorted: it changes only when the API does. */
const bare = (schema) => print(visit(parse(printSchema(lexicographicSortSchema(schema))), { enter: wordless }));

async function accept(schema) {
  const { format, resolveConfig } = await import('prettier');
  writeFileSync(BASELINE, await format(bare(schema), { ...(await resolveConfig(BASELINE)), parser: 'graphql' }));
  console.log('schema: this is the baseline now');
  return true;
}

/** Defaults by coordinate. graphql-js does not count a changed default as breaking, but it breaks a client that relied on it. */
function defaultsOf(schema) {
  const found = new Map();
  const note = (at, { defaultValue, type }) =>
    found.set(at, defaultValue === undefined ? undefined : print(astFromValue(defaultValue, type)));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      if (isInputObjectType(type)) note(`${type.name}.${field.name}`, field);
      else field.args.forEach((arg) => note(`${type.name}.${field.name}(${arg.name}:)`, arg));
    }
  }
  return found;
}

function changedDefaults(before, after) {
  const now = defaultsOf(after);
  return [...defaultsOf(before)].flatMap(([at, was]) =>
    now.has(at) && now.get(at) !== was ? [`${at} had the default ${was ?? '(none)'}, now ${now.get(at) ?? '(none)'}.`] : [],
  );
}

function compare(before, after) {
  const breaking = [...findBreakingChanges(before, after).map(({ description }) => description), ...changedDefaults(before, after)];
  const notes = findDangerousChanges(before, after)
    .filter(({ type }) => type !== 'ARG_DEFAULT_VALUE_CHANGE')
    .map(({ description }) => description);
  return { breaking, notes };
}

async function main() {
  const schema = load(join(ROOT, 'schema.graphql'));
  const breaches = lint(schema);
  for (const breach of breaches) console.error(`schema.graphql: ${breach}`);
  if (breaches.length > 0) return false;

  if (process.argv.includes('--accept')) return accept(schema);
  const baseline = load(BASELINE);
  const { breaking, notes } = compare(baseline, schema);
  for (const note of notes) console.log(`note: ${note}`);
  for (const change of breaking) console.error(`breaking: ${change}`);
  if (breaking.length > 0) {
    console.error(
      '\nClients written for the baseline would break. If that is meant, say why in an ADR and run `npm run lint:schema -- --accept`.',
    );
    return false;
  }
  const grown = bare(baseline) === bare(schema) ? '' : '; it has grown, `npm run lint:schema -- --accept` records that';
  console.log(`schema: keeps the rules and every promise of the baseline${grown}`);
  return true;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(`schema: ${error.message}`);
  process.exitCode = 1;
}
