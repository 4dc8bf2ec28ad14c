import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Log } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import { JobStore } from './job.store.js';
import type { Task } from './task.js';

/** A job that this process has taken. */
export interface TakenJob {
  readonly id: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly isInQueue: boolean;
  /** The name of the workers that have taken it. */
  readonly workers: string;
}

type ExecutionResult = 'done' | 'failed' | 'given_up' | 'interrupted';

/** What a handler may take after its signal, before its execution counts as failed although it still runs. */
const GRACE_MS = 5_000;
const MAX_ERROR_LENGTH = 1_000;
/** PostgreSQL stores no NUL. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH) || 'no message';

/** Calls the handlers of jobs, and reports how they end. */
@Injectable()
export class JobExecution {
  private readonly log = new Log('Jobs');
  private readonly executions: Counter<'task' | 'result'>;
  private readonly running = new Set<string>();

  constructor(
    private readonly store: JobStore,
    metrics: Metrics,
  ) {
    this.executions = metrics.counter('sluice_jobs_total', 'Executions of jobs that have ended, by task and result', ['task', 'result']);
    const counts = async (): Promise<Record<string, number>> => {
      const { due, waiting, running, failed } = await store.counts();
      return { due, waiting, running, failed };
    };
    metrics.labelledGauge('sluice_jobs', 'Jobs in the database, by state; failed: after their last attempt', 'state', counts);
    metrics.gauge(
      'sluice_job_oldest_due_age_seconds',
      'How long the oldest due job has been due',
      async () => (await store.counts()).oldestDueSeconds,
    );
  }

  /**
   * @param stopping aborted when the workers do not wait any longer
   * @throws Error with what the library stores as the failure of the attempt
   */
  async run(task: Task, job: TakenJob, stopping: AbortSignal): Promise<void> {
    this.running.add(job.id);
    try {
      await this.runToItsEnd(task, job, stopping);
    } finally {
      this.running.delete(job.id);
    }
  }

  isRunning(id: string): boolean {
    return this.running.has(id);
  }

  private async runToItsEnd(task: Task, job: TakenJob, stopping: AbortSignal): Promise<void> {
    const { name, schedule } = task;
    const { failure, againInSeconds } = await this.attempt(task, job, stopping);
    if (failure !== undefined && stopping.aborted) {
      this.count(name, 'interrupted');
      // The library finds the job unlocked, and leaves it as it is.
      await this.store.giveBack(job.workers, job.id);
      throw new Error(failure);
    }
    const isLast = job.attempts >= job.maxAttempts;
    if (failure === undefined) this.count(name, 'done');
    if (schedule && 'everySeconds' in schedule) {
      const seconds = againInSeconds ?? schedule.everySeconds;
      if (failure !== undefined) this.reportFailure(name, `it runs again in ${seconds} s`, failure);
      await this.store.runAgain(name, job.id, job.workers, seconds, failure);
    } else if (failure !== undefined) {
      if (isLast) this.reportLast(name, job.id, failure);
      else this.reportFailure(name, `attempt ${job.attempts} of ${job.maxAttempts} of job ${job.id}`, failure);
      throw new Error(failure);
    } else if (job.isInQueue) await this.store.endInQueue(job.id, job.workers);
  }

  /** The process of a job has gone. */
  reportFreed({ id, task, isLast }: { readonly id: string; readonly task: string; readonly isLast: boolean }): void {
    if (isLast) this.reportLast(task, id, 'its process ended during the last attempt');
    else this.log.warn('job_freed', { task, jobId: id }, `Job ${id} of ${task}: its process has gone; another one begins it again`);
  }

  /** The database has given a job to these workers, and the connection was lost before they heard of it, or before they reported its end. */
  reportLost(id: string): void {
    this.log.warn('job_freed', { jobId: id }, `Job ${id}: locked for these workers, which do not run it; it begins again`);
  }

  private async attempt(
    { limitMs, handle }: Task,
    { payload, attempts }: TakenJob,
    stopping: AbortSignal,
  ): Promise<{ readonly failure?: string; readonly againInSeconds?: number }> {
    const limit = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<never>((_resolve, reject) => {
      if (limitMs === Infinity) return;
      timer = setTimeout(() => {
        limit.abort();
        timer = setTimeout(() => reject(new Error('late')), GRACE_MS).unref();
      }, limitMs).unref();
    });
    try {
      const signal = AbortSignal.any([stopping, limit.signal]);
      const again = await Promise.race([Promise.resolve().then(() => handle(payload, { signal, attempt: attempts })), overdue]);
      return typeof again === 'number' ? { againInSeconds: again } : {};
    } catch (error) {
      return { failure: limit.signal.aborted ? `it was not done within ${limitMs / 1000} s` : textOf(error) };
    } finally {
      clearTimeout(timer);
    }
  }

  private reportFailure(task: string, what: string, failure: string): void {
    this.count(task, 'failed');
    this.log.warn('job_failed', { task }, `Job ${task} failed (${what}): ${failure}`);
  }

  private reportLast(task: string, jobId: string, failure: string): void {
    this.count(task, 'given_up');
    this.log.error('job_given_up', { task, jobId }, `Job ${jobId} of ${task} failed in its last attempt: ${failure}`);
  }

  private count(task: string, result: ExecutionResult): void {
    this.executions.inc({ task, result });
  }
}
