import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

type Falsy = false | 0 | '' | null | undefined;

/**
 * Waits for what happens by itself (a listener's work, a process, a file); looks often, and gives up with the last reason.
 * @param check passes by returning what is true, or not empty; may throw meanwhile
 * @param withinMs a wait of more than ten seconds shows a fault, as a rule
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 10_000): Promise<Exclude<T, Falsy>> {
  const until = Date.now() + withinMs;
  let reason: unknown = new Error(`Not so within ${withinMs} ms: ${check.toString()}`);
  do {
    try {
      const found = await check();
      if (found) return found as Exclude<T, Falsy>;
    } catch (error) {
      reason = error;
    }
    await delay(POLL_MS);
  } while (Date.now() < until);
  throw reason;
}
