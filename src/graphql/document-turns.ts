import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { NotBegun, type Work } from '../http/index.js';
import { faultsOfDocument, refuseDocument } from './document-faults.js';
import { weightOf } from './document-weight.js';
import { notBegunError } from './operation-turns.js';

/** Text and weight of a document that is validated at once, like most of those that are written by hand. */
const SHORT_TEXT = 256;
const SHORT_WEIGHT = 256;

/** Whether the validation of a document waits for its turn. */
export function isLong(schema: GraphQLSchema, document: DocumentNode, documentBytes: number): boolean {
  if ((document.loc?.source.body.length ?? 0) > SHORT_TEXT) return true;
  if (faultsOfDocument(schema, document, documentBytes).length > 0) return false;
  const { fields, pairs } = weightOf(document);
  return fields + pairs > SHORT_WEIGHT;
}

/**
 * A turn of what keeps the processor busy for long: one at a time, and callers take turns. It is given back when the event loop has gone round
 * once: a caller who sent little in between is heard.
 * @throws GraphQLError of status 503 where the caller's line is full or slow
 */
export async function takeDocumentTurn(work: Work | undefined): Promise<() => void> {
  if (!work) return () => undefined;
  const { documents } = work.all;
  try {
    await documents.enter(work.owner, work);
  } catch (error) {
    throw error instanceof NotBegun ? notBegunError(error, work) : error;
  }
  return () => void setImmediate(() => documents.leave(work.owner));
}

/** A document that was not validated before waits for its turn. Apollo asks for no others: what it keeps goes on without waiting. */
export const waitForDocumentTurn =
  (documentBytes: number) =>
  async ({ schema, document, contextValue }: Fresh): Promise<void> => {
    if (!isLong(schema, document, documentBytes)) return;
    try {
      (await takeDocumentTurn((contextValue as { work?: Work }).work))();
    } catch (error) {
      // Thrown, it would be a failure of ours to Apollo.
      refuseDocument(document, error as GraphQLError);
    }
  };

interface Fresh {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly contextValue: object;
}
