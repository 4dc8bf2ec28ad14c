import {
  GraphQLError,
  isNonNullType,
  Kind,
  TypeInfo,
  ValidationContext,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';

const found = new WeakMap<OperationDefinitionNode, readonly string[]>();

/**
 * Validation permits null in a place that does not take it if either has a default. graphql-js refuses the null only when it executes the
 * field, and compiled code not at all.
 */
function variablesWithoutNull(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const known = found.get(operation);
  if (known) return known;
  const { variableDefinitions = [] } = operation;
  const nullable = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE).map(({ variable }) => variable.name.value);
  const context = nullable.length > 0 ? new ValidationContext(schema, document, new TypeInfo(schema), () => undefined) : undefined;
  const strict = new Set(
    context?.getRecursiveVariableUsages(operation).flatMap(({ node, type }) => (isNonNullType(type) ? [node.name.value] : [])),
  );
  const names = nullable.filter((name) => strict.has(name));
  found.set(operation, names);
  return names;
}

export function faultOfNulls(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError | undefined {
  const name = variablesWithoutNull(schema, document, operation).find((each) => variables[each] === null);
  if (name === undefined) return undefined;
  return new GraphQLError(`Variable "$${name}" must not be null: the document uses it where a value is required`, {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
