import { PassThrough } from 'node:stream';
import type { Config } from '../config/index.js';
import { Metrics } from '../metrics/index.js';
import { FairQueue } from './fair-queue.js';
import { Turn } from './turn.js';
import { WorkInProgress } from './work-in-progress.js';

const HERE = { isGone: false };

describe('the turn of a request', () => {
  const queue = new FairQueue('mutations', { atOnce: 1, atOnceEach: 1, max: 10, maxEach: 10, agedMs: 10_000 });
  /** Probes with a caller that is gone: a busy queue drops the probe instead of starting it. */
  const isFree = (): boolean => {
    const turn = queue.enter('another', { isGone: true });
    if (!turn) queue.leave('another');
    turn?.catch(() => undefined);
    return turn === undefined;
  };
  afterEach(() => expect([isFree(), queue.length]).toEqual([true, 0]));

  it('is taken once and released at the end of the request, however often either is called', () => {
    const turn = new Turn(queue, 'one');
    expect([turn.take(HERE), turn.take(HERE), isFree()]).toEqual([undefined, undefined, false]);
    turn.end();
    turn.end();
  });

  it('is released while the request waits, and taken again afterwards even if another request has it', async () => {
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

  it('is not taken by a request that has ended', () => {
    const turn = new Turn(queue, 'one');
    turn.end();
    void turn.take(HERE);
  });

  it('is released when the request ended before its turn came', async () => {
    const [one, other] = [new Turn(queue, 'one'), new Turn(queue, 'other')];
    void one.take(HERE);
    const waits = other.take(HERE);
    other.end();
    one.end();
    await expect(waits).rejects.toMatchObject({ queue: 'mutations', because: 'gone' });
  });

  it('is not kept by a request that takes it after its end', () => {
    const limits = { queriesAtOnce: 1, mutationsAtOnce: 1, pagesAtOnce: 1, waiting: 1, waitingPerAccount: 1, waitMs: 1_000 };
    const all = new WorkInProgress({ work: limits } as Config, new Metrics());
    const [late, next] = [all.of(new PassThrough(), '192.0.2.1'), all.of(new PassThrough(), '192.0.2.2')];
    late.end();
    void late.takeTurn(all.mutations);
    expect(next.takeTurn(all.mutations)).toBeUndefined();
    next.end();
  });
});
