import {
  GraphQLError,
  NoFragmentCyclesRule,
  UniqueFragmentNamesRule,
  validate,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { MAX_FIELDS, MAX_PAIRS, weightOf } from './document-weight.js';
import { faultOfSubscriptions } from './request-check.js';

/** Each error has a line number, and graphql-js counts the lines from the start for it. */
const MAX_LINES = 2_000;

/** Errors reported per document: graphql-js computes "did you mean" suggestions for each, which is costly. */
export const VALIDATION_OPTIONS = { maxErrors: 10 };

export const tooComplex = (message: string): GraphQLError => new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } });

const tooLong = (documentBytes: number): GraphQLError => tooComplex(`The document is longer than ${documentBytes} bytes`);

/** The length is checked before the text is parsed, because parsing block strings is costly. */
export const faultOfText = (text: unknown, documentBytes: number): GraphQLError | undefined =>
  typeof text === 'string' && text.length > documentBytes ? tooLong(documentBytes) : undefined;

const refused = new WeakMap<DocumentNode, readonly GraphQLError[]>();

export const refuseDocument = (document: DocumentNode, fault: GraphQLError): void => void refused.set(document, [fault]);

/** Faults for which the document is not validated further: each is found faster than the rules of graphql-js would run. */
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
  if (text.split(/\r\n|[\n\r]/, MAX_LINES + 1).length > MAX_LINES) return [tooComplex(`The document has more than ${MAX_LINES} lines`)];
  const fault = faultOfSubscriptions(document);
  if (fault) return [fault];
  // UniqueFragmentNamesRule too: the cycle rule looks at only one of two fragments with the same name.
  const [endless] = validate(schema, document, [UniqueFragmentNamesRule, NoFragmentCyclesRule], { maxErrors: 1 });
  if (endless) return [endless];
  const { fields, pairs } = weightOf(document);
  if (fields > MAX_FIELDS)
    return [tooComplex(`The document has more than ${MAX_FIELDS} fields, counting those of a fragment at each spread`)];
  if (pairs > MAX_PAIRS)
    return [tooComplex(`The document has more than ${MAX_PAIRS} pairs of fields with the same name in the same place`)];
  return [];
}

/** A rule cannot stop the other rules, which visit the document after its creation: without definitions they find nothing to visit. */
export const closeDocument = (document: DocumentNode): void => void (document.definitions as DefinitionNode[]).splice(0);
