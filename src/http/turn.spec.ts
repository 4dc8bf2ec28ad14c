import { PassThrough } from 'node:stream';
import type { Config } from '../config/index.js';
import { Metrics } from '../metrics/index.js';
import { FairQueue } from './fair-queue.js';
import { Turn } from './turn.js';
import { WorkInProgress } from './work-in-progress.js';

const HERE = { isGone: false };

describe('the turn of a request', () => {
  const queue = new FairQueue('mutations', { atOnce: 1, atOnceEach: 1, most: 10, mostEach: 10, agedMs: 10_000 });
  /** Probes with a caller that is gone: a busy queue drops the probe instead of starting it. */
  const isFree = (): boolean => {
    const turn = queue.enter('another', { isGone: true });
    if (!turn) queue.leave('another');
    turn?.catch(() => undefined);
    return turn === undefined;
  };
  afterEach(() => expect([isFree(), queue.length]).toEqual([true, 0]));

  it('is taken once, and free when the request has ended, however often either is asked for', () => {
    const turn = new Turn(queue, 'one');
    expect([turn.take(HERE), turn.take(HERE), isFree()]).toEqual([undefined, undefined, false]);
    turn.end();
    turn.end();
  });

  it('is free while the request only waits, and is taken again even where another has it', async () => {
    const [one, other] = [new Turn(queue, 'one'), new Turn(queue, 'other')];
    void one.take(HERE);
    const waits = other.take(HERE);
    one.pause();
    await waits;
    one.resume();
    other.end();
    expect(isFree()).toBe(false);
    one.end();
  });

  it('is taken by no request that has ended', () => {
    const turn = new Turn(queue, 'one');
    turn.end();
    void turn.take(HERE);
  });

  it('is given back by a request that ended while its turn was still to come', async () => {
    const [one, other] = [new Turn(queue, 'one'), new Turn(queue, 'other')];
    void one.take(HERE);
    const waits = other.take(HERE);
    other.end();
    one.end();
    await expect(waits).rejects.toMatchObject({ queue: 'mutations', because: 'gone' });
  });

  it('is kept by no request that asks for it after its end', () => {
    const limits = { queriesAtOnce: 1, mutationsAtOnce: 1, pagesAtOnce: 1, waiting: 1, waitingPerAccount: 1, waitMs: 1_000 };
    const all = new WorkInProgress({ work: limits } as Config, new Metrics());
    const [late, next] = [all.of(new PassThrough(), '192.0.2.1'), all.of(new PassThrough(), '192.0.2.2')];
    late.end();
    void late.takeTurn(all.mutations);
    expect(next.takeTurn(all.mutations)).toBeUndefined();
    next.end();
  });
});
