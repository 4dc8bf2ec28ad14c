import { SystemClock } from '../kernel/clock.js';
import { Metrics } from '../metrics/index.js';
import { Loops } from '../loop/index.js';
import { JobClass } from './job-class.js';
import type { ClaimedJob, JobStore } from './job.store.js';

const MAX_CLAIMS = 100_000;

describe('a class of jobs', () => {
  it('renews its claims also while it finds a due job each time', async () => {
    const jobs = { long: 0, quick: 0 };
    const renewed = new Set<string>();
    /** A backlog that is never done before the long job is renewed. */
    const store = {
      claim: async (): Promise<ClaimedJob[]> => {
        const task = jobs.long === 0 ? 'long' : 'quick';
        const id = BigInt(++jobs[task]);
        const job = { id, task, owner: '', payload: {}, attempt: 1, maxAttempts: null, claim: `${task} ${id}`, isFreed: false };
        return renewed.has('long 1') || id > MAX_CLAIMS ? [] : [job];
      },
      renew: async (held: readonly ClaimedJob[]): Promise<Set<string>> => {
        for (const { claim } of held) renewed.add(claim);
        return new Set(held.map(({ claim }) => claim));
      },
      bringForward: async () => undefined,
      end: async () => undefined,
    } as unknown as JobStore;
    const tasks = [
      { name: 'long', run: (_job: ClaimedJob, signal: AbortSignal) => new Promise<object>((done) => (signal.onabort = () => done({}))) },
      { name: 'quick', run: async () => ({}) },
    ];
    const options = { name: 'test', slots: 8, claimSeconds: 0.03, isSerial: true, tasks };
    const jobClass = new JobClass(options, store, new Loops(new SystemClock(), new Metrics()));
    jobClass.loop.start();
    while (!renewed.has('long 1') && jobs.quick <= MAX_CLAIMS) await new Promise(setImmediate);
    await jobClass.stop(0);
    expect(jobs.quick).toBeLessThan(MAX_CLAIMS);
  });
});
