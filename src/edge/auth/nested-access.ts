import { defaultFieldResolver, getNamedType, isAbstractType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { refusalOf, type AccessRule } from './access.js';
import type { GqlContext } from './principal.js';

/**
 * A field that **leads to** one of these types needs its scope, so a new payload that shows an account is covered automatically. A
 * mutation's own creation is not among the types: the scope that created it may see it.
 * @param revealing scopes by type, or by one field as `Type.field`
 */
export function requireScopes(schema: GraphQLSchema, revealing: Readonly<Record<string, string>>): GraphQLSchema {
  const needed = new Map<string, AccessRule>();
  for (const [name, scope] of Object.entries(revealing)) {
    if (name.includes('.')) needed.set(name, { kind: 'scopes', anyOf: [scope] });
    const type = schema.getType(name);
    if (!type) continue;
    const named = isAbstractType(type) ? [type, ...schema.getPossibleTypes(type)] : [type];
    for (const each of named) needed.set(each.name, { kind: 'scopes', anyOf: [scope] });
  }
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || roots.has(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      guard(field as GraphQLField<unknown, GqlContext>, needed.get(getNamedType(field.type).name));
      guard(field as GraphQLField<unknown, GqlContext>, needed.get(`${type.name}.${field.name}`));
    }
  }
  return schema;
}

function guard(field: GraphQLField<unknown, GqlContext>, rule: AccessRule | undefined): void {
  if (!rule) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, args, context, info) => {
    const refusal = refusalOf(context.principal, rule, false);
    if (refusal) throw refusal;
    return resolve(parent, args, context, info);
  };
}
