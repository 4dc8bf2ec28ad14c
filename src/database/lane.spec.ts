import { Lane } from './lane.js';

const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });

describe('a lane', () => {
  it('takes whoever queued while one batch ran, in order, and answers each their own', async () => {
    const batches: number[][] = [];
    const lane = new Lane<number, number>(async (batch) => {
      batches.push([...batch]);
      await new Promise((resolve) => setImmediate(resolve));
      return batch.map((n) => n * 2);
    });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => lane.submit(n)));
    expect(answers).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(batches).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it('never takes more than it may', async () => {
    const sizes: number[] = [];
    const lane = new Lane<number, number>(async (batch) => (sizes.push(batch.length), batch), { max: 4 });
    await Promise.all(Array.from({ length: 10 }, (_, n) => lane.submit(n)));
    expect(sizes).toEqual([4, 4, 2]);
  });

  it('tries a deadlock again, and nothing else', async () => {
    let calls = 0;
    const lane = new Lane<number, number>(async (batch) => {
      if (++calls === 1) throw deadlock;
      return batch;
    });
    expect(await lane.submit(1)).toBe(1);
    const broken = new Lane<number, number>(() => Promise.reject(new Error('away')));
    await expect(broken.submit(1)).rejects.toThrow('away');
    expect(calls).toBe(2);
  });

  it('goes on after a failed batch', async () => {
    let calls = 0;
    const lane = new Lane<number, number>(async (batch) => {
      if (++calls === 1) throw new Error('once');
      return batch;
    });
    await expect(lane.submit(1)).rejects.toThrow('once');
    expect(await lane.submit(2)).toBe(2);
  });

  it('does not leave a caller without an answer', async () => {
    const lane = new Lane<number, number>(async () => []);
    await expect(lane.submit(1)).rejects.toThrow('too few');
  });
});
