import { createSourceEventStream, execute, type ExecutionArgs } from 'graphql';
import { streamOf, type Stream } from '../events/index.js';
import type { Source } from './shared-feeds.js';

/** What the execution of an event costs beside the fields of its document. */
export const EVENT_COST = 50;

/**
 * As `subscribe` of graphql-js, but each event is charged before it is executed: one payment can cause thousands of executions.
 * @param charge throws what ends the subscription
 */
export async function subscribeCharged(args: ExecutionArgs, charge: () => void): Promise<Source> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events = source[Symbol.asyncIterator]() as Stream<unknown>;
  const leave = (): Promise<unknown> => events.return(undefined);
  return streamOf(async () => {
    const event = await events.next();
    if (event.done) return event;
    try {
      charge();
      return { done: false, value: await execute({ ...args, rootValue: event.value }) };
    } catch (error) {
      await leave(); // `for await` leaves no stream that throws
      throw error;
    }
  }, leave);
}
