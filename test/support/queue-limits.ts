import type { FairQueue } from '../../src/edge/http/index.js';

/** The limits of a queue, for tests to change while work waits: a machine may be slow, and slowness alone must refuse nothing. */
export const limitsOf = (queue: FairQueue): { ageMs: number } => (queue as unknown as { readonly limits: { ageMs: number } }).limits;

/** Longer than any test. */
export const NEVER_MS = 900_000;

/** All work that waits in the queue has waited too long, while `work` runs. */
export async function whileTooSlow(queue: FairQueue, work: () => Promise<unknown>): Promise<void> {
  const limits = limitsOf(queue);
  const usual = limits.ageMs;
  limits.ageMs = -1;
  try {
    await work();
  } finally {
    limits.ageMs = usual;
  }
}
