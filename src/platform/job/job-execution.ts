import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { storedError } from '../kernel/text.js';
import { within } from '../kernel/within.js';
import { Log } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import { JobStore, type ClaimedJob, type JobEnd } from './job.store.js';
import { secondsUntilNext, type Task } from './task.js';

type ExecutionResult = 'done' | 'failed' | 'given_up' | 'interrupted';

/** After its signal a handler has this time, before its execution counts as failed although it still runs. */
const GRACE_MS = 5_000;
/** Six hours at most: 25 attempts take about four days. */
const pauseAfter = (attempts: number): number => Math.exp(Math.min(attempts, 10));

@Injectable()
export class JobExecution {
  private readonly log = new Log('Jobs');
  private readonly executions: Counter<'task' | 'result'>;

  constructor(store: JobStore, metrics: Metrics) {
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

  async run(task: Task, job: ClaimedJob, stopping: AbortSignal): Promise<JobEnd> {
    const { name, schedule } = task;
    const { attempt, maxAttempts } = job;
    if (maxAttempts !== null && attempt > maxAttempts) return this.giveUp(job, 'its process ended during the last attempt');
    const { failure, againInSeconds } = await this.attempt(task, job, stopping);
    if (failure === undefined) this.count(name, 'done');
    else if (stopping.aborted) {
      this.count(name, 'interrupted');
      return { againInSeconds: 0, attempts: attempt - 1 };
    }
    if (schedule) {
      const next = againInSeconds ?? secondsUntilNext(schedule);
      // An interval repeats itself; what has a time of day is tried again before.
      const seconds = failure !== undefined && 'cron' in schedule ? Math.min(next, pauseAfter(attempt)) : next;
      if (failure !== undefined) this.reportFailure(name, `it runs again in ${Math.round(seconds)} s`, failure);
      return { againInSeconds: seconds, error: failure, attempts: failure !== undefined && 'cron' in schedule ? attempt : 0 };
    }
    if (failure === undefined) return {};
    if (attempt === maxAttempts) return this.giveUp(job, failure);
    this.reportFailure(name, `attempt ${attempt} of ${maxAttempts} of job ${job.id}`, failure);
    return { againInSeconds: pauseAfter(attempt), error: failure };
  }

  private async attempt(
    { limitMs, handle }: Task,
    { payload, attempt }: ClaimedJob,
    stopping: AbortSignal,
  ): Promise<{ readonly failure?: string; readonly againInSeconds?: number }> {
    const limit = new AbortController();
    const signal = AbortSignal.any([stopping, limit.signal]);
    const late = (): never => {
      throw new Error('late');
    };
    try {
      const work = Promise.resolve().then(() => handle(payload, { signal, attempt }));
      const overdue = (): Promise<number | void> => {
        limit.abort();
        return within(GRACE_MS, work, late);
      };
      const again = await (limitMs === Infinity ? work : within(limitMs, work, overdue));
      return typeof again === 'number' ? { againInSeconds: again } : {};
    } catch (error) {
      return { failure: limit.signal.aborted ? `it was not done within ${limitMs / 1000} s` : storedError(error) || 'no message' };
    }
  }

  private reportFailure(task: string, what: string, failure: string): void {
    this.count(task, 'failed');
    this.log.warn('job_failed', { task }, `Job ${task} failed (${what}): ${failure}`);
  }

  private giveUp({ id, task, maxAttempts }: ClaimedJob, failure: string): JobEnd {
    this.count(task, 'given_up');
    this.log.error('job_given_up', { task, jobId: String(id) }, `Job ${id} of ${task} failed in its last attempt: ${failure}`);
    return { error: failure, attempts: maxAttempts ?? 0 };
  }

  private count(task: string, result: ExecutionResult): void {
    this.executions.inc({ task, result });
  }
}
