import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for something outside our reach (a process, a file) to become true; looks often, and gives up with the last reason.
 * @param check passes by returning anything but false, null or undefined; may throw meanwhile
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 10_000): Promise<NonNullable<T>> {
  const until = Date.now() + withinMs;
  let reason: unknown = new Error(`not so within ${withinMs} ms: ${check.toString()}`);
  do {
    try {
      const found = await check();
      if (found !== false && found !== null && found !== undefined) return found;
    } catch (error) {
      reason = error;
    }
    await delay(20);
  } while (Date.now() < until);
  throw reason;
}
