import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { streamOf, type Stream } from '../events/index.js';
import { notBegunError } from '../graphql/index.js';
import { TurnRefusedError, type Work } from '../http/index.js';
import type { Source } from './shared-feeds.js';

/** What the execution of an event costs beside the fields of its document. */
export const EVENT_COST = 50;

/**
 * As `subscribe` of graphql-js, but each event is charged, and waits for the turn of its account, before it is executed: one payment can cause
 * thousands of executions.
 * @param charge throws what ends the subscription
 */
export async function subscribeEach(args: ExecutionArgs, work: Work | undefined, charge: () => void): Promise<Source> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events = source[Symbol.asyncIterator]() as Stream<unknown>;
  const leave = (): Promise<unknown> => events.return(undefined);
  return streamOf(async () => {
    const event = await events.next();
    if (event.done) return event;
    try {
      charge();
      return { done: false, value: await inTurn(work, () => execute({ ...args, rootValue: event.value })) };
    } catch (error) {
      await leave(); // `for await` leaves no stream that throws
      throw error;
    }
  }, leave);
}

/** The turn ends after one pass of the event loop, so that other callers are served between two events. */
async function inTurn(work: Work | undefined, run: () => ExecutionResult | Promise<ExecutionResult>): Promise<ExecutionResult> {
  if (!work) return run();
  const { events } = work.all;
  const { owner } = work;
  try {
    await events.enter(owner, work);
  } catch (error) {
    throw error instanceof TurnRefusedError ? notBegunError(error, work) : error;
  }
  try {
    return await run();
  } finally {
    setImmediate(() => events.leave(owner));
  }
}
