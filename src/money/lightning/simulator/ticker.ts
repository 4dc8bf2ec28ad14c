import { unlessAborted } from '../../../platform/kernel/unless-aborted.js';

/** The state of the simulated network: for each node, the number of its payments that have ended. */
export interface Tick {
  readonly last: { readonly ours: bigint; readonly outside: bigint };
  readonly restores: number;
  /** Null if no payment in flight ends by itself. */
  readonly dueInMs: number | null;
}

const BUSY_PAUSE_MS = 100;
/** Other processes change the tables too; the ticker notices that within this time. */
const IDLE_PAUSE_MS = 400;
const CALMING = 1.3;
/** A payment that is due but has not ended is being ended by another process. */
const DUE_PAUSE_MS = 5;

/**
 * Polls the simulator's tables while a caller waits, and not otherwise: often while payments end, exactly when a payment is due, at once
 * after `poll()`. These are the simulated node's own actions, so it uses real timers instead of `Clock`.
 */
export class Ticker {
  private pauseMs = BUSY_PAUSE_MS;
  private latest: Tick | undefined;
  private pending: Promise<Tick | undefined> | undefined;
  private endPause = (): void => undefined;
  private timer: NodeJS.Timeout | undefined;
  private isChanged = false;
  private stopped = false;

  constructor(private readonly look: () => Promise<Tick>) {}

  /** The result of the next poll. Undefined if the poll fails, or if `signal` or `stop()` ends the wait. */
  next(signal: AbortSignal): Promise<Tick | undefined> {
    if (signal.aborted || this.stopped) return Promise.resolve(undefined);
    return unlessAborted((this.pending ??= this.lookAfterPause()), signal);
  }

  poll(): void {
    this.isChanged = true;
    this.pauseMs = BUSY_PAUSE_MS;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.endPause, 0);
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.endPause();
  }

  private async lookAfterPause(): Promise<Tick | undefined> {
    const pause = this.isChanged ? 0 : Math.min(this.pauseMs, Math.max(DUE_PAUSE_MS, this.latest?.dueInMs ?? Infinity));
    await new Promise<void>((resolve) => {
      this.endPause = resolve;
      this.timer = setTimeout(resolve, pause);
    });
    this.isChanged = false;
    const tick = this.stopped ? undefined : await this.look().catch(() => undefined);
    const moved = tick?.last.ours !== this.latest?.last.ours || tick?.last.outside !== this.latest?.last.outside;
    this.pauseMs = moved ? BUSY_PAUSE_MS : Math.min(this.pauseMs * CALMING, IDLE_PAUSE_MS);
    this.latest = tick;
    this.pending = undefined;
    return this.stopped ? undefined : tick;
  }
}
