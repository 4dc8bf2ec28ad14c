import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SystemClock } from '../kernel/clock.js';
import { unlessAborted } from '../kernel/unless-aborted.js';
import { Loops } from '../loop/index.js';
import { Metrics } from '../metrics/index.js';
import type { ClaimedJob, JobStore } from './job.store.js';
import { JobExecution } from './job-execution.js';
import type { JobWorkers } from './job-workers.js';
import { Leaders } from './leaders.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('the memory of a process that has run for long', () => {
  let given: WeakRef<AbortSignal>[];
  const stopping = new AbortController();
  /** As most work does with its signal. */
  const work = async (signal: AbortSignal): Promise<void> => {
    given.push(new WeakRef(signal));
    await unlessAborted(setImmediate(), signal);
  };
  const keptSignals = async (): Promise<number> => {
    await setImmediate();
    collectGarbage();
    return given.filter((each) => each.deref() !== undefined).length;
  };

  beforeEach(() => void (given = []));

  it('keeps no signal of the rounds of a role', async () => {
    const workers = { addRole: (_name: string, lead: (signal: AbortSignal) => Promise<void>) => void lead(stopping.signal) };
    const loops = new Loops(new SystemClock(), new Metrics());
    const leaders = new Leaders(workers as unknown as JobWorkers, loops, new Metrics());
    leaders.loop({ name: 'n', role: 'r', pauseMs: 0, round: work, onFailure: () => undefined });
    loops.onApplicationBootstrap();
    while (given.length < 50) await setImmediate();
    await loops.onApplicationShutdown();
    // The loop itself has that of its last round.
    expect(await keptSignals()).toBeLessThanOrEqual(1);
  });

  it('keeps no signal of jobs that are done', async () => {
    const execution = new JobExecution({} as JobStore, new SystemClock(), new Metrics());
    const task = { name: 't', limitMs: 1_000, handle: (_payload: unknown, context: { signal: AbortSignal }) => work(context.signal) };
    const job = { id: '1', name: 't', attempt: 1, maxAttempts: 2, payload: {} };
    for (let n = 0; n < 50; n++) await execution.run(task, job as unknown as ClaimedJob, stopping.signal);
    expect(given).toHaveLength(50);
    expect(await keptSignals()).toBe(0);
  });
});
