/** Waiters by signal. One listener per signal, however many waiters: Node warns of a leak beyond ten listeners. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** The result of `work`, or undefined as soon as `signal` is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const leave = (): void => resolve(undefined);
    const others = waitersOf(signal);
    others.add(leave);
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => others.delete(leave));
  });
}

function waitersOf(signal: AbortSignal): Set<() => void> {
  let waiters = waiting.get(signal);
  if (!waiters) {
    const all = (waiters = new Set<() => void>());
    waiting.set(signal, all);
    signal.addEventListener('abort', () => all.forEach((leave) => leave()), { once: true });
  }
  return waiters;
}
