import {
  getNamedType,
  getNullableType,
  isListType,
  isValueNode,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLScalarType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { InvalidValue, isLenientScalar } from './scalar.js';

/** Does graphql-jit give the same answers for this document as graphql-js? It is valid. */
export function compilesAlike(schema: GraphQLSchema, document: DocumentNode): boolean {
  return !hasInvalidLiteral(schema, document) && !hasNameOfObjects(document) && hasPlainConditions(document);
}

/** The compiler writes literals into the code as JSON, which has no {@link InvalidValue}. */
function hasInvalidLiteral(schema: GraphQLSchema, document: DocumentNode): boolean {
  const info = new TypeInfo(schema);
  let found = false;
  const enter = (node: ASTNode): void => {
    if (!isValueNode(node) || node.kind === Kind.VARIABLE || node.kind === Kind.NULL) return;
    const expected = getNullableType(info.getInputType());
    // One value stands for a list of one.
    const type = isListType(expected) && node.kind !== Kind.LIST ? getNamedType(expected) : expected;
    if (isLenientScalar(type)) found ||= (type as GraphQLScalarType).parseLiteral(node) instanceof InvalidValue;
  };
  visit(document, visitWithTypeInfo(info, { enter }));
  return found;
}

/** Compiled code looks up variables, and writes fields, in plain objects: it finds `toString` in each of them, and `__proto__` is no field. */
function hasNameOfObjects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    VariableDefinition: ({ variable }) => void (found ||= variable.name.value in Object.prototype),
    Field: ({ alias }) => void (found ||= alias?.value === '__proto__'),
  });
  return found;
}

/**
 * The compiler stores the conditions of a field in the document, for all places and operations at once, so that a fragment spread twice takes
 * the conditions of both; and it omits what a null decides, instead of refusing it.
 */
function hasPlainConditions(document: DocumentNode): boolean {
  const conditions: DirectiveNode[] = [];
  let hasFragments = false;
  visit(document, {
    FragmentSpread: () => void (hasFragments = true),
    Directive: (node) => void (['skip', 'include'].includes(node.name.value) && conditions.push(node)),
  });
  return conditions.length === 0 || (!hasFragments && conditions.every((each) => !isNullable(document, each)));
}

/** Is it a variable that may be null? One with a default may. */
function isNullable({ definitions }: DocumentNode, { arguments: given = [] }: DirectiveNode): boolean {
  const names = given.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? [value.name.value] : []));
  const operations = definitions.filter((each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION);
  return operations.some(({ variableDefinitions: variables = [] }) =>
    variables.some(({ variable, type }) => names.includes(variable.name.value) && type.kind !== Kind.NON_NULL_TYPE),
  );
}
