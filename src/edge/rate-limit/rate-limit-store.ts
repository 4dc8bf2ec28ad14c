import type { RateLimitPolicy } from './policies.js';

/** The count of a key in its present window. */
export interface RateLimitResult {
  readonly policy: RateLimitPolicy;
  readonly hits: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
  /** The limit is exceeded or, for a cost of 0, the next call would exceed it. */
  readonly isBlocked: boolean;
}

export abstract class RateLimitStore {
  /** Counts as `cost` calls in the window of its key, which begins with the key's first call; 0 reads the window and changes nothing. */
  abstract consume(policy: RateLimitPolicy, key: string, cost: number): Promise<RateLimitResult>;
}

export const resultOf = (policy: RateLimitPolicy, hits: number, leftMs: number, cost: number): RateLimitResult => ({
  policy,
  hits,
  resetSeconds: Math.ceil(leftMs / 1000),
  isBlocked: cost > 0 ? hits > policy.limit : hits >= policy.limit,
});
