import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Events } from '../events/index.js';
import { untilDone } from '../kernel/retries.js';
import { within } from '../kernel/within.js';
import { Log } from '../logging/index.js';
import { Loops } from '../loop/index.js';
import { JobClass, type JobClassOptions } from './job-class.js';
import { JobExecution } from './job-execution.js';
import { JobStore } from './job.store.js';
import { Jobs } from './jobs.js';
import { classOf, secondsUntilNext, type Task } from './task.js';

declare module '../events/event-map.js' {
  interface EventMap {
    /** A job was added. The key is its class. */
    'job.added': Record<string, never>;
  }
}

const SLOTS = 8;
const CLAIM_SECONDS = 30;
/** A stop waits this long for jobs to end; then their signals are aborted, and it waits a little longer. */
const DRAIN_MS = 3_000;
const ABORT_MS = 2_000;
const HOUR_MS = 3_600_000;
/** A due schedule is begun within this time, unless no process runs. */
const LATE_MS = 60_000;

@Injectable()
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Log('Jobs');
  private readonly classes = new Map<string, JobClass>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly jobs: Jobs,
    private readonly store: JobStore,
    private readonly execution: JobExecution,
    private readonly loops: Loops,
    events: Events,
  ) {
    events.on('job.added', (_event, name) => this.classes.get(name)?.wake());
  }

  /** A class whose owner runs its jobs itself. Call it in a constructor. */
  add(options: JobClassOptions): JobClass {
    const added = new JobClass(options, this.store, this.loops);
    this.classes.set(options.name, added);
    return added;
  }

  onApplicationBootstrap(): void {
    const tasks = this.jobs.close();
    const run: JobClassOptions['run'] = (job, signal) => this.execution.run(tasks.get(job.task) as Task, job, signal);
    const names = [...tasks.keys()];
    for (const name of new Set(names.map(classOf)))
      this.add({
        name,
        slots: SLOTS,
        claimSeconds: CLAIM_SECONDS,
        isSerial: true,
        tasks: names.filter((task) => classOf(task) === name),
        run,
      });
    for (const each of this.classes.values()) each.start();
    for (const task of tasks.values())
      void untilDone(
        () => this.ensure(task),
        this.stopping.signal,
        (error) => this.onFailure(error),
      );
  }

  /** While requests are still answered: jobs may need what serves them. What has not ended by then begins again when its claim is over. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const classes = [...this.classes.values()];
    const stopped = Promise.all(classes.map((each) => each.stop()));
    await within(DRAIN_MS, stopped, () => []);
    for (const each of classes) each.abort();
    await within(ABORT_MS, stopped, () => []);
  }

  private async ensure({ name, schedule }: Task): Promise<void> {
    if (!schedule) return;
    const isAtStart = 'everySeconds' in schedule && schedule.atStart === true;
    const runAt = new Date(Date.now() + (isAtStart ? 0 : secondsUntilNext(schedule) * 1_000));
    const oldest = 'cron' in schedule ? new Date(Date.now() - LATE_MS - (schedule.backfillHours ?? 0) * HOUR_MS) : undefined;
    await this.store.ensure(classOf(name), name, runAt, oldest);
  }

  private onFailure({ message }: Error): void {
    this.log.warn('job_store_unavailable', {}, `Schedules could not be stored, which is tried again: ${message}`);
  }
}
