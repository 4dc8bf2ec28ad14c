// Sluice's rules for schema.graphql, beyond GraphQL's own. `lint(schema)` returns one sentence for each violation.
import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';

/** The compatible API's exceptions, by coordinate: lists whose elements may be null. */
const NULLABLE_ELEMENTS = /^((Consumer)?Account\.(transactions|invoices|pendingIncomingTransactions)\(walletIds:\)|\w*Error\.path)$/;
/** Enums whose spelling the compatible API fixes. */
const FOREIGN_SPELLING = new Set(['Network', 'TxNotificationType']);
/** Payloads that have no `errors` in the compatible API: their errors are top-level. */
const WITHOUT_ERRORS = new Set(['ApiKeyCreatePayload', 'ApiKeyRevokePayload']);

const DEFAULT_REASON = 'No longer supported';
const PASCAL = /^[A-Z][A-Za-z0-9]*$/;
const CAMEL = /^[a-z][A-Za-z0-9]*$/;
const UPPER = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;
const PAGING = { after: 'String', before: 'String', first: 'Int', last: 'Int' };

const hasFields = (type) => isObjectType(type) || isInterfaceType(type) || isInputObjectType(type);
const fieldsOf = (type) => (hasFields(type) ? Object.values(type.getFields()) : []);
const typesOf = (schema) => Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type));

/** All named elements: types, fields, arguments and enum values, with their coordinates and, if they have one, their type. */
function* elementsOf(schema) {
  for (const type of typesOf(schema)) {
    yield { at: type.name, element: type, naming: PASCAL };
    for (const field of fieldsOf(type)) {
      yield { at: `${type.name}.${field.name}`, element: field, naming: CAMEL, type: field.type };
      for (const arg of field.args ?? [])
        yield { at: `${type.name}.${field.name}(${arg.name}:)`, element: arg, naming: CAMEL, type: arg.type };
    }
    const naming = FOREIGN_SPELLING.has(type.name) ? /./ : UPPER;
    if (isEnumType(type)) for (const value of type.getValues()) yield { at: `${type.name}.${value.name}`, element: value, naming };
  }
}

/** A description is a sentence: at least two words, from a capital, digit or name in code to a full stop, question mark or bracket. */
const isSentence = (text) => /^[A-Z0-9`-][^]*\s[^]*[.?)]$/.test((text ?? '').trim());

function nullableElements(type) {
  const nullable = getNullableType(type);
  if (!isListType(nullable)) return false;
  return !isNonNullType(nullable.ofType) || nullableElements(nullable.ofType);
}

function* ofElements(schema) {
  for (const { at, element, naming, type } of elementsOf(schema)) {
    if (!isSentence(element.description)) yield `${at} is not described by a sentence`;
    if (!naming.test(element.name)) yield `${at} is not written as names of its kind are`;
    if (element.deprecationReason === DEFAULT_REASON) yield `${at} is deprecated without saying what to use instead`;
    if (type && nullableElements(type) && !NULLABLE_ELEMENTS.test(at)) yield `${at} is a list whose elements may be null`;
  }
}

function* ofPayloads(schema) {
  for (const root of [schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const { name, args, type } of fieldsOf(root)) {
      const at = `${root.name}.${name}`;
      const payload = getNamedType(type);
      if (!isNonNullType(type) || !payload.name.endsWith('Payload')) yield `${at} does not answer a non-null payload`;
      if (args.some((arg) => arg.name !== 'input')) yield `${at} has an argument beside input`;
      const errors = fieldsOf(payload).find((field) => field.name === 'errors');
      if (WITHOUT_ERRORS.has(payload.name)) continue;
      if (String(errors?.type) !== '[Error!]!') yield `${payload.name} has no errors: [Error!]!`;
      const strict = fieldsOf(payload).filter((field) => field !== errors && isNonNullType(field.type));
      for (const field of strict) yield `${payload.name}.${field.name} is non-null, so a payload cannot carry errors alone`;
    }
  }
}

function* ofInputs(schema) {
  for (const type of typesOf(schema)) {
    if (isInputObjectType(type) !== type.name.endsWith('Input')) yield `${type.name} should end in Input if it is one, and only then`;
  }
}

/** https://relay.dev/graphql/connections.htm, sections 2 to 5. */
function* ofConnections(schema) {
  const typeOf = (type, field) => String(fieldsOf(type).find(({ name }) => name === field)?.type);
  for (const type of typesOf(schema)) {
    for (const { name, args = [] } of fieldsOf(type).filter((field) => getNamedType(field.type).name.endsWith('Connection'))) {
      const missing = Object.entries(PAGING).filter(([arg, wanted]) => String(args.find((each) => each.name === arg)?.type) !== wanted);
      yield* missing.map(([arg, wanted]) => `${type.name}.${name} has no ${arg}: ${wanted}`);
    }
    if (!type.name.endsWith('Connection')) continue;
    const node = type.name.slice(0, -'Connection'.length);
    if (typeOf(type, 'edges').replace(/!$/, '') !== `[${node}Edge!]`) yield `${type.name} has no edges: [${node}Edge!]`;
    if (typeOf(type, 'pageInfo') !== 'PageInfo!') yield `${type.name} has no pageInfo: PageInfo!`;
    const edge = schema.getType(`${node}Edge`);
    if (typeOf(edge, 'cursor') !== 'String!') yield `${node}Edge has no cursor: String!`;
    if (typeOf(edge, 'node') !== `${node}!`) yield `${node}Edge has no node: ${node}!`;
  }
}

export const lint = (schema) => [ofElements, ofPayloads, ofInputs, ofConnections].flatMap((rule) => [...rule(schema)]);
