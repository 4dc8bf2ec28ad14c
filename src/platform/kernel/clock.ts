export const DAY_SECONDS = 86_400;

/** The process clock. For timeouts only: the database's `now()` sets every stored time. Tests advance it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
  /** Runs `work` once after `delayMs`; the returned function cancels it. */
  abstract timeout(delayMs: number, work: () => void): () => void;
}

/** A `setTimeout` beyond this fires at once, so a longer wait runs in steps. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
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
