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
  private readonly waiting = new Set<(tick: Tick | undefined) => void>();
  private pauseMs = BUSY_PAUSE_MS;
  private latest: Tick | undefined;
  private looking = false;
  private again = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly look: () => Promise<Tick>) {}

  /** The result of the next poll. Undefined if the poll fails, or if `signal` or `stop()` ends the wait. */
  next(signal: AbortSignal): Promise<Tick | undefined> {
    if (signal.aborted || this.stopped) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const finish = (tick: Tick | undefined): void => {
        signal.removeEventListener('abort', leave);
        this.waiting.delete(finish);
        resolve(tick);
      };
      const leave = (): void => finish(undefined);
      signal.addEventListener('abort', leave);
      this.waiting.add(finish);
      this.schedule();
    });
  }

  /** The tables have changed: poll now. */
  poll(): void {
    this.again = true;
    this.pauseMs = BUSY_PAUSE_MS;
    if (this.looking || this.waiting.size === 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.schedule();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.notify(undefined);
  }

  private schedule(): void {
    if (this.looking || this.timer !== undefined || this.stopped) return;
    const pause = this.again ? 0 : Math.min(this.pauseMs, Math.max(DUE_PAUSE_MS, this.latest?.dueInMs ?? Infinity));
    this.timer = setTimeout(() => void this.lookOnce(), pause);
  }

  private async lookOnce(): Promise<void> {
    this.timer = undefined;
    this.again = false;
    this.looking = true;
    const tick = await this.look().catch(() => undefined);
    this.looking = false;
    const moved = tick?.last.ours !== this.latest?.last.ours || tick?.last.outside !== this.latest?.last.outside;
    this.pauseMs = moved ? BUSY_PAUSE_MS : Math.min(this.pauseMs * CALMING, IDLE_PAUSE_MS);
    this.latest = tick;
    this.notify(this.stopped ? undefined : tick);
  }

  private notify(tick: Tick | undefined): void {
    for (const finish of [...this.waiting]) finish(tick);
  }
}
