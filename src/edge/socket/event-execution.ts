import { createSourceEventStream, execute, type ExecutionArgs } from 'graphql';
import { streamOf, type Stream } from '../../platform/events/index.js';
import { takeThreadTurn } from '../graphql/index.js';
import { TurnRefusedError, type FairQueue, type Work } from '../http/index.js';
import type { Source } from './shared-feeds.js';

/** The execution of an event costs this beside the fields of its document. */
export const EVENT_COST = 50;

/**
 * Like `subscribe` of graphql-js, but each event is charged and waits for a turn of its account: one payment can cause thousands of
 * executions.
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
      await takeThreadTurn(work);
      return { done: false, value: await execute({ ...args, rootValue: event.value }) };
    } catch (error) {
      await leave(); // `for await` leaves no stream that throws
      throw error;
    }
  }, leave);
}

/** The key of all feeds of prices in the queue: one change of the price is an event of each of them. */
const PRICES = 'prices';

/**
 * Each event waits for its turn, so that other callers are served between two of them. A price that waits for too long is left out,
 * because the next one follows.
 */
export async function subscribeToPrices(args: ExecutionArgs, thread: FairQueue): Promise<Source> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events = source[Symbol.asyncIterator]() as Stream<unknown>;
  return streamOf(
    async () => {
      for (;;) {
        const event = await events.next();
        if (event.done) return event;
        try {
          return { done: false, value: await thread.run(PRICES, () => execute({ ...args, rootValue: event.value })) };
        } catch (error) {
          if (!(error instanceof TurnRefusedError)) throw error;
        }
      }
    },
    () => events.return(undefined),
  );
}
