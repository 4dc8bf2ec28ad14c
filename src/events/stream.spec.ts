import { EventEmitter } from 'node:events';
import { listen } from './listen.js';
import { mapped } from './stream.js';

describe('a stream made of another', () => {
  const bus = new EventEmitter();
  const evens = (): ReturnType<typeof mapped<number, string>> =>
    mapped(listen<number>(bus, 'number'), (n) => (n % 2 === 0 ? `even ${n}` : undefined));

  it('gives what is made of each event, and leaves out what nothing is made of', async () => {
    const stream = evens();
    for (const n of [1, 2, 3, 4]) bus.emit('number', n);
    expect([await stream.next(), await stream.next()]).toEqual([
      { done: false, value: 'even 2' },
      { done: false, value: 'even 4' },
    ]);
    await stream.return(undefined);
  });

  it('ends at once, also while somebody waits for its next event, and leaves no listener', async () => {
    const stream = evens();
    const waiting = stream.next();
    expect(bus.listenerCount('number')).toBe(1);
    await stream.return(undefined);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(bus.listenerCount('number')).toBe(0);
  });
});
