import type { GraphQLSchema } from 'graphql';

/**
 * Refuses to start while a root field is resolved by nobody: it would answer null to everybody, or an error that explains nothing. Nested
 * fields may come from their row, so the compiler holds those (test/types).
 * @throws Error with a sentence that names the field
 */
export function requireResolvers(schema: GraphQLSchema): GraphQLSchema {
  const events = schema.getSubscriptionType();
  for (const type of [schema.getQueryType(), schema.getMutationType(), events]) {
    if (!type) continue;
    const bare = Object.values(type.getFields()).find(({ resolve, subscribe }) => !(type === events ? subscribe : resolve));
    if (bare) throw new Error(`Nobody resolves ${type.name}.${bare.name}`);
  }
  return schema;
}
