import { EventEmitter } from 'node:events';
import { listen, SlowReaderError } from './listen.js';
import { mapped } from './stream.js';

describe('a mapped stream', () => {
  const bus = new EventEmitter();
  const evens = (): ReturnType<typeof mapped<number, string>> =>
    mapped(listen<number>(bus, 'number'), (n) => (n % 2 === 0 ? `even ${n}` : undefined));

  it('yields what is mapped from each event, and skips undefined', async () => {
    const stream = evens();
    for (const n of [1, 2, 3, 4]) bus.emit('number', n);
    expect([await stream.next(), await stream.next()]).toEqual([
      { done: false, value: 'even 2' },
      { done: false, value: 'even 4' },
    ]);
    await stream.return(undefined);
  });

  it('ends at once, also during a pending next(), and removes its listener', async () => {
    const stream = evens();
    const waiting = stream.next();
    expect(bus.listenerCount('number')).toBe(1);
    await stream.return(undefined);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(bus.listenerCount('number')).toBe(0);
  });
});

describe('the stream of a reader that does not come', () => {
  it('ends when it has fallen too far behind, keeps nothing, and says so at the next read', async () => {
    const bus = new EventEmitter();
    const stream = listen<number>(bus, 'number');
    for (let n = 0; n < 1_000; n++) bus.emit('number', n);
    expect(await stream.next()).toEqual({ done: false, value: 0 });
    for (let n = 0; n < 2; n++) bus.emit('number', n);
    expect([bus.listenerCount('number'), bus.listenerCount('end')]).toEqual([0, 0]);
    await expect(stream.next()).rejects.toThrow(SlowReaderError);
  });

  it('delivers what it has before its end', async () => {
    const bus = new EventEmitter();
    const stream = listen<number>(bus, 'number');
    bus.emit('number', 1);
    bus.emit('end');
    expect([await stream.next(), await stream.next()]).toEqual([
      { done: false, value: 1 },
      { done: true, value: undefined },
    ]);
  });
});
