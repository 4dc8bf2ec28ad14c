import type { GraphQLRequestContextValidationDidStart } from '@apollo/server';
import {
  getNamedType,
  GraphQLError,
  isCompositeType,
  isObjectType,
  type GraphQLField,
  type GraphQLSchema,
  type DocumentNode,
} from 'graphql';
import { TurnRefusedError, RETRY_AFTER, type Caller, type Work } from '../http/index.js';
import { faultsOfDocument, refuseDocument, weightOf } from './document-faults.js';

/**
 * A field that calls a service takes its account's turn before it reaches the database pool: one caller's documents cannot use up the
 * connections. A mutation holds no turn: payments wait in batches, which would be small if each held one.
 * @param without fields (`Type.field`) that take none: all callers share their statement, or they have none
 */
export function takeTurns(schema: GraphQLSchema, without: readonly string[]): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    if (type === schema.getMutationType() || type === schema.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields())) {
      const mayRead = type === schema.getQueryType() || isCompositeType(getNamedType(field.type));
      if (field.resolve && mayRead && !without.includes(`${type.name}.${field.name}`))
        queue(field as GraphQLField<unknown, Caller>, field.resolve);
    }
  }
  return schema;
}

function queue(field: GraphQLField<unknown, Caller>, resolve: NonNullable<GraphQLField<unknown, Caller>['resolve']>): void {
  field.resolve = (parent, args, context, info) => {
    const { work } = context;
    if (!work || info.operation.operation === 'mutation') return resolve(parent, args, context, info);
    let hasBegun = false;
    const run = (): unknown => {
      hasBegun = true;
      return resolve(parent, args, context, info);
    };
    const result = work.all.database.run(work.owner, run, work);
    return hasBegun ? result : Promise.resolve(result).catch((error: unknown) => refuse(error, work));
  };
}

/** Makes a file in its owner's turn, which lasts until the response is sent. @throws GraphQLError of status 503 if the turn does not come */
export function makeFile<T>({ work }: Caller, make: () => Promise<T>): Promise<T> {
  if (!work) throw new Error('An operation without its work has no turn');
  return work.makeFile(make).catch((error: unknown) => refuse(error, work));
}

function refuse(error: unknown, work: Work): never {
  throw error instanceof TurnRefusedError ? notBegunError(error, work) : error;
}

/** 503, because the caller's queue is full or slow; Apollo reads `extensions.http`. */
export function notBegunError(error: TurnRefusedError, work: Work): GraphQLError {
  work.all.notBegun(error, work.owner);
  return new GraphQLError('The server is busy. Please try again in a moment.', {
    extensions: { code: 'SERVICE_UNAVAILABLE', http: { status: 503, headers: new Map([['retry-after', String(RETRY_AFTER.busy)]]) } },
  });
}

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
  if (!work) return;
  try {
    await work.all.thread.run(work.owner, () => undefined, work);
  } catch (error) {
    refuse(error, work);
  }
}

/** Apollo calls it for new documents only; cached ones do not wait. */
export const waitForDocumentTurn =
  (documentBytes: number) =>
  async ({ schema, document, contextValue }: GraphQLRequestContextValidationDidStart<Caller>): Promise<void> => {
    if (!isLong(schema, document, documentBytes)) return;
    // If it threw, Apollo would report an internal error.
    await takeThreadTurn(contextValue.work).catch((error: GraphQLError) => refuseDocument(document, error));
  };
