import { Log } from '../logging/index.js';
import { Listener } from './listener.js';

const settled = (): Promise<void> => new Promise(setImmediate);

describe('a listener', () => {
  let lines: string[];
  let ends: (() => void)[];
  let heard: number[];
  const log = new Log('test');

  beforeEach(() => {
    [lines, ends, heard] = [[], [], []];
    jest.spyOn(log, 'warn').mockImplementation((event, fields) => void lines.push(`${event} ${JSON.stringify(fields)}`));
    jest.spyOn(log, 'error').mockImplementation((event, fields) => void lines.push(`${event} ${JSON.stringify(fields)}`));
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const slow = (event: number): Promise<void> => {
    heard.push(event);
    return new Promise((resolve) => ends.push(resolve));
  };
  const listenerOf = (handler: (event: number) => void | Promise<void>): Listener<number> =>
    new Listener('a.topic', 'at Acme (acme.js:1)', handler, log);

  it('gets every event at once, in order, if it returns nothing', async () => {
    const { take } = listenerOf((event) => void heard.push(event));
    for (let event = 0; event < 5_000; event++) take(event, 'key');
    expect(heard).toEqual([]);
    await settled();
    expect(heard).toEqual(Array.from({ length: 5_000 }, (_, event) => event));
    expect(lines).toEqual([]);
  });

  it('has four calls in progress at most; the others follow in order', async () => {
    const { take } = listenerOf(slow);
    for (let event = 0; event < 10; event++) take(event, 'key');
    await settled();
    expect(heard).toEqual([0, 1, 2, 3]);
    for (let event = 0; event < 10; event++) {
      ends.shift()?.();
      await settled();
    }
    expect(heard).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(lines).toEqual([]);
  });

  it('that never ends a call is named, misses events beyond a thousand, and waits no longer than its limit', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask'] });
    const { take } = listenerOf(slow);
    for (let event = 0; event < 1_010; event++) take(event, 'key');
    await settled();
    const about = JSON.stringify({ topic: 'a.topic', origin: 'at Acme (acme.js:1)' });
    expect(lines).toEqual([`events_handler_overrun ${about}`]);
    jest.advanceTimersByTime(20_000);
    await settled();
    expect(heard).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(lines.slice(1)).toEqual(Array(4).fill(`events_handler_slow ${about}`));
  });

  it.each<[string, () => void | Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('planted');
      },
    ],
    ['rejects', () => Promise.reject(new Error('planted'))],
  ])('that %s is reported, and gets the next event', async (_what, fail) => {
    const { take } = listenerOf((event) => {
      heard.push(event);
      return fail();
    });
    take(1, 'key');
    take(2, 'key');
    await settled();
    expect(heard).toEqual([1, 2]);
    expect(lines).toEqual(Array(2).fill('events_handler_failed {"topic":"a.topic"}'));
  });
});
