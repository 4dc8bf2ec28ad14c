import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import {
  buildSchema,
  extendSchema,
  findBreakingChanges,
  findDangerousChanges,
  isInterfaceType,
  isObjectType,
  parse,
  Source,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql';

/** What an extension says about the API. */
export interface SchemaExtension {
  readonly name: string;
  /** Absolute path of its SDL. */
  readonly schema?: string;
}

const ROOTS = new Set(['Query', 'Mutation', 'Subscription']);
const scanner = new MetadataScanner();

/**
 * Refuses SDL that is not purely additive: the API that existing clients rely on stays what it is, and so does that of the extensions
 * before. Refused is also what clients would survive but nobody could serve: a further value of an enum, member of a union, field of an
 * input, for the resolvers that would have to know it are not the extension's.
 * @returns for each extension the API as it is before it comes
 * @throws Error with a sentence that names the extension and what it would change
 */
export function checkAdditive(coreFile: string, extensions: readonly SchemaExtension[]): ReadonlyMap<string, GraphQLSchema> {
  const before = new Map<string, GraphQLSchema>();
  let schema = buildSchema(readFileSync(coreFile, 'utf8'));
  for (const extension of extensions) {
    before.set(extension.name, schema);
    if (extension.schema !== undefined) schema = extended(schema, extension.name, extension.schema);
  }
  return before;
}

function extended(before: GraphQLSchema, name: string, file: string): GraphQLSchema {
  const document = parsed(name, file);
  let after: GraphQLSchema;
  try {
    after = extendSchema(before, document);
  } catch (error) {
    const [first] = (error as Error).message.split('\n\n');
    throw new Error(`Extension ${name} may not change the API: ${first}`, { cause: error });
  }
  const [change] = [...findBreakingChanges(before, after), ...findDangerousChanges(before, after)];
  if (change) throw new Error(`Extension ${name} may not change the API: ${change.description}`);
  return after;
}

function parsed(name: string, file: string): DocumentNode {
  if (!isAbsolute(file)) throw new Error(`Extension ${name} must give its schema as an absolute path, not as ${file}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`The schema of extension ${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  try {
    return parse(new Source(text, file));
  } catch (error) {
    const { line, column } = (error as GraphQLError).locations?.[0] ?? { line: 1, column: 1 };
    throw new Error(`The schema of extension ${name} is no SDL at ${file}:${line}:${column}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/**
 * The fields and scalars of `before` that Nest would resolve by this class, instead of by whoever does now: of two resolvers of one field
 * the later silently wins.
 * @returns for example `["Query.me"]`
 */
export function takenOver(before: GraphQLSchema, owner: Type): string[] {
  const scalar = Reflect.getMetadata('graphql:scalar_name', owner) as string | undefined;
  const taken = scalar !== undefined && before.getType(scalar) ? [`scalar ${scalar}`] : [];
  for (const name of scanner.getAllMethodNames(owner.prototype as object)) {
    const resolved = resolvedBy(owner, name);
    if (resolved && exists(before, resolved.type, resolved.field)) taken.push(`${resolved.type}.${resolved.field}`);
  }
  return taken;
}

/** As Nest reads it: in a class marked `@Resolver('Query')` every method is a root field, decorated or not. */
function resolvedBy(owner: Type, name: string): { type: string; field: string } | undefined {
  const method = (owner.prototype as Record<string, object>)[name];
  if (!method) return undefined;
  const type: unknown = Reflect.getMetadata('graphql:resolver_type', method) ?? Reflect.getMetadata('graphql:resolver_type', owner);
  if (typeof type !== 'string') return undefined;
  if (!ROOTS.has(type) && !Reflect.getMetadata('graphql:resolve_property', method)) return undefined;
  return { type, field: (Reflect.getMetadata('graphql:resolver_name', method) as string | undefined) ?? name };
}

function exists(schema: GraphQLSchema, typeName: string, field: string): boolean {
  const type = schema.getType(typeName);
  if (!type) return false;
  // __resolveType: which of its types a value of a core interface is.
  if (field.startsWith('__')) return true;
  return (isObjectType(type) || isInterfaceType(type)) && field in type.getFields();
}
