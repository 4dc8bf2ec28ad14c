import { setTimeout as delay } from 'node:timers/promises';

/** The pauses between checks grow from the first to the last: what takes long is not worth the work of fifty checks a second. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS, GROWTH_MS] = [20, 100, 10];

type Falsy = false | 0 | '' | null | undefined;

/**
 * Polls for the effect of asynchronous work (a listener, a process, a file), and throws the last error at the timeout.
 * @param check passes by returning a truthy value; may throw meanwhile
 * @param withinMs the default is for effects that never come, not for slow ones: a busy machine can be many times slower than an idle one.
 *   It is less than Jest's limit of a test in this repository, so that the failure names the effect
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 240_000): Promise<Exclude<T, Falsy>> {
  const until = Date.now() + withinMs;
  let pauseMs = FIRST_PAUSE_MS;
  let reason: unknown = new Error(`Not so within ${withinMs} ms: ${check.toString()}`);
  do {
    try {
      const found = await check();
      if (found) return found as Exclude<T, Falsy>;
    } catch (error) {
      reason = error;
    }
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs + GROWTH_MS, MAX_PAUSE_MS);
  } while (Date.now() < until);
  throw reason;
}
