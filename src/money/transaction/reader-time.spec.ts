import { Clock } from '../../platform/kernel/clock.js';
import { ReaderTime } from './history-file.service.js';

/** The database's clock is set back while time passes. */
class StillClock extends Clock {
  ms = 0;
  readonly delays: number[] = [];

  now(): number {
    return -this.ms;
  }

  override elapsed(): number {
    return this.ms;
  }

  timeout(delayMs: number): () => void {
    this.delays.push(delayMs);
    return () => undefined;
  }
}

describe('the time of a reader', () => {
  it('is half a minute at first, and 10 seconds more for each piece that it has taken', () => {
    const clock = new StillClock();
    const time = new ReaderTime(clock);
    for (const ms of [29_000, 9_000, 0]) {
      const take = time.wait(() => undefined);
      clock.ms += ms;
      take();
    }
    time.wait(() => undefined);
    expect(clock.delays).toEqual([30_000, 11_000, 12_000, 22_000]);
  });
});
