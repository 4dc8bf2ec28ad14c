import { madeOnce } from './made-once.js';

class Listeners extends Set<() => void> {
  handleEvent(): void {
    for (const listener of this) listener();
  }
}

/** One listener per signal, however many of ours: Node warns of a leak beyond ten. */
const listening = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` when `signal` is aborted; at once if it is already. AbortSignal.any does not serve where a signal lives long: an entry of
 * each signal that it makes stays in its sources, and one that is listened to stays in memory until they abort (Node 20).
 * @returns ends that; without it, `listener` stays in memory for as long as the signal
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener();
    return () => undefined;
  }
  const listeners = madeOnce(listening, signal, () => new Listeners());
  listeners.add(listener);
  signal.addEventListener('abort', listeners);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) signal.removeEventListener('abort', listeners);
  };
}
