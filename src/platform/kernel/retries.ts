import { unlessAborted } from './unless-aborted.js';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5_000;

/** Yields the number of each retry, from 1, after pauses that grow, until `signal` is aborted. */
export async function* retries(signal: AbortSignal): AsyncGenerator<number> {
  for (let retry = 1, pause = FIRST_PAUSE_MS; ; retry++, pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    await unlessAborted(new Promise((resolve) => setTimeout(resolve, pause).unref()), signal);
    if (signal.aborted) return;
    yield retry;
  }
}

/** Does `work` again until it succeeds, or `signal` is aborted. Never rejects. */
export async function untilDone(work: () => Promise<unknown>, signal: AbortSignal, onFailure: (error: Error) => void): Promise<void> {
  const isDone = (): Promise<boolean> =>
    work().then(
      () => true,
      (error: Error) => (onFailure(error), false),
    );
  if (await isDone()) return;
  for await (const _retry of retries(signal)) if (await isDone()) return;
}
