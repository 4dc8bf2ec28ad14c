import { FairSlots } from '../kernel/fair-slots.js';
import { untilDone } from '../kernel/retries.js';
import { within } from '../kernel/within.js';
import { Log } from '../logging/index.js';
import type { Loop, Loops } from '../loop/index.js';
import { givenBack, type ClaimedJob, type JobClaims, type JobEnd, type JobStore } from './job.store.js';
import type { JobSchedule } from './task.js';

/** What a class runs. */
export interface ClassTask {
  readonly name: string;
  readonly schedule?: JobSchedule | undefined;
  /** Ends soon on `signal`: the process stops, or the claim is lost. What rejects has made no attempt. @returns the end of the job, or a function that stores it together with other things */
  readonly run: (job: ClaimedJob, signal: AbortSignal) => Promise<JobEnd | (() => Promise<unknown>)>;
}

export interface JobClassOptions extends JobClaims {
  readonly slots: number;
  readonly tasks: readonly ClassTask[];
}

const POLL_MS = 1_000;
const ABORT_MS = 2_000;
/** After a run that has rejected. */
const PAUSE_SECONDS = 1;

interface RunningJob {
  readonly job: ClaimedJob;
  readonly aborting: AbortController;
  readonly ended: Promise<void>;
}

/**
 * The jobs of a class in this process, with slots of their own. Owners, and tasks where there is no owner, share the slots: none has more of them
 * than are free.
 */
export class JobClass {
  /** Claims what is due. */
  readonly loop: Loop;
  private readonly log = new Log('Jobs');
  private readonly slots: FairSlots;
  private readonly running = new Set<RunningJob>();
  private readonly tasks: ReadonlyMap<string, ClassTask>;
  private isScheduled = false;
  private renewedAt = performance.now();
  private isAborted = false;

  constructor(
    private readonly options: JobClassOptions,
    private readonly store: JobStore,
    loops: Loops,
  ) {
    this.slots = new FairSlots(options.slots);
    this.tasks = new Map(options.tasks.map((task) => [task.name, task]));
    this.loop = loops.create({
      name: `jobs_${options.name}`,
      pauseMs: POLL_MS,
      round: (signal) => this.round(signal),
      onFailure: (error) => this.onFailure(error),
    });
  }

  /**
   * Begins no further job. Those in progress have `drainMs` to end; then their signals are aborted, also those of jobs that a claim of before
   * brings later. What has not ended soon after that begins again when its claim is over.
   */
  async stop(drainMs: number): Promise<void> {
    const ended = this.loop.stop().then(() => Promise.all([...this.running].map((job) => job.ended)));
    await within(drainMs, ended, () => []);
    this.isAborted = true;
    for (const { aborting } of this.running) aborting.abort();
    await within(ABORT_MS, ended, () => []);
  }

  private async round(signal: AbortSignal): Promise<void> {
    const { name: className, claimSeconds, tasks } = this.options;
    if (!this.isScheduled) for (const { name, schedule } of tasks) if (schedule) await this.store.ensure(className, name, schedule);
    this.isScheduled = true;
    do {
      // Also between the claims of a backlog, which can last longer than a claim does.
      if (performance.now() - this.renewedAt >= (claimSeconds * 1_000) / 3) {
        await this.renew();
        await this.store.bringForward(className);
      }
    } while (await this.fill(signal));
  }

  private async renew(): Promise<void> {
    this.renewedAt = performance.now();
    const before = [...this.running];
    if (before.length === 0) return;
    const jobs = before.map(({ job }) => job);
    const held = await this.store.renew(jobs, this.options.claimSeconds);
    for (const { job, aborting } of before) if (!held.has(job.claim)) aborting.abort();
  }

  /**
   * A claim gives a turn to each owner in line: owners with much to do get their next ones after the others.
   * @returns whether there may be more to claim now
   */
  private async fill(signal: AbortSignal): Promise<boolean> {
    const { free, refused } = this.slots;
    const open = [...this.tasks.keys()].filter((task) => !refused.includes(task));
    if (signal.aborted || free === 0 || open.length === 0) return false;
    const claimed = await this.store.claim(this.options, open, free, refused);
    for (const job of claimed) this.begin(job);
    return claimed.length > 0;
  }

  private begin(job: ClaimedJob): void {
    const give = this.slots.take(job.owner || job.task);
    // The others of this claim may have taken what was free: the job begins when its owner may have a slot again.
    if (!give) return void this.store.end(job, givenBack(job)).catch((error: Error) => this.onFailure(error));
    if (job.isFreed)
      this.log.warn(
        'job_freed',
        { task: job.task, jobId: String(job.id) },
        `Job ${job.id} of ${job.task}: its process has gone; it begins again`,
      );
    const aborting = new AbortController();
    if (this.isAborted) aborting.abort();
    const ended = this.toItsEnd(job, aborting.signal).finally(() => {
      this.running.delete(running);
      give();
      this.loop.wake();
    });
    const running: RunningJob = { job, aborting, ended };
    this.running.add(running);
  }

  /** How the job ended is known here only: it is stored again until the claim is lost. */
  private async toItsEnd(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    const end = await (this.tasks.get(job.task) as ClassTask).run(job, signal).catch((error: Error) => {
      this.onFailure(error);
      return givenBack(job, PAUSE_SECONDS);
    });
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
