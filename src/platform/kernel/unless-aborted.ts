import { madeOnce } from './made-once.js';

/** Waiters by signal. One listener per signal, however many waiters: Node warns of a leak beyond ten listeners. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** The result of `work`, or undefined as soon as `signal` is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    const others = madeOnce(waiting, signal, () => waitersOf(signal));
    others.add(leave);
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => others.delete(leave));
  });
}

function waitersOf(signal: AbortSignal): Set<() => void> {
  const waiters = new Set<() => void>();
  signal.addEventListener('abort', () => waiters.forEach((leave) => leave()), { once: true });
  return waiters;
}
