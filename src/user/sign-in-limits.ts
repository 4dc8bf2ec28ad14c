import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Throttle, type BucketName } from '../auth/index.js';
import { Config } from '../config/index.js';
import { Clock } from '../kernel/clock.js';
import { Metrics } from '../metrics/index.js';
import { Drip } from './drip.js';
import type { SignInOutcome } from './sign-in.outcome.js';
import { Places } from './turns.js';

/**
 * Attempts side by side. Right answers cost nobody anything, so it is this and not a bucket that keeps a few addresses from filling the line
 * for passwords: whoever has no attempt under way may join even when the line is as long as five seconds of work on one core.
 */
const ROOM = { all: 4_096, crowded: 256, each: 32 };
/** The same for browsers that are known, by the account they are known for. */
const KNOWN_ROOM = { all: 4_096, crowded: 256, each: 4 };
/** Attempts of all addresses past their limit that wait for a comparison. */
const SLOW_IN_ALL = 1_024;

/** How many passwords may be tried, from where, and who waits. */
@Injectable()
export class SignInLimits implements OnModuleDestroy {
  readonly places = new Places(ROOM);
  readonly knownPlaces = new Places(KNOWN_ROOM);
  private readonly drip: Drip;

  constructor(
    private readonly throttle: Throttle,
    private readonly config: Config,
    clock: Clock,
    metrics: Metrics,
  ) {
    const { slowMs, slowQueue } = config.session;
    this.drip = new Drip(clock, { everyMs: slowMs, waiting: slowQueue, waitingInAll: SLOW_IN_ALL });
    metrics.gauge(
      'sluice_sign_in_slow_waiting',
      'Sign-ins of addresses past their limit that wait for a comparison',
      () => this.drip.waiting,
    );
  }

  /** Before the HTTP server waits for its requests to end. */
  onModuleDestroy(): void {
    this.drip.close();
  }

  isUsedUp(bucket: BucketName, key: string): boolean {
    return this.throttle.peek(bucket, key).isBlocked;
  }

  /** For an address past its limit: one turn every so often. */
  slowTurn(address: string, isGone: () => boolean): Promise<boolean> {
    return this.drip.take(address, isGone);
  }

  /** Counts a wrong answer in these buckets, of which the first is the narrowest. */
  wrong(keys: Partial<Record<BucketName, string>>): SignInOutcome {
    const limits = Object.entries(keys).map(([name, key]) => {
      const bucket = name as BucketName;
      return { bucket, hit: this.throttle.hit(bucket, key) };
    });
    const reached = limits.find(({ hit }) => hit.isBlocked);
    if (reached) return { kind: 'slowed_down', retryAfterSeconds: this.retryAfter(reached.bucket, reached.hit), limit: reached };
    return { kind: 'refused', ...(limits[0] && { limit: limits[0] }) };
  }

  /** Nothing was compared. */
  closed(address: string): SignInOutcome {
    const hit = this.throttle.peek('signInAddress', address);
    return { kind: 'slowed_down', retryAfterSeconds: this.retryAfter('signInAddress', hit), limit: { bucket: 'signInAddress', hit } };
  }

  /** Past the limit of an address the next comparison is near, and not the end of the window. */
  private retryAfter(bucket: BucketName, { timeToBlockExpire }: { readonly timeToBlockExpire: number }): number {
    return bucket === 'signInAddress' ? Math.min(timeToBlockExpire, this.config.session.slowMs / 1000) : timeToBlockExpire;
  }
}
