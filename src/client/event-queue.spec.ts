import { EventQueue } from './event-queue.js';

describe('the events of a subscription', () => {
  it('are read in their order, and then the end', async () => {
    const queue = new EventQueue<number>();
    const first = queue.next();
    queue.push(1);
    queue.push(2);
    queue.finish();
    queue.push(3);
    expect(await first).toEqual({ done: false, value: 1 });
    expect([await queue.next(), await queue.next(), await queue.next()]).toEqual([
      { done: false, value: 2 },
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });

  it('end with the first error, once', async () => {
    const queue = new EventQueue<number>();
    const waiting = queue.next();
    queue.finish({ error: new Error('lost') });
    queue.finish({ error: new Error('later') });
    await expect(waiting).rejects.toThrow('lost');
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  it('are dropped when the reader leaves, and the source stops', async () => {
    const queue = new EventQueue<number>();
    let stops = 0;
    queue.stop = () => stops++;
    const waiting = queue.next();
    await queue.return();
    queue.push(1);
    expect([stops, await waiting, await queue.next()]).toEqual([1, { done: true, value: undefined }, { done: true, value: undefined }]);
  });

  it('end with an error when 1,024 of them wait, which are read first', async () => {
    const queue = new EventQueue<number>();
    let stops = 0;
    queue.stop = () => stops++;
    for (let event = 0; event < 1_030; event++) queue.push(event);
    for (let event = 0; event < 1_024; event++) expect((await queue.next()).value).toBe(event);
    await expect(queue.next()).rejects.toThrow('More than 1024 events wait to be read');
    expect(stops).toBe(1);
  });
});
