import { Batcher } from './batcher.js';

/** Turns the event loop until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });

describe('a batcher', () => {
  it('sends calls that arrive during a batch together in the next, in order, and returns to each call its own result', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(async (batch) => {
      batches.push([...batch]);
      await new Promise((resolve) => setImmediate(resolve));
      return batch.map((n) => n * 2);
    });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => batcher.submit(n)));
    expect(answers).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(batches).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it('never sends more than its maximum in a batch', async () => {
    const sizes: number[] = [];
    const batcher = new Batcher<number, number>(async (batch) => (sizes.push(batch.length), batch), { max: 4 });
    await Promise.all(Array.from({ length: 10 }, (_, n) => batcher.submit(n)));
    expect(sizes).toEqual([4, 4, 2]);
  });

  it('retries a batch after a deadlock, and after no other error', async () => {
    let calls = 0;
    const batcher = new Batcher<number, number>(async (batch) => {
      if (++calls === 1) throw deadlock;
      return batch;
    });
    expect(await batcher.submit(1)).toBe(1);
    const broken = new Batcher<number, number>(() => Promise.reject(new Error('away')));
    await expect(broken.submit(1)).rejects.toThrow('away');
    expect(calls).toBe(2);
  });

  it('runs the next batch after a failed one', async () => {
    let calls = 0;
    const batcher = new Batcher<number, number>(async (batch) => {
      if (++calls === 1) throw new Error('once');
      return batch;
    });
    await expect(batcher.submit(1)).rejects.toThrow('once');
    expect(await batcher.submit(2)).toBe(2);
  });

  it('rejects calls that get no result', async () => {
    const batcher = new Batcher<number, number>(async () => []);
    await expect(batcher.submit(1)).rejects.toThrow('too few');
  });

  /** Batches that contain 'stuck' end when the test opens the gate. */
  const gated = (): { run: (batch: readonly string[]) => Promise<readonly string[]>; batches: string[][]; open: () => void } => {
    const batches: string[][] = [];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const run = async (batch: readonly string[]): Promise<readonly string[]> => {
      batches.push([...batch]);
      if (batch.includes('stuck')) await gate;
      return batch;
    };
    return { run, batches, open };
  };

  it('starts a batch beside a stalled one, and only then', async () => {
    const { run, batches, open } = gated();
    const batcher = new Batcher<string, string>(run, { max: 8, workers: 2 });
    const stuck = batcher.submit('stuck');
    await until(() => batches.length === 1);
    expect(await Promise.all(['a', 'b'].map((item) => batcher.submit(item)))).toEqual(['a', 'b']);
    expect(await batcher.submit('c')).toBe('c');
    expect(batches).toEqual([['stuck'], ['a', 'b'], ['c']]);
    expect(batcher.ageMs).toBeGreaterThan(0);
    open();
    expect(await stuck).toBe('stuck');
    expect([batcher.waiting, batcher.ageMs]).toEqual([0, 0]);
  });

  it('refuses calls beyond the queue’s maximum, calls that waited too long and calls that were aborted', async () => {
    const { run, batches, open } = gated();
    const dropped = new Set<string>();
    const batcher = new Batcher<string, string>(run, {
      max: 8,
      maxWaiting: 2,
      maxWaitMs: 400,
      isDropped: (item) => dropped.has(item),
    });
    const stuck = batcher.submit('stuck');
    await until(() => batches.length === 1);
    const late = batcher.submit('late');
    const alsoLate = batcher.submit('also late');
    await expect(batcher.submit('too many')).rejects.toMatchObject({ reason: 'full' });
    await expect(late).rejects.toMatchObject({ reason: 'late' });
    await expect(alsoLate).rejects.toMatchObject({ reason: 'late' });
    dropped.add('gone');
    const gone = batcher.submit('gone');
    const wanted = batcher.submit('wanted');
    open();
    await expect(gone).rejects.toMatchObject({ reason: 'dropped' });
    expect([await stuck, await wanted]).toEqual(['stuck', 'wanted']);
    expect(batches).toEqual([['stuck'], ['wanted']]);
  });
});
