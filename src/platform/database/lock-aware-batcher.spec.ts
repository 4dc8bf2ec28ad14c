import { LockAwareBatcher } from './lock-aware-batcher.js';

const lockTimeout = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

describe('a lock-aware batcher', () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  /** `foreign` is what another session holds, `busy` what other batches of Sluice hold for a moment. */
  const batcherOver = (foreign: ReadonlySet<string>, busy: ReadonlySet<string>, asked: boolean[]): LockAwareBatcher<string, string> =>
    new LockAwareBatcher(
      async (batch) => {
        asked.push(false);
        if (batch.some((item) => foreign.has(item))) throw lockTimeout;
        return batch.map((item) => `${item} done`);
      },
      {
        max: 8,
        locked: async (batch) => {
          asked.push(true);
          return batch.map((item) => foreign.has(item) || busy.has(item));
        },
        lockedOutcome: (item) => `${item} locked`,
        keyOf: (item) => item,
      },
    );

  it('retries with a lock wait after the other session ended, however often its own batches lock the same rows', async () => {
    const [foreign, busy, asked] = [new Set(['a']), new Set<string>(), [] as boolean[]];
    const batcher = batcherOver(foreign, busy, asked);
    expect(await batcher.submit('a')).toBe('a locked');
    foreign.clear();
    for (let n = 0; n < 200; n++) {
      busy.add(`b${n}`);
      const outcome = await batcher.submit(`b${n}`);
      busy.clear();
      now += 100;
      if (outcome === `b${n} locked`) expect(await batcher.submit(`b${n}`)).toBe(`b${n} done`);
    }
    expect(asked.at(-1)).toBe(false);
  });

  it('does not wait for a row that pg_locks still shows as locked', async () => {
    const asked: boolean[] = [];
    const batcher = batcherOver(new Set(['a']), new Set(), asked);
    for (let n = 0; n < 20; n++) {
      expect(await batcher.submit('a')).toBe('a locked');
      now += 5_100;
    }
    expect(asked.filter((isQuestion) => !isQuestion)).toHaveLength(1);
  });

  it('gives each item of a batch its own outcome', async () => {
    const batcher = batcherOver(new Set(['a', 'd']), new Set(), []);
    const outcomes = await Promise.all(['b', 'a', 'c', 'd', 'e'].map((item) => batcher.submit(item)));
    expect(outcomes).toEqual(['b done', 'a locked', 'c done', 'd locked', 'e done']);
  });

  it('sends what waited while a batch reached its lock timeout in a batch that asks', async () => {
    let reject: (error: Error) => void = () => undefined;
    const waiting: (readonly string[])[] = [];
    const batcher = new LockAwareBatcher<string, string>(
      async (batch) => {
        waiting.push(batch);
        return batch.includes('a') ? new Promise((_resolve, fail) => (reject = fail)) : batch.map((item) => `${item} done`);
      },
      {
        workers: 1,
        locked: async (batch) => batch.map((item) => item === 'a'),
        lockedOutcome: (item) => `${item} locked`,
        keyOf: (item) => item,
      },
    );
    const first = batcher.submit('a');
    await new Promise(setImmediate);
    const others = ['a', 'b'].map((item) => batcher.submit(item));
    reject(lockTimeout);
    expect(await Promise.all([first, ...others])).toEqual(['a locked', 'a locked', 'b done']);
    expect(waiting).toEqual([['a'], ['b']]);
  });
});
