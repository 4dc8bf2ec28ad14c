import type { Work } from './work-in-progress.js';

/** A request, or the context of an operation: other rooms pass it back to `edge`, which alone knows its work. */
export interface Caller {
  readonly work?: Work;
}

/** Awaits `outcome` without a slot among the requests in progress. */
export const waitFor = <T>({ work }: Caller, outcome: Promise<T>): Promise<T> => work?.waiting(outcome) ?? outcome;

/** The client has closed the connection: nothing more need begin. */
export const isGone = ({ work }: Caller): boolean => work?.isGone === true;

/** The response stays open, and only waits for events. */
export const endWork = ({ work }: Caller): void => work?.end();

/**
 * Reads a piece of a file in the turn of its owner; the response lasts longer than the turns.
 * @throws TurnRefusedError
 */
export const readInTurn = async <T>({ work }: Caller, owner: string, read: () => Promise<T>): Promise<T> =>
  work ? work.all.files.run(owner, read) : read();
