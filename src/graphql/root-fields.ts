import type { GraphQLSchema } from 'graphql';

/**
 * Stops the start when a root field has no resolver: it would return null to every client, or an unhelpful error. Nested fields may
 * come from their row, so the compiler checks those (test/types).
 * @throws Error with a sentence that names the field
 */
export function requireResolvers(schema: GraphQLSchema): GraphQLSchema {
  const events = schema.getSubscriptionType();
  for (const type of [schema.getQueryType(), schema.getMutationType(), events]) {
    if (!type) continue;
    const bare = Object.values(type.getFields()).find(({ resolve, subscribe }) => !(type === events ? subscribe : resolve));
    if (bare)
      throw new Error(
        `${type.name}.${bare.name} has no resolver: a provider with @Resolver() and @${type.name}() ${bare.name}() is missing`,
      );
  }
  return schema;
}
