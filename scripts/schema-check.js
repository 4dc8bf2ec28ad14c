// `npm run lint:schema`: schema.graphql stays compatible with test/schema/baseline.graphql, the last released API (its style is part of
// `npm run lint`: eslint.schema.js). `--accept-additions` (`npm run generate`) makes the current schema the baseline where it adds alone;
// `--accept` does so with a breaking change too, which an ADR explains.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChangeType, CriticalityLevel, diff } from '@graphql-inspector/core';
import { assertValidSchema, buildSchema, lexicographicSortSchema, parse, print, printSchema, visit } from 'graphql';

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

/**
 * Changes that graphql-inspector counts as dangerous only, but that break a client which relied on the default, or whose code knows all
 * values of an enum, or all types of a union, that an answer can have.
 */
const BREAKS_CLIENTS = new Set([
  ChangeType.FieldArgumentDefaultChanged,
  ChangeType.InputFieldDefaultValueChanged,
  ChangeType.EnumValueAdded,
  ChangeType.UnionMemberAdded,
]);

async function compare(before, after) {
  const changes = await diff(before, after);
  // The values of a new enum break no client.
  const isOfNewEnum = ({ type, meta }) => type === ChangeType.EnumValueAdded && before.getType(meta.enumName) === undefined;
  const isBreaking = (change) =>
    change.criticality.level === CriticalityLevel.Breaking || (BREAKS_CLIENTS.has(change.type) && !isOfNewEnum(change));
  const breaking = changes.filter(isBreaking);
  const dangerous = changes.filter((change) => !isBreaking(change) && change.criticality.level === CriticalityLevel.Dangerous);
  return { breaking, dangerous };
}

async function main() {
  const schema = load(join(ROOT, 'schema.graphql'));
  if (process.argv.includes('--accept')) return accept(schema);
  const baseline = load(BASELINE);
  const { breaking, dangerous } = await compare(baseline, schema);
  for (const { message } of dangerous) console.log(`note: ${message}`);
  for (const { message } of breaking) console.error(`breaking: ${message}`);
  if (breaking.length > 0) {
    console.error(
      '\nClients written for the baseline would break. If that is meant, say why in an ADR and run `npm run lint:schema -- --accept`.',
    );
    return false;
  }
  const isGrown = bare(baseline) !== bare(schema);
  if (isGrown && process.argv.includes('--accept-additions')) return accept(schema);
  const grown = isGrown ? '; it has grown, `npm run generate` records that' : '';
  console.log(`schema: keeps every promise of the baseline${grown}`);
  return true;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(`schema: ${error.message}`);
  process.exitCode = 1;
}
