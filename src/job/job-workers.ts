import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE_OPTIONS, type DatabaseOptions } from '../database/index.js';
import { Log } from '../logging/index.js';
import { Loops, type Loop } from '../loop/index.js';
import { JobExecution } from './job-execution.js';
import { JobStore } from './job.store.js';
import { Jobs } from './jobs.js';
import type { Task } from './task.js';
import { WorkerPool } from './worker-pool.js';

const RESTART_MS = 1_000;
const MAX_RESTART_MS = 30_000;
const FREE_EVERY_MS = 5_000;

/** Runs the jobs of this process, and frees those of processes that have gone. */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Log('Jobs');
  private readonly workers: Loop;
  private readonly recovery: Loop;
  private hasStarted = false;
  private pool: WorkerPool | undefined;
  /** Found at the last look: locked for these workers, and not running. */
  private lost: ReadonlySet<string> = new Set();

  constructor(
    @Inject(DATABASE_OPTIONS) private readonly database: DatabaseOptions,
    private readonly jobs: Jobs,
    private readonly store: JobStore,
    private readonly execution: JobExecution,
    loops: Loops,
  ) {
    // A round is the life of the workers: one that ends before the process does has failed.
    this.workers = loops.create({
      name: 'job_workers',
      pauseMs: RESTART_MS,
      maxPauseMs: MAX_RESTART_MS,
      round: (signal) => this.work(signal),
      onFailure: ({ message }) => this.log.warn('job_workers_unavailable', {}, `No jobs run in this process: ${message}`),
    });
    this.recovery = loops.create({
      name: 'job_recovery',
      firstMs: FREE_EVERY_MS,
      pauseMs: FREE_EVERY_MS,
      limitMs: 10 * FREE_EVERY_MS,
      round: () => this.free(),
      onFailure: ({ message }) => this.log.warn('job_recovery_unavailable', {}, `Jobs of other processes could not be watched: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.jobs.close();
    this.workers.start();
    this.recovery.start();
  }

  /** While requests are still answered: jobs may need what serves them. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.workers.stop(), this.recovery.stop()]);
  }

  private async work(signal: AbortSignal): Promise<void> {
    const tasks = this.jobs.close();
    for (const task of tasks.values()) await this.ensure(task);
    this.hasStarted = true;
    if (signal.aborted || tasks.size === 0) return;
    const { database, store, execution } = this;
    this.pool = new WorkerPool({ database, tasks, store, execution });
    await this.pool.run(signal);
  }

  private async ensure({ name, schedule }: Task): Promise<void> {
    if (!schedule || !('everySeconds' in schedule)) return;
    await this.store.ensure(name, schedule.atStart === true && !this.hasStarted ? 0 : schedule.everySeconds);
  }

  private async free(): Promise<void> {
    for (const freed of await this.store.free()) this.execution.reportFreed(freed);
    if (this.pool && this.pool.name !== '') await this.giveBackLost(this.pool.name);
  }

  /** Only what is lost at two looks in a row: a job whose handler has ended stays locked until that is stored. */
  private async giveBackLost(workers: string): Promise<void> {
    const lost = (await this.store.held(workers)).filter((id) => !this.execution.isRunning(id));
    for (const id of lost.filter((id) => this.lost.has(id))) {
      await this.store.giveBack(workers, id);
      this.execution.reportLost(id);
    }
    this.lost = new Set(lost);
  }
}
