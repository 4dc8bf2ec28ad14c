/** Who waits for something that a signal ends. One listener a signal, however many wait: a signal warns of a leak beyond ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** What `work` comes to, or undefined as soon as `signal` is aborted. */
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
