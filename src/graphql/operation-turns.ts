import { getNamedType, GraphQLError, isCompositeType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { TurnRefusedError, RETRY_AFTER, type Work } from '../http/index.js';

export interface WorkContext {
  readonly work?: Work;
}

/**
 * Fields of queries, and of the events of subscriptions, that call a service take turns by account before they reach the database pool: one
 * caller's documents cannot use up its connections. Nothing of a mutation waits here, because a mutation that has begun must end; nor do fields that only read their row.
 * @param shared fields (`Type.field`) that all callers share one statement for: they take no connections of their own, and turns would
 *   only split that statement into several
 */
export function takeTurns(schema: GraphQLSchema, shared: readonly string[]): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    if (type === schema.getMutationType() || type === schema.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields())) {
      const mayRead = type === schema.getQueryType() || isCompositeType(getNamedType(field.type));
      if (field.resolve && mayRead && !shared.includes(`${type.name}.${field.name}`))
        queue(field as GraphQLField<unknown, WorkContext>, field.resolve);
    }
  }
  return schema;
}

function queue(field: GraphQLField<unknown, WorkContext>, resolve: NonNullable<GraphQLField<unknown, WorkContext>['resolve']>): void {
  field.resolve = (parent, args, context, info) => {
    const { work } = context;
    if (!work || info.operation.operation === 'mutation') return resolve(parent, args, context, info);
    const { queries } = work.all;
    const { owner } = work;
    const run = (): unknown => {
      let result: unknown;
      try {
        result = resolve(parent, args, context, info);
      } catch (error) {
        queries.leave(owner);
        throw error;
      }
      const leave = (): void => queries.leave(owner);
      if (result instanceof Promise) result.then(leave, leave);
      else leave();
      return result;
    };
    const turn = queries.enter(owner, work);
    return turn ? turn.then(run, (error: unknown) => refuse(error, work)) : run();
  };
}

function refuse(error: unknown, work: Work): never {
  throw error instanceof TurnRefusedError ? notBegunError(error, work) : error;
}

/**
 * A mutation takes one turn for all its fields before the first begins; none of them waits afterwards. A plugin that queries the database
 * before the first field awaits the same turn.
 */
export async function takeMutationTurn({ work }: WorkContext): Promise<void> {
  if (work) await work.takeTurn(work.all.mutations)?.catch((error: unknown) => refuse(error, work));
}

/** 503, because the caller's queue is full or slow; Apollo reads `extensions.http`. */
export function notBegunError(error: TurnRefusedError, work: Work): GraphQLError {
  work.all.notBegun(error, work.owner);
  return new GraphQLError('The server is busy. Please try again in a moment.', {
    extensions: { code: 'SERVICE_UNAVAILABLE', http: { status: 503, headers: new Map([['retry-after', String(RETRY_AFTER.busy)]]) } },
  });
}
