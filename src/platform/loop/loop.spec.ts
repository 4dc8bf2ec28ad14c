import { Clock } from '../kernel/clock.js';
import { Metrics } from '../metrics/index.js';
import { Loops, type Loop, type LoopOptions } from './loop.js';

/** A clock that the test turns. */
class TurnedClock extends Clock {
  pausesMs: number[] = [];
  private work: (() => void) | undefined;

  nowMs = 0;

  /** The database's clock is set back all the time. */
  override now(): number {
    return -this.nowMs;
  }

  override elapsed(): number {
    return this.nowMs;
  }

  override timeout(delayMs: number, work: () => void): () => void {
    this.pausesMs.push(delayMs);
    this.work = work;
    return () => (this.work = undefined);
  }

  get isWaiting(): boolean {
    return this.work !== undefined;
  }

  turn(): void {
    const { work } = this;
    this.work = undefined;
    work?.();
  }
}

const eventually = async (check: () => boolean | undefined): Promise<void> => {
  while (!check()) await new Promise(setImmediate);
};

describe('a loop', () => {
  let clock: TurnedClock;
  let metrics: Metrics;
  let loops: Loops;
  let failures: string[];
  let rounds: number;

  beforeEach(() => {
    clock = new TurnedClock();
    metrics = new Metrics();
    loops = new Loops(clock, metrics);
    failures = [];
    rounds = 0;
  });

  const made = (options: Partial<LoopOptions> = {}): Loop =>
    loops.create({
      name: 'test',
      pauseMs: 1_000,
      round: async () => void rounds++,
      onFailure: ({ message }) => void failures.push(message),
      ...options,
    });
  /** Runs the round that is due, to its end. */
  const turn = async (): Promise<void> => {
    await eventually(() => clock.isWaiting);
    clock.turn();
    await eventually(() => clock.isWaiting);
  };
  /** A round that lasts until the test ends it. */
  const held = (): { round: LoopOptions['round']; end: () => void; signals: AbortSignal[] } => {
    const ends: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    return {
      round: (signal) => {
        rounds++;
        signals.push(signal);
        return new Promise((resolve) => ends.push(resolve));
      },
      end: () => ends.shift()?.(),
      signals,
    };
  };

  it('runs at start, and again after a pause that is up to a tenth shorter than asked', async () => {
    made().start();
    for (let round = 0; round < 50; round++) await turn();
    expect(rounds).toBe(50);
    const [first, ...pauses] = clock.pausesMs;
    expect(first).toBe(0);
    expect(Math.min(...pauses)).toBeGreaterThan(900);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_000);
    expect(new Set(pauses).size).toBeGreaterThan(10);
  });

  it('derives its pause from the length of a round', async () => {
    const asked: number[] = [];
    made({ pauseMs: (ms) => asked.push(ms) * 10_000 }).start();
    await turn();
    expect(asked).toEqual([expect.any(Number)]);
    expect(clock.pausesMs[1]).toBeGreaterThan(9_000);
  });

  it('repeats a failed round; its pause grows only up to the maximum, and shrinks after a success', async () => {
    let isBroken = true;
    const round = async (): Promise<void> => {
      if (isBroken) throw new Error('no database');
    };
    made({ maxPauseMs: 3_000, round }).start();
    for (let failed = 0; failed < 4; failed++) await turn();
    isBroken = false;
    await turn();
    expect(clock.pausesMs.slice(1).map((ms) => Math.ceil(ms / 1_000))).toEqual([1, 2, 3, 3, 1]);
    expect(await metrics.text()).toContain('sluice_loop_rounds_total{loop="test",result="failed"} 4');
    expect(await metrics.text()).toContain('sluice_loop_rounds_total{loop="test",result="done"} 1');
  });

  it('reports the first failure, and then one in 30 seconds', async () => {
    made({ round: () => Promise.reject(new Error('no database')) }).start();
    for (const atMs of [0, 1_000, 29_999, 30_000, 59_999, 60_000]) {
      clock.nowMs = atMs;
      await turn();
    }
    expect(failures).toEqual(Array(3).fill('no database'));
    expect(await metrics.text()).toContain('sluice_loop_rounds_total{loop="test",result="failed"} 6');
  });

  it('never runs two rounds at once: a wake during a round makes one more', async () => {
    const { round, end } = held();
    const loop = made({ round });
    loop.start();
    clock.turn();
    await eventually(() => rounds === 1);
    for (let woken = 0; woken < 5; woken++) loop.wake();
    expect(rounds).toBe(1);
    end();
    await eventually(() => rounds === 2);
    end();
    await eventually(() => clock.isWaiting);
    expect(rounds).toBe(2);
  });

  it('runs at once when it is woken in a pause, and pauses after a failure although it was woken', async () => {
    const loop = made({
      round: async () => {
        rounds++;
        loop.wake();
        throw new Error('again');
      },
    });
    loop.start();
    loop.wake();
    await eventually(() => rounds === 1 && clock.isWaiting);
    expect(rounds).toBe(1);
    loop.wake();
    await eventually(() => rounds === 2 && clock.isWaiting);
    expect(rounds).toBe(2);
  });

  it('aborts a round that is past its limit, reports it, and begins no other before that one has ended', async () => {
    const { round, end, signals } = held();
    const loop = made({ round, limitMs: 20 });
    loop.start();
    clock.turn();
    await eventually(() => signals[0]?.aborted);
    expect(loop.roundMs).toBeGreaterThan(0);
    expect(await metrics.text()).toMatch(/sluice_loop_round_age_seconds\{loop="test"\} \d+\.\d/);
    loop.wake();
    expect(rounds).toBe(1);
    end();
    await eventually(() => clock.isWaiting);
    clock.turn();
    await eventually(() => rounds === 2);
    expect(failures[0]).toBe('it was not over within 0.02 s');
    end();
    await loop.stop();
    expect(await metrics.text()).toMatch(/sluice_loop_rounds_total\{loop="test",result="late"\} [12]/);
  });

  it('stops: the round is aborted, its end is awaited, its failure is not reported, and nothing begins any more', async () => {
    const loop = made({
      round: async (signal) => {
        rounds++;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new Error('interrupted');
      },
    });
    loop.start();
    clock.turn();
    await eventually(() => rounds === 1);
    await loop.stop();
    loop.wake();
    loop.start();
    expect({ rounds, failures, isWaiting: clock.isWaiting }).toEqual({ rounds: 1, failures: [], isWaiting: false });
  });

  it('begins no round when it is woken before its start', async () => {
    made().wake();
    await new Promise(setImmediate);
    expect(rounds).toBe(0);
  });

  it('starts and stops with the application if it has no other owner', async () => {
    loops.run({ name: 'run', pauseMs: 1_000, round: async () => void rounds++, onFailure: () => undefined });
    expect(clock.isWaiting).toBe(false);
    loops.onApplicationBootstrap();
    await turn();
    expect(rounds).toBe(1);
    await loops.onApplicationShutdown();
    expect(clock.isWaiting).toBe(false);
  });

  it('has a name of its own', () => {
    made();
    expect(() => made()).toThrow('There are two loops called test');
  });
});
