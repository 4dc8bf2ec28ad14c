import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { TurnRefusedError, type Work } from '../http/index.js';
import { faultsOfDocument, refuseDocument } from './document-faults.js';
import { weightOf } from './document-weight.js';
import { notBegunError } from './operation-turns.js';

/** Documents up to this text length and weight, as most hand-written ones are, are validated without a turn. */
const SHORT_TEXT = 256;
const SHORT_WEIGHT = 256;

export function isLong(schema: GraphQLSchema, document: DocumentNode, documentBytes: number): boolean {
  if ((document.loc?.source.body.length ?? 0) > SHORT_TEXT) return true;
  if (faultsOfDocument(schema, document, documentBytes).length > 0) return false;
  const { fields, pairs } = weightOf(document);
  return fields + pairs > SHORT_WEIGHT;
}

/** @throws GraphQLError of status 503 when the caller's queue is full or slow */
export async function takeThreadTurn(work: Work | undefined): Promise<void> {
  try {
    await work?.all.thread.run(work.owner, () => undefined, work);
  } catch (error) {
    throw error instanceof TurnRefusedError && work ? notBegunError(error, work) : error;
  }
}

/** Apollo calls it for new documents only; cached ones do not wait. */
export const waitForDocumentTurn =
  (documentBytes: number) =>
  async ({ schema, document, contextValue }: Fresh): Promise<void> => {
    if (!isLong(schema, document, documentBytes)) return;
    try {
      await takeThreadTurn((contextValue as { work?: Work }).work);
    } catch (error) {
      // If it threw, Apollo would report an internal error.
      refuseDocument(document, error as GraphQLError);
    }
  };

interface Fresh {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly contextValue: object;
}
