import { Injectable, ValidationPipe, type ArgumentMetadata, type ValidationError } from '@nestjs/common';
import { InvalidInput, type Problem } from './refusal.js';
import { InvalidValue, isLenientScalar } from './scalar.js';
import {
  defaultFieldResolver,
  getNamedType,
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';

function invalidScalarsIn(value: unknown, path: readonly string[] = [], found: Problem[] = []): Problem[] {
  if (value instanceof InvalidValue) found.push({ message: value.message, code: 'INVALID_INPUT', path });
  else if (Array.isArray(value)) value.forEach((each, index) => invalidScalarsIn(each, [...path, String(index)], found));
  else if (value && typeof value === 'object')
    for (const [key, each] of Object.entries(value)) invalidScalarsIn(each, [...path, key], found);
  return found;
}

export function refuseInvalid(problems: readonly Problem[]): void {
  const [first, ...rest] = problems;
  if (first) throw new InvalidInput([first, ...rest]);
}

/**
 * The only global pipe. It runs after the guards, so that an unauthorized caller learns nothing. No `whitelist`: it would drop every
 * property that only the SDL validates.
 */
@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({ transform: true, exceptionFactory: (errors) => new InvalidInput(flatten(errors) as [Problem, ...Problem[]]) });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'custom') return value; // parent, context, info
    refuseInvalid(invalidScalarsIn(value, metadata.data ? [metadata.data] : []));
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

function flatten(errors: readonly ValidationError[], above: readonly string[] = []): Problem[] {
  return errors.flatMap(({ property, constraints, children }) => {
    const path = [...above, property];
    const own = Object.values(constraints ?? {}).map((message) => ({ message, code: 'INVALID_INPUT', path }));
    return [...own, ...flatten(children ?? [], path)];
  });
}

/** Nested fields have no input pipe: without this their resolvers would get invalid scalars. */
export function collectArgumentErrors(schema: GraphQLSchema): GraphQLSchema {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) if (field.args.some(({ type: argument }) => mayBeInvalid(argument))) check(field);
  }
  return schema;
}

function check(field: GraphQLField<unknown, unknown>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, args, context, info) => {
    refuseInvalid(invalidScalarsIn(args));
    return resolve(parent, args, context, info);
  };
}

function mayBeInvalid(input: GraphQLInputType, seen = new Set<string>()): boolean {
  const type = getNamedType(input);
  if (!isInputObjectType(type)) return isLenientScalar(type);
  if (seen.has(type.name)) return false;
  seen.add(type.name);
  return Object.values(type.getFields()).some((field) => mayBeInvalid(field.type, seen));
}
