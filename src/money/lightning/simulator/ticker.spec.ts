import { Ticker, type Tick } from './ticker.js';

const tickOf = (ours: bigint, dueInMs: number | null = null): Tick => ({ last: { ours, outside: 0n }, restores: 0, dueInMs });
const listening = (): AbortSignal => new AbortController().signal;

describe('the simulator’s ticker', () => {
  let looks = 0;
  let tick: () => Promise<Tick>;
  let ticker: Ticker;
  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers();
    looks = 0;
    tick = () => Promise.resolve(tickOf(0n));
    ticker = new Ticker(() => {
      looks++;
      return tick();
    });
  });
  afterEach(() => {
    ticker.stop();
    jest.useRealTimers();
  });

  /** Waits for tick after tick, as a stream does. */
  async function stay(): Promise<void> {
    const signal = listening();
    while (await ticker.next(signal));
  }

  it('does not poll without listeners', async () => {
    ticker.poll();
    await pass(60_000);
    expect(looks).toBe(0);
    const next = ticker.next(listening());
    await pass(1_000);
    expect(await next).toEqual(tickOf(0n));
    await pass(60_000);
    expect(looks).toBe(1);
  });

  it('backs off while nothing happens, but polls at least twice a second', async () => {
    void stay();
    await pass(60_000);
    expect(looks).toBeGreaterThan(120);
    expect(looks).toBeLessThan(200);
  });

  it('polls at once when it is woken, also during a poll', async () => {
    void stay();
    await pass(10_000);
    const before = looks;
    ticker.poll();
    await pass(1);
    expect(looks).toBe(before + 1);
    let answer: (tick: Tick) => void = () => undefined;
    tick = () => new Promise((resolve) => (answer = resolve));
    ticker.poll();
    await pass(1);
    ticker.poll();
    answer(tickOf(1n));
    await pass(1);
    expect(looks).toBe(before + 3);
  });

  it('polls when a payment is due', async () => {
    tick = () => Promise.resolve(tickOf(0n, 30));
    void stay();
    await pass(100);
    const before = looks;
    await pass(300);
    expect(looks - before).toBe(10);
  });

  it('wakes all listeners, and none that has left', async () => {
    const leaving = new AbortController();
    const [stays, leaves] = [ticker.next(listening()), ticker.next(leaving.signal)];
    leaving.abort();
    expect(await leaves).toBeUndefined();
    await pass(1_000);
    expect(await stays).toEqual(tickOf(0n));
    expect(await ticker.next(leaving.signal)).toBeUndefined();
  });

  it('reports that the simulator’s state cannot be read, and that it is stopped', async () => {
    tick = () => Promise.reject(new Error('away'));
    const blind = ticker.next(listening());
    await pass(1_000);
    expect(await blind).toBeUndefined();
    const stopped = ticker.next(listening());
    ticker.stop();
    expect(await stopped).toBeUndefined();
    expect(await ticker.next(listening())).toBeUndefined();
  });
});
