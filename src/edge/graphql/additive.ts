import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Type } from '@nestjs/common';
import { MetadataScanner } from '@nestjs/core';
import {
  buildSchema,
  extendSchema,
  findBreakingChanges,
  findDangerousChanges,
  getNamedType,
  GraphQLError,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  parse,
  Source,
  validateSchema,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';

export interface SchemaExtension {
  readonly name: string;
  readonly schema?: string;
}

export const ROOT_TYPES: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);
const scanner = new MetadataScanner();

export interface SchemaChange {
  readonly before: GraphQLSchema;
  readonly after: GraphQLSchema;
}

/**
 * The API of the core and of earlier extensions must stay as it is. A new enum value, union member or input field is refused too: the
 * resolvers that would have to handle it are not the extension's.
 * @throws Error with a sentence that names the extension and what it would change
 */
export function checkAdditive(coreFile: string, extensions: readonly SchemaExtension[]): ReadonlyMap<string, SchemaChange> {
  const changes = new Map<string, SchemaChange>();
  let before = buildSchema(readFileSync(coreFile, 'utf8'));
  for (const { name, schema } of extensions) {
    const after = schema === undefined ? before : extended(before, name, schema);
    changes.set(name, { before, after });
    before = after;
  }
  return changes;
}

function extended(before: GraphQLSchema, name: string, file: string): GraphQLSchema {
  if (!isAbsolute(file)) throw new Error(`Extension ${name} must give its schema as an absolute path, not as ${file}`);
  const text = attempt(`The schema of extension ${name} cannot be read`, () => readFileSync(file, 'utf8'));
  const document = attempt(`The schema of extension ${name} is not valid SDL`, () => parse(new Source(text, file)));
  const must = `Extension ${name} must not change the API`;
  const after = attempt(must, () => extendSchema(before, document));
  const [fault] = [
    ...[...findBreakingChanges(before, after), ...findDangerousChanges(before, after)].map(({ description }) => description),
    ...validateSchema(after).map(({ message }) => message),
  ];
  if (fault !== undefined) throw new Error(`${must}: ${fault}`);
  return after;
}

/** @throws Error that says what was attempted, and the first paragraph of why it failed; of a syntax error, also where. */
function attempt<T>(what: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    const why = error instanceof GraphQLError ? String(error) : ((error as Error).message.split('\n\n')[0] ?? '');
    throw new Error(`${what}: ${why}`, { cause: error });
  }
}

/**
 * A new root field without a resolver would return null to every client; the rows of an older type lack a new required field, so every
 * query for it would fail.
 * @throws Error with a sentence that names the extension and the field
 */
export function requireAdded(schema: GraphQLSchema, changes: ReadonlyMap<string, SchemaChange>): GraphQLSchema {
  for (const [name, { before, after }] of changes) {
    for (const { type, field, isRequired } of addedTo(before, after)) {
      const built = schema.getType(type);
      const { resolve, subscribe } = (isObjectType(built) && built.getFields()[field]) || {};
      const isRoot = ROOT_TYPES.has(type);
      if (type === 'Subscription' ? subscribe : resolve || !(isRequired || isRoot)) continue;
      const [what, resolver] = isRoot ? ['root', `@Resolver() and @${type}()`] : ['required', `@Resolver('${type}') and @ResolveField()`];
      throw new Error(
        `Extension ${name} adds the ${what} field ${type}.${field}, and no class resolves it: a provider with ${resolver} ${field}() is missing`,
      );
    }
  }
  return schema;
}

function addedTo(before: GraphQLSchema, after: GraphQLSchema): { type: string; field: string; isRequired: boolean }[] {
  return Object.values(before.getTypeMap()).flatMap((old) => {
    const type = after.getType(old.name);
    if (!isObjectType(old) || !isObjectType(type)) return [];
    const added = Object.values(type.getFields()).filter(({ name }) => !(name in old.getFields()));
    return added.map((field) => ({ type: old.name, field: field.name, isRequired: isNonNullType(field.type) }));
  });
}

export function isAdded({ before, after }: SchemaChange, name: string): boolean {
  const [type = '', field] = name.split('.');
  if (field === undefined) return !before.getType(type) && after.getType(type) !== undefined;
  return !exists(before, { type, field }) && exists(after, { type, field });
}

/** The required fields whose null would take their parents with it: the field itself, or those that lead from others' types to the type. */
export function requiredFieldsTo({ before, after }: SchemaChange, name: string): string[] {
  const typeOf = ({ type, field }: ResolvedField): GraphQLOutputType | undefined => {
    const found = after.getType(type);
    return isObjectType(found) || isInterfaceType(found) ? found.getFields()[field]?.type : undefined;
  };
  const [type = '', field] = name.split('.');
  if (field !== undefined) return isNonNullType(typeOf({ type, field })) ? [name] : [];
  const leading = addedTo(before, after).filter((each) => each.isRequired && !ROOT_TYPES.has(each.type));
  return leading.filter((each) => getNamedType(typeOf(each))?.name === name).map(nameOf);
}

/** @returns parts of a sentence, for example `must not resolve Query.me: it is not its own` */
export function faultsOfResolver({ before, after }: SchemaChange, owner: Type): string[] {
  const scalar = Reflect.getMetadata('graphql:scalar_name', owner) as string | undefined;
  const faults = scalar !== undefined && before.getType(scalar) ? [`must not define the scalar ${scalar}: it is not its own`] : [];
  for (const resolved of allResolvedBy(owner)) {
    if (exists(before, resolved)) faults.push(`must not resolve ${nameOf(resolved)}: it is not its own`);
    else if (!exists(after, resolved)) faults.push(`resolves ${nameOf(resolved)}, which is not in its schema`);
  }
  return faults;
}

/** The later of two resolvers of one field would silently win. */
export const fieldsResolvedBy = (owner: Type): string[] => allResolvedBy(owner).map(nameOf);

const allResolvedBy = (owner: Type): ResolvedField[] =>
  scanner.getAllMethodNames(owner.prototype as object).flatMap((name) => resolvedBy(owner, name) ?? []);
const nameOf = ({ type, field }: ResolvedField): string => `${type}.${field}`;

interface ResolvedField {
  readonly type: string;
  readonly field: string;
}

/** Nest takes every method of a class marked `@Resolver('Query')` for a root field, decorated or not. */
function resolvedBy(owner: Type, name: string): ResolvedField | undefined {
  const method = (owner.prototype as Record<string, object>)[name];
  if (!method) return undefined;
  const type: unknown = Reflect.getMetadata('graphql:resolver_type', method) ?? Reflect.getMetadata('graphql:resolver_type', owner);
  if (typeof type !== 'string') return undefined;
  if (!ROOT_TYPES.has(type) && !Reflect.getMetadata('graphql:resolve_property', method)) return undefined;
  return { type, field: (Reflect.getMetadata('graphql:resolver_name', method) as string | undefined) ?? name };
}

function exists(schema: GraphQLSchema, { type: name, field }: ResolvedField): boolean {
  const type = schema.getType(name);
  if (!type) return false;
  // __resolveType: selects the concrete type of a value of a core interface.
  if (field.startsWith('__')) return true;
  return (isObjectType(type) || isInterfaceType(type)) && field in type.getFields();
}
