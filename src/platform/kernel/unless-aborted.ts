import { onAbort } from './on-abort.js';

/** The result of `work`, or undefined as soon as `signal` is aborted. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const ignore = onAbort(signal, () => resolve(undefined));
    work.then(resolve, reject).finally(ignore);
  });
}
