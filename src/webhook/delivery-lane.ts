import { FairSlots } from '../kernel/fair-slots.js';
import type { Loop, Loops } from '../loop/index.js';
import type { AttemptKind, ClaimedAttempt, DeliveryStore } from './delivery.store.js';

/** Seconds until the next attempt, after each failed one: nine attempts within two days. */
const PAUSES_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000] as const;
/** Of a caller without a credential: four attempts within 36 minutes. */
const ANONYMOUS_PAUSES_SECONDS = [5, 300, 1_800] as const;

export interface LaneOptions extends AttemptKind {
  readonly name: string;
  /** Attempts of this process at the same time. */
  readonly maxAtOnce: number;
  readonly pausesSeconds: readonly number[];
}

/** Together less than the requests that `egress` permits, beside those of LNURL. */
export const LANES: readonly LaneOptions[] = [
  { name: 'webhook_first', isLater: false, isAnonymous: false, maxAtOnce: 64, pausesSeconds: PAUSES_SECONDS },
  { name: 'webhook_later', isLater: true, isAnonymous: false, maxAtOnce: 32, pausesSeconds: PAUSES_SECONDS },
  { name: 'webhook_anonymous_first', isLater: false, isAnonymous: true, maxAtOnce: 16, pausesSeconds: ANONYMOUS_PAUSES_SECONDS },
  { name: 'webhook_anonymous_later', isLater: true, isAnonymous: true, maxAtOnce: 8, pausesSeconds: ANONYMOUS_PAUSES_SECONDS },
];

const POLL_MS = 1_000;
/** Longer than the time-out of an attempt and the statement that stores its end. After a crash the endpoint waits for so long. */
export const CLAIM_SECONDS = 30;

export interface LaneParts {
  readonly store: DeliveryStore;
  readonly loops: Loops;
  readonly onFailure: (error: Error) => void;
  /** Makes an attempt and stores its end. Never rejects. */
  readonly make: (attempt: ClaimedAttempt, lane: DeliveryLane) => Promise<void>;
}

/**
 * Attempts of one kind, with slots of their own: they never wait for those of another kind. The owners of the deliveries share the slots, and an
 * owner has no more of them than are free, so that a few whose endpoints are slow leave room for the others.
 */
export class DeliveryLane {
  private readonly slots: FairSlots;
  private readonly loop: Loop;
  private readonly inProgress = new Set<Promise<void>>();

  constructor(
    readonly options: LaneOptions,
    private readonly parts: LaneParts,
  ) {
    this.slots = new FairSlots(options.maxAtOnce);
    this.loop = parts.loops.create({
      name: options.name,
      pauseMs: POLL_MS,
      round: (signal) => this.fill(signal),
      onFailure: parts.onFailure,
    });
  }

  start(): void {
    this.loop.start();
  }

  /** There may be something to deliver now. */
  wake(): void {
    this.loop.wake();
  }

  /** Begins no further attempt, and waits for those in progress. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.inProgress);
  }

  /** Each call of the store gives a turn to each owner in line: owners with much to do get their next ones after the others. */
  private async fill(signal: AbortSignal): Promise<void> {
    const { store } = this.parts;
    let claimed: readonly ClaimedAttempt[];
    do {
      if (signal.aborted || this.slots.free === 0) return;
      claimed = await store.claim(this.options, this.slots.free, { seconds: CLAIM_SECONDS, without: this.slots.refused });
      for (const attempt of claimed) this.begin(attempt);
    } while (claimed.length > 0);
  }

  private begin(attempt: ClaimedAttempt): void {
    const give = this.slots.take(attempt.ownerId);
    // The others of this claim may have taken what was free: the attempt is made when its owner may have a slot again.
    const made = give ? this.parts.make(attempt, this).finally(give) : this.parts.store.release(attempt, 0).catch(this.parts.onFailure);
    const done = made.finally(() => this.inProgress.delete(done));
    this.inProgress.add(done);
  }
}
