import { setTimeout as delay } from 'node:timers/promises';
import { FairQueue, QUEUE_LIMITS, type QueueLimits } from './fair-queue.js';

describe('FairQueue', () => {
  const of = (limits: Partial<QueueLimits> = {}): FairQueue => new FairQueue('database', { atOnce: 1, ...limits });
  const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('runs at once while places are free, without a promise, and leaves when the work ends or fails', async () => {
    const queue = of();
    expect(queue.run('a', () => 1)).toBe(1);
    expect(() =>
      queue.run('a', () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    await expect(queue.run('a', () => Promise.reject(new Error('later')))).rejects.toThrow('later');
    expect(queue.run('b', () => 2)).toBe(2);
  });

  it('serves keys in turn and keeps the order within a key', async () => {
    const queue = of();
    const turn = await queue.enter('holder');
    const order: string[] = [];
    const done = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => queue.run(name.charAt(0), () => void order.push(name)));
    expect(queue.length).toBe(6);
    turn.end();
    turn.end();
    await Promise.all(done.map((each) => Promise.resolve(each)));
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('gives one key its share only, while others are served', async () => {
    const queue = of({ atOnce: 2, atOnceEach: 1 });
    const turn = await queue.enter('a');
    const waits = Promise.resolve(queue.run('a', () => 'a'));
    expect(queue.run('b', () => 'b')).toBe('b');
    expect(queue.length).toBe(1);
    turn.end();
    expect(await waits).toBe('a');
  });

  it('rejects what is too much, too old, or of a caller that has gone, also while no task ends', async () => {
    const usual = [jest.replaceProperty(QUEUE_LIMITS, 'waitingEach', 2), jest.replaceProperty(QUEUE_LIMITS, 'ageMs', 1)];
    const queue = of();
    for (const limit of usual) limit.restore();
    const turn = await queue.enter('a');
    const [aged, gone] = [queue.run('a', () => 1), queue.run('a', () => 2, { isGone: true })];
    await expect(queue.run('a', () => 3)).rejects.toMatchObject({ queue: 'database', because: 'full' });
    await expect(gone).rejects.toMatchObject({ because: 'gone' });
    await expect(aged).rejects.toMatchObject({ because: 'aged' });
    expect(queue.length).toBe(0);
    turn.end();
    expect(queue.run('a', () => 4)).toBe(4);
  });

  it('frees the thread after one pass of the event loop, whatever the work waits for', async () => {
    const queue = of({ endsWithPass: true });
    const endless = queue.run('a', () => delay(60_000, undefined, { ref: false }));
    const next = queue.run('b', () => 'b');
    expect(queue.length).toBe(1);
    await tick();
    expect(await next).toBe('b');
    expect(endless).toBeInstanceOf(Promise);
  });
});
