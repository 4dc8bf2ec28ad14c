import {
  getVariableValues,
  GraphQLError,
  Kind,
  type DocumentNode,
  type FragmentSpreadNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  isNonNullType,
  TypeInfo,
  ValidationContext,
} from 'graphql';
import { madeOnce } from '../../platform/kernel/made-once.js';

/** Values in the variables of one request; lists and objects count too. */
const MAX_VALUES = 1_000;

type VariableValues = Readonly<Record<string, unknown>>;

/** Only the first fault is returned: graphql-js would collect fifty, each quoting the input, many times the size of the request. */
export function coerceVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  sent: VariableValues,
): { readonly variables: VariableValues } | { readonly fault: GraphQLError } {
  const { variableDefinitions = [] } = operation;
  if (variableDefinitions.length === 0) return { variables: {} };
  // Variables that the operation does not declare are ignored.
  const named = variableDefinitions.map(({ variable }) => sent[variable.name.value]);
  if (holdsMoreThan(MAX_VALUES, named)) return { fault: tooMany() };
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, sent, { maxErrors: 1 });
  if (coerced) {
    const ofNulls = faultOfNulls(schema, document, operation, coerced);
    return ofNulls ? { fault: ofNulls } : { variables: coerced };
  }
  // Only here: an error costs its stack, more than the coercion of a payment's variables.
  const [fault = tooMany()] = errors;
  fault.extensions['code'] ??= 'BAD_USER_INPUT';
  return { fault };
}

const tooMany = (): GraphQLError =>
  new GraphQLError(`The variables contain more than ${MAX_VALUES} values`, { extensions: { code: 'QUERY_TOO_COMPLEX' } });

/** Iterative, because the input may be nested deeper than the stack. */
function holdsMoreThan(most: number, sent: readonly unknown[]): boolean {
  const open: object[] = [sent];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const value of Object.values(next) as unknown[]) {
      if (++count > most) return true;
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  }
  return false;
}

/**
 * A condition must not leave the root of a subscription out (specification, section 5.2.4.1.1): graphql-js would throw in its rule for
 * these roots or in the execution.
 */
export function faultOfSubscriptions({ definitions }: DocumentNode): GraphQLError | undefined {
  const fragments = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const seen = new Set<string>();
  const isOptional = ({ selections }: SelectionSetNode): boolean =>
    selections.some((each) => mayBeOmitted(each) || (each.kind !== Kind.FIELD && isOptional(rootOf(each))));
  const rootOf = (each: InlineFragmentNode | FragmentSpreadNode): SelectionSetNode => {
    if (each.kind === Kind.INLINE_FRAGMENT) return each.selectionSet;
    const fragment = seen.has(each.name.value) ? undefined : fragments.get(each.name.value);
    seen.add(each.name.value);
    return fragment?.selectionSet ?? NOTHING;
  };
  const found = definitions.some(
    (each) => each.kind === Kind.OPERATION_DEFINITION && each.operation === 'subscription' && isOptional(each.selectionSet),
  );
  const message = 'The root field of a subscription must not be left out, or depend on a variable, by @skip or @include';
  return found ? new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }) : undefined;
}

const NOTHING: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [] };
const mayBeOmitted = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ name, arguments: given = [] }) => {
    const omits = OMITS[name.value];
    return given.some(({ value }) => omits !== undefined && (value.kind === Kind.VARIABLE || ('value' in value && value.value === omits)));
  });
const OMITS: Readonly<Record<string, boolean>> = { skip: true, include: false };

const found = new WeakMap<OperationDefinitionNode, readonly string[]>();

/**
 * Validation permits null in a place that does not take it if either has a default. graphql-js refuses the null only when it executes the
 * field, and compiled code not at all.
 */
function variablesWithoutNull(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const { variableDefinitions = [] } = operation;
  const nullable = variableDefinitions.filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE).map(({ variable }) => variable.name.value);
  const context = nullable.length > 0 ? new ValidationContext(schema, document, new TypeInfo(schema), () => undefined) : undefined;
  const strict = new Set(
    context?.getRecursiveVariableUsages(operation).flatMap(({ node, type }) => (isNonNullType(type) ? [node.name.value] : [])),
  );
  return nullable.filter((name) => strict.has(name));
}

function faultOfNulls(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): GraphQLError | undefined {
  const names = madeOnce(found, operation, () => variablesWithoutNull(schema, document, operation));
  const name = names.find((each) => variables[each] === null);
  if (name === undefined) return undefined;
  return new GraphQLError(`Variable "$${name}" must not be null: the document uses it where a value is required`, {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
