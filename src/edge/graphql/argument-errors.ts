import {
  defaultFieldResolver,
  getNamedType,
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { invalidScalarsIn, refuseInvalid } from './input.pipe.js';
import { isLenientScalar } from './scalar.js';

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
