import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Clock } from '../kernel/clock.js';
import { onAbort } from '../kernel/on-abort.js';
import { storedError } from '../kernel/text.js';
import { within } from '../kernel/within.js';
import { Log } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import { givenBack, JobStore, type ClaimedJob, type JobEnd } from './job.store.js';
import { pauseAfter, secondsUntilNext, type Task } from './task.js';

type ExecutionResult = 'done' | 'failed' | 'given_up' | 'interrupted';

/** After its signal a handler has this time, before its execution counts as failed although it still runs. */
const GRACE_MS = 5_000;

@Injectable()
export class JobExecution {
  private readonly log = new Log('Jobs');
  private readonly executions: Counter<'task' | 'result'>;

  constructor(
    store: JobStore,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.executions = metrics.counter('sluice_jobs_total', 'Executions of jobs that have ended, by task and result', ['task', 'result']);
    metrics.labelledGauge('sluice_jobs', 'Jobs in the database, by state; failed: after their last attempt', 'state', () => store.counts());
    metrics.gauge('sluice_job_oldest_due_age_seconds', 'How long the oldest due job has been due', () => store.oldestDueSeconds());
  }

  async run(task: Task, job: ClaimedJob, stopping: AbortSignal): Promise<JobEnd> {
    const [result, end] = await this.execute(task, job, stopping);
    this.executions.inc({ task: task.name, result });
    return end;
  }

  private async execute(task: Task, job: ClaimedJob, stopping: AbortSignal): Promise<[ExecutionResult, JobEnd]> {
    const { schedule } = task;
    const { attempt, maxAttempts } = job;
    if (maxAttempts !== null && attempt > maxAttempts) return this.giveUp(job, 'its process ended during the last attempt');
    const { failure, againInSeconds } = await this.attempt(task, job, stopping);
    if (failure === undefined)
      return ['done', schedule ? { againInSeconds: againInSeconds ?? secondsUntilNext(schedule, this.clock.now()), attempts: 0 } : {}];
    if (stopping.aborted) return ['interrupted', givenBack(job)];
    return attempt === maxAttempts ? this.giveUp(job, failure) : this.repeat(task, job, failure);
  }

  private async attempt(
    { limitMs, handle }: Task,
    { payload, attempt }: ClaimedJob,
    stopping: AbortSignal,
  ): Promise<{ readonly failure?: string; readonly againInSeconds?: number }> {
    const ending = new AbortController();
    const ignore = onAbort(stopping, () => ending.abort());
    let isOverdue = false;
    try {
      const work = handle(payload, { signal: ending.signal, attempt });
      const overdue = (): Promise<number | void> => {
        isOverdue = true;
        ending.abort();
        return within(GRACE_MS, work, () => {
          throw new Error('late');
        });
      };
      const again = await (limitMs === Infinity ? work : within(limitMs, work, overdue));
      return typeof again === 'number' ? { againInSeconds: again } : {};
    } catch (error) {
      return { failure: isOverdue ? `it was not done within ${limitMs / 1000} s` : storedError(error) || 'no message' };
    } finally {
      ignore();
    }
  }

  /** An interval repeats itself; what has a time of day is tried again before. */
  private repeat({ name, schedule }: Task, { id, attempt, maxAttempts }: ClaimedJob, failure: string): [ExecutionResult, JobEnd] {
    const next = schedule ? secondsUntilNext(schedule, this.clock.now()) : Infinity;
    const isInterval = schedule !== undefined && 'everySeconds' in schedule;
    const againInSeconds = isInterval ? next : Math.min(next, pauseAfter(attempt));
    const which = maxAttempts === null ? '' : `attempt ${attempt} of ${maxAttempts} of job ${id}; `;
    this.log.warn(
      'job_failed',
      { task: name },
      `Job ${name} failed (${which}it runs again in ${Math.round(againInSeconds)} s): ${failure}`,
    );
    return ['failed', { againInSeconds, error: failure, attempts: isInterval ? 0 : attempt }];
  }

  private giveUp({ id, task, maxAttempts }: ClaimedJob, failure: string): [ExecutionResult, JobEnd] {
    this.log.error('job_given_up', { task, jobId: String(id) }, `Job ${id} of ${task} failed in its last attempt: ${failure}`);
    return ['given_up', { error: failure, attempts: maxAttempts ?? 0 }];
  }
}
