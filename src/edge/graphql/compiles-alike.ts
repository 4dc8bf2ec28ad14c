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
  type DocumentNode,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import { InvalidValue, isLenientScalar } from './scalar.js';

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

/** The compiler stores the conditions of a field in the document, so that a fragment spread twice takes the conditions of both. */
function hasPlainConditions(document: DocumentNode): boolean {
  let [hasConditions, hasFragments] = [false, false];
  visit(document, {
    FragmentSpread: () => void (hasFragments = true),
    Directive: ({ name }) => void (hasConditions ||= ['skip', 'include'].includes(name.value)),
  });
  return !hasConditions || !hasFragments;
}
