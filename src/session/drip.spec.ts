import { Clock } from '../kernel/clock.js';
import { Drip } from './drip.js';

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

describe('Drip', () => {
  const here = (): boolean => false;
  const open = (): { clock: TurnedClock; drip: Drip } => {
    const clock = new TurnedClock();
    return { clock, drip: new Drip(clock, { everyMs: 10_000, waiting: 2, waitingInAll: 3 }) };
  };

  it('serves the first caller of a key at once, and the others one by one at the interval', async () => {
    const { clock, drip } = open();
    const served: string[] = [];
    const join = (name: string): unknown => drip.take('a', here).then((hasTurn) => served.push(`${name} ${hasTurn}`));
    join('one');
    join('two');
    join('three');
    await drip.take('b', here);
    expect(served).toEqual(['one true']);
    clock.turn();
    await Promise.resolve();
    expect(served).toEqual(['one true', 'two true']);
    clock.turn();
    await Promise.resolve();
    expect(served).toEqual(['one true', 'two true', 'three true']);
    expect(drip.waiting).toBe(0);
    clock.turn();
    expect(clock.isIdle).toBe(true);
  });

  it('has a maximum of callers for each key, and for all keys together', async () => {
    const { drip } = open();
    for (const key of ['a', 'b']) await drip.take(key, here);
    for (const key of ['a', 'a', 'b']) void drip.take(key, here);
    expect(await drip.take('a', here)).toBe(false);
    expect(await drip.take('b', here)).toBe(false);
    expect(drip.waiting).toBe(3);
  });

  it('rejects all callers when it is closed, and keeps no timer', async () => {
    const { clock, drip } = open();
    await drip.take('a', here);
    const waiting = drip.take('a', here);
    drip.close();
    expect([await waiting, await drip.take('b', here), drip.waiting, clock.isIdle]).toEqual([false, false, 0, true]);
  });

  it('gives the place of a caller that left to another, without an extra turn', async () => {
    const { clock, drip } = open();
    let isGone = false;
    await drip.take('a', here);
    const [left, stayed] = [drip.take('a', () => isGone), drip.take('a', here)];
    isGone = true;
    const late = drip.take('a', here);
    expect(await left).toBe(false);
    clock.turn();
    expect(await stayed).toBe(true);
    clock.turn();
    expect(await late).toBe(true);
  });
});
