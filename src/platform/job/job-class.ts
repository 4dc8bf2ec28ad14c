import { FairSlots } from '../kernel/fair-slots.js';
import { untilDone } from '../kernel/retries.js';
import { Log } from '../logging/index.js';
import type { Loop, Loops } from '../loop/index.js';
import type { ClaimedJob, JobEnd, JobStore } from './job.store.js';

export interface JobClassOptions {
  readonly name: string;
  readonly slots: number;
  /** After this time without a renewal, which happens three times as often, another process may begin the job again. */
  readonly claimSeconds: number;
  readonly isSerial: boolean;
  readonly tasks: readonly string[];
  /** Never rejects, and ends soon on `signal`: the process stops, or the claim is lost. @returns the end of the job, or a function that stores it together with other things */
  readonly run: (job: ClaimedJob, signal: AbortSignal) => Promise<JobEnd | (() => Promise<unknown>)>;
}

const POLL_MS = 1_000;
/** A job's signal is aborted with this, where the process does not stop. */
const LOST = 'The claim is lost';

interface RunningJob {
  readonly job: ClaimedJob;
  readonly aborting: AbortController;
  ended: Promise<void>;
}

/**
 * The jobs of a class in this process, with slots of their own. Owners, and tasks where there is no owner, share the slots: none has more of them
 * than are free.
 */
export class JobClass {
  private readonly log = new Log('Jobs');
  private readonly slots: FairSlots;
  private readonly running = new Set<RunningJob>();
  private readonly loop: Loop;
  private renewedAt = performance.now();
  private isAborted = false;

  constructor(
    private readonly options: JobClassOptions,
    private readonly store: JobStore,
    loops: Loops,
  ) {
    this.slots = new FairSlots(options.slots);
    this.loop = loops.create({
      name: `jobs_${options.name}`,
      pauseMs: POLL_MS,
      round: (signal) => this.round(signal),
      onFailure: (error) => this.onFailure(error),
    });
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  /** Begins no further job. @returns when those in progress have ended */
  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.all([...this.running].map(({ ended }) => ended));
  }

  /** Also jobs that a claim of before brings later. */
  abort(): void {
    this.isAborted = true;
    for (const { aborting } of this.running) aborting.abort();
  }

  private async round(signal: AbortSignal): Promise<void> {
    const { claimSeconds } = this.options;
    if (performance.now() - this.renewedAt >= (claimSeconds * 1_000) / 3) await this.renew();
    await this.fill(signal);
  }

  private async renew(): Promise<void> {
    this.renewedAt = performance.now();
    const before = [...this.running];
    if (before.length === 0) return;
    const jobs = before.map(({ job }) => job);
    const held = await this.store.renew(jobs, this.options.claimSeconds);
    for (const { job, aborting } of before) if (!held.has(job.claim)) aborting.abort(LOST);
  }

  /** Each claim gives a turn to each owner in line: owners with much to do get their next ones after the others. */
  private async fill(signal: AbortSignal): Promise<void> {
    const { name, claimSeconds: seconds, isSerial, tasks } = this.options;
    let claimed: readonly ClaimedJob[];
    do {
      const { free, refused } = this.slots;
      const open = tasks.filter((task) => !refused.includes(task));
      if (signal.aborted || free === 0 || open.length === 0) return;
      claimed = await this.store.claim(name, { max: free, tasks: open, full: refused, seconds, isSerial });
      for (const job of claimed) this.begin(job);
    } while (claimed.length > 0);
  }

  private begin(job: ClaimedJob): void {
    const give = this.slots.take(job.owner || job.task);
    // The others of this claim may have taken what was free: the job begins when its owner may have a slot again.
    if (!give)
      return void this.store.end(job, { againInSeconds: 0, attempts: job.attempt - 1 }).catch((error: Error) => this.onFailure(error));
    if (job.isFreed)
      this.log.warn(
        'job_freed',
        { task: job.task, jobId: String(job.id) },
        `Job ${job.id} of ${job.task}: its process has gone; it begins again`,
      );
    const running: RunningJob = { job, aborting: new AbortController(), ended: Promise.resolve() };
    if (this.isAborted) running.aborting.abort();
    this.running.add(running);
    running.ended = this.toItsEnd(running).finally(() => {
      this.running.delete(running);
      give();
      this.loop.wake();
    });
  }

  /** How the job ended is known here only: it is stored again until the claim is lost. */
  private async toItsEnd({ job, aborting: { signal } }: RunningJob): Promise<void> {
    const end = await this.options.run(job, signal);
    const store = typeof end === 'function' ? end : () => this.store.end(job, end);
    await untilDone(store, signal, (error) => this.onFailure(error));
  }

  private onFailure({ message }: Error): void {
    this.log.warn(
      'job_store_unavailable',
      { class: this.options.name },
      `Jobs could not be read or stored, and are tried again: ${message}`,
    );
  }
}
