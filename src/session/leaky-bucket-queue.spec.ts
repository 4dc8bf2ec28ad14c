import { Clock } from '../kernel/clock.js';
import { LeakyBucketQueue } from './leaky-bucket-queue.js';

/** A clock that the test advances. */
class TurnedClock extends Clock {
  private due: (() => void)[] = [];
  override now(): number {
    return 0;
  }
  override timeout(_delayMs: number, work: () => void): () => void {
    this.due.push(work);
    return () => void (this.due = this.due.filter((each) => each !== work));
  }
  /** Runs each due callback once. */
  turn(): void {
    for (const work of this.due.splice(0)) work();
  }
  get isIdle(): boolean {
    return this.due.length === 0;
  }
}

describe('LeakyBucketQueue', () => {
  const here = (): boolean => false;
  const open = (): { clock: TurnedClock; queue: LeakyBucketQueue } => {
    const clock = new TurnedClock();
    return { clock, queue: new LeakyBucketQueue(clock, { everyMs: 10_000, waiting: 2, waitingInAll: 3 }) };
  };

  it('serves the first caller of a key at once, and the others one by one at the interval', async () => {
    const { clock, queue } = open();
    const served: string[] = [];
    const join = (name: string): unknown => queue.take('a', here).then((hasTurn) => served.push(`${name} ${hasTurn}`));
    join('one');
    join('two');
    join('three');
    await queue.take('b', here);
    expect(served).toEqual(['one true']);
    clock.turn();
    await Promise.resolve();
    expect(served).toEqual(['one true', 'two true']);
    clock.turn();
    await Promise.resolve();
    expect(served).toEqual(['one true', 'two true', 'three true']);
    expect(queue.waiting).toBe(0);
    clock.turn();
    expect(clock.isIdle).toBe(true);
  });

  it('has a maximum of callers for each key, and for all keys together', async () => {
    const { queue } = open();
    for (const key of ['a', 'b']) await queue.take(key, here);
    for (const key of ['a', 'a', 'b']) void queue.take(key, here);
    expect(await queue.take('a', here)).toBe(false);
    expect(await queue.take('b', here)).toBe(false);
    expect(queue.waiting).toBe(3);
  });

  it('rejects all callers when it is closed, and keeps no timer', async () => {
    const { clock, queue } = open();
    await queue.take('a', here);
    const waiting = queue.take('a', here);
    queue.close();
    expect([await waiting, await queue.take('b', here), queue.waiting, clock.isIdle]).toEqual([false, false, 0, true]);
  });

  it('gives the turn of a caller that left to another, without an extra turn', async () => {
    const { clock, queue } = open();
    let isGone = false;
    await queue.take('a', here);
    const [left, stayed] = [queue.take('a', () => isGone), queue.take('a', here)];
    isGone = true;
    const late = queue.take('a', here);
    expect(await left).toBe(false);
    clock.turn();
    expect(await stayed).toBe(true);
    clock.turn();
    expect(await late).toBe(true);
  });
});
