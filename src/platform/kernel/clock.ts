export const DAY_SECONDS = 86_400;

/** The clock of this process. For timeouts, and for times from outside: the database's `now()` sets every stored time. Tests advance it. */
export abstract class Clock {
  /** Milliseconds since the epoch. It can be set back or forth: `elapsed()` measures how long ago something was. */
  abstract now(): number;
  /** Milliseconds that pass evenly, from any origin. */
  elapsed(): number {
    return this.now();
  }
  /** Runs `work` once after `delayMs`; the returned function cancels it. */
  abstract timeout(delayMs: number, work: () => void): () => void;
  /** Takes over the time of the database, in milliseconds since the epoch. A clock of a test or of an extension keeps its own. */
  follow(_databaseMs: number): void {}
}

/** A `setTimeout` beyond this fires at once, so a longer wait runs in steps. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Once it follows the database's clock, neither a wrong clock of this machine nor one that is set changes it. */
export class SystemClock extends Clock {
  private originMs = Date.now() - performance.now();

  now(): number {
    return this.originMs + performance.now();
  }

  override elapsed(): number {
    return performance.now();
  }

  override follow(databaseMs: number): void {
    this.originMs = databaseMs - performance.now();
  }

  timeout(delayMs: number, work: () => void): () => void {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      const step = Math.min(leftMs, MAX_TIMER_MS);
      timer = setTimeout(() => (leftMs > step ? wait(leftMs - step) : work()), step);
    };
    wait(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  }
}
