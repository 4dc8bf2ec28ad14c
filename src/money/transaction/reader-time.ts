import type { Clock } from '../../platform/kernel/clock.js';

const FIRST_MS = 30_000;
const PIECE_MS = 10_000;

/** How long the reader of a download may still make it wait: readers that take little at a time would keep the downloads of all others from beginning. */
export class ReaderTime {
  private leftMs = FIRST_MS;

  constructor(private readonly clock: Clock) {}

  /**
   * Waits for the reader.
   * @param end is called when its time is over
   * @returns a function that ends the wait: the reader has taken the piece
   */
  wait(end: () => void): () => void {
    const since = this.clock.now();
    const cancel = this.clock.timeout(this.leftMs, end);
    return () => {
      cancel();
      this.leftMs += PIECE_MS - (this.clock.now() - since);
    };
  }
}
