import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { streamOf, type Stream } from '../../platform/events/index.js';
import { takeThreadTurn } from '../graphql/index.js';
import { TurnRefusedError, type FairQueue, type Work } from '../http/index.js';
import type { Source } from './shared-feeds.js';

/** Like `subscribe` of graphql-js, but `inTurn` runs each event in its turn, or leaves it out by returning undefined. */
async function subscribeInTurns(
  args: ExecutionArgs,
  inTurn: (run: () => ExecutionResult | Promise<ExecutionResult>) => Promise<ExecutionResult | undefined>,
): Promise<Source> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return source;
  const events = source[Symbol.asyncIterator]() as Stream<unknown>;
  const leave = (): Promise<unknown> => events.return(undefined);
  return streamOf(async () => {
    for (;;) {
      const event = await events.next();
      if (event.done) return event;
      try {
        const value = await inTurn(() => execute({ ...args, rootValue: event.value }));
        if (value) return { done: false, value };
      } catch (error) {
        await leave(); // `for await` leaves no stream that throws
        throw error;
      }
    }
  }, leave);
}

/** Each event waits for a turn of its account: one payment can cause thousands. `charge` throws what ends the subscription. */
export const subscribeEach = (args: ExecutionArgs, work: Work | undefined, charge: () => void): Promise<Source> =>
  subscribeInTurns(args, async (run) => {
    charge();
    await takeThreadTurn(work);
    return run();
  });

/**
 * One change of the price is an event of each feed: those of a caller have a line of their own, so that they take no other feed's place. Other
 * callers are served between two events. A price that waits for too long is left out, because the next one follows.
 * @param owner of the work that has opened the feed
 */
export const subscribeToPrices = (args: ExecutionArgs, thread: FairQueue, owner: string): Promise<Source> =>
  subscribeInTurns(args, async (run) => {
    try {
      return await thread.run(`prices ${owner}`, run);
    } catch (error) {
      if (error instanceof TurnRefusedError) return undefined;
      throw error;
    }
  });
