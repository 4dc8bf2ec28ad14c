import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Clock } from '../kernel/clock.js';
import { Metrics } from '../metrics/index.js';
import { RateLimiter, type RateLimitResult } from '../rate-limit/index.js';
import { AdmissionLimit } from './admission-limit.js';
import { LeakyBucketQueue } from './leaky-bucket-queue.js';
import type { SignInOutcome } from './sign-in.outcome.js';

/**
 * Concurrent attempts. Right answers use up no limit, so this limit keeps a few addresses from filling the queue of comparisons: an
 * address without an attempt in progress may join even when the queue holds five seconds of work of one core.
 */
const ADMISSION = { all: 4_096, shared: 256, each: 32 };
/** The same for known browsers, by the account of their cookie. */
const KNOWN_ADMISSION = { all: 4_096, shared: 256, each: 4 };
/** Maximum of attempts that wait for a comparison, of all addresses past their limit. */
const SLOW_IN_ALL = 1_024;

type SignInPolicy = 'signInAccount' | 'signInAddress' | 'signInDevice';

/** The rate limits of sign-in by password, and the queue of addresses past theirs. */
@Injectable()
export class SignInLimits implements OnModuleDestroy {
  readonly slots = new AdmissionLimit(ADMISSION);
  readonly knownSlots = new AdmissionLimit(KNOWN_ADMISSION);
  /** For addresses past their limit: one turn per interval. */
  readonly slowQueue: LeakyBucketQueue;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly config: Config,
    clock: Clock,
    metrics: Metrics,
  ) {
    const { slowMs, slowQueue } = config.session;
    this.slowQueue = new LeakyBucketQueue(clock, { everyMs: slowMs, waiting: slowQueue, waitingInAll: SLOW_IN_ALL });
    metrics.gauge(
      'sluice_sign_in_slow_waiting',
      'Sign-ins of addresses past their limit that wait for a comparison',
      () => this.slowQueue.waiting,
    );
  }

  /** Runs before the HTTP server waits for its requests to end. */
  onModuleDestroy(): void {
    this.slowQueue.close();
  }

  async isUsedUp(policy: SignInPolicy, key: string): Promise<boolean> {
    return (await this.limiter.peek(policy, key)).isBlocked;
  }

  /** Counts a wrong answer under these policies, the narrowest first. */
  async wrong(keys: Partial<Record<SignInPolicy, string>>): Promise<SignInOutcome> {
    const limits = await Promise.all(Object.entries(keys).map(([policy, key]) => this.limiter.consume(policy as SignInPolicy, key)));
    const reached = limits.find(({ isBlocked }) => isBlocked);
    if (reached) return { kind: 'slowed_down', retryAfterSeconds: this.retryAfter(reached), limit: reached };
    return { kind: 'refused', ...(limits[0] && { limit: limits[0] }) };
  }

  /** The outcome when nothing was compared. */
  async closed(address: string): Promise<SignInOutcome> {
    const limit = await this.limiter.peek('signInAddress', address);
    return { kind: 'slowed_down', retryAfterSeconds: this.retryAfter(limit), limit };
  }

  /** For an address past its limit the next comparison is due soon, not at the end of the window. */
  private retryAfter({ policy, resetSeconds }: RateLimitResult): number {
    return policy.name === 'signInAddress' ? Math.min(resetSeconds, this.config.session.slowMs / 1000) : resetSeconds;
  }
}
