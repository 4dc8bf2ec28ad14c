import {
  GraphQLError,
  NoFragmentCyclesRule,
  UniqueFragmentNamesRule,
  validate,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { MOST_FIELDS, MOST_PAIRS, weightOf } from './document-weight.js';
import { faultOfSubscriptions } from './request-check.js';

/** Each error names the line of what it is about, and counts all lines before it. */
const MOST_LINES = 2_000;

/** As many mistakes of one document are told, each with what may have been meant: looking for that is work. */
export const VALIDATION_OPTIONS = { maxErrors: 10 };

export const tooComplex = (message: string): GraphQLError => new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } });

const tooLong = (documentBytes: number): GraphQLError => tooComplex(`The document is longer than ${documentBytes} bytes`);

/**
 * Before the text is parsed, and without reading it: lines of a block string take most work.
 * @param text whatever the request calls its query
 */
export const faultOfText = (text: unknown, documentBytes: number): GraphQLError | undefined =>
  typeof text === 'string' && text.length > documentBytes ? tooLong(documentBytes) : undefined;

const refused = new WeakMap<DocumentNode, readonly GraphQLError[]>();

/** Lets a document fail its validation with this, whatever else may be said of it. */
export const refuseDocument = (document: DocumentNode, fault: GraphQLError): void => void refused.set(document, [fault]);

/** Why a document is not validated at all: each of these is found in less time than the rules of graphql-js would take. */
export function faultsOfDocument(schema: GraphQLSchema, document: DocumentNode, documentBytes: number): readonly GraphQLError[] {
  const known = refused.get(document);
  if (known) return known;
  const faults = look(schema, document, documentBytes);
  refused.set(document, faults);
  return faults;
}

function look(schema: GraphQLSchema, document: DocumentNode, documentBytes: number): readonly GraphQLError[] {
  const text = document.loc?.source.body ?? '';
  if (Buffer.byteLength(text) > documentBytes) return [tooLong(documentBytes)];
  if (text.split(/\r\n|[\n\r]/, MOST_LINES + 1).length > MOST_LINES) return [tooComplex(`The document has more than ${MOST_LINES} lines`)];
  const fault = faultOfSubscriptions(document);
  if (fault) return [fault];
  // Of two fragments with one name the rule of cycles looks at one only.
  const [endless] = validate(schema, document, [UniqueFragmentNamesRule, NoFragmentCyclesRule], { maxErrors: 1 });
  if (endless) return [endless];
  const { fields, pairs } = weightOf(document);
  if (fields > MOST_FIELDS)
    return [tooComplex(`The document has more than ${MOST_FIELDS} fields, those of a fragment counted wherever it is spread`)];
  if (pairs > MOST_PAIRS)
    return [tooComplex(`The document names fields in one place too often: there are more than ${MOST_PAIRS} pairs with one name`)];
  return [];
}

/** A rule cannot stop the other rules, which all see the document after this one was made: without definitions they find nothing to look at. */
export const closeDocument = (document: DocumentNode): void => void (document.definitions as DefinitionNode[]).splice(0);
