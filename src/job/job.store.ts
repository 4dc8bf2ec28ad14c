import { Injectable } from '@nestjs/common';
import { AdvisoryLock, Database, sql, type Statement, type Tx } from '../database/index.js';
import type { AddOptions } from './task.js';

export type JobState = 'due' | 'waiting' | 'running' | 'failed';

/** A job as the operator sees it. */
export interface JobDetails {
  readonly id: string;
  readonly task: string;
  readonly key: string | null;
  readonly queue: string | null;
  readonly state: JobState;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: Date;
  readonly error: string | null;
}

export interface JobCounts extends Readonly<Record<JobState, number>> {
  readonly oldestDueSeconds: number;
}

/** A job whose process has gone. */
export interface FreedJob {
  readonly id: string;
  readonly task: string;
  readonly isLast: boolean;
}

/** Less is sooner. Schedules, and the jobs of Sluice itself, do not wait behind the many jobs of an extension. */
const FIRST = -10;
/** Extensions name their tasks `<extension>.<task>`. */
const isOfExtension = (task: string): boolean => task.includes('.');
const ADD = sql`SELECT id FROM sluice_job.add_job($1, $2::json, $3, $4::timestamptz, $5::integer, $6, $7)`;

/** The most that the library stores: such a job does not run out of attempts. */
export const UNLIMITED_ATTEMPTS = 32_767;
/** A schedule is one row, whose key is its name. Its attempts count the processes that died while they ran it. */
const ENSURE = sql`SELECT id FROM sluice_job.add_job($1, '{}', NULL, now() + make_interval(secs => $2), ${UNLIMITED_ATTEMPTS}, $1, ${FIRST}, NULL, 'unsafe_dedupe')`;
const SOONER = sql`UPDATE sluice_job._private_jobs SET run_at = now() + make_interval(secs => $2)
  WHERE key = $1 AND locked_at IS NULL AND run_at > now() + make_interval(secs => $2)`;
const END = sql`DELETE FROM sluice_job._private_jobs WHERE id = $1 AND locked_by = $2 RETURNING 1`;
/** The library ends a job a little later, and its worker would find the queue locked: the next job would wait for a poll. */
const END_IN_QUEUE = sql`
  WITH ended AS (DELETE FROM sluice_job._private_jobs WHERE id = $1 AND locked_by = $2 RETURNING job_queue_id)
  UPDATE sluice_job._private_job_queues SET locked_by = NULL, locked_at = NULL WHERE id = (SELECT job_queue_id FROM ended) AND locked_by = $2`;
const NOTE_ERROR = sql`UPDATE sluice_job._private_jobs SET last_error = $2 WHERE key = $1`;

/**
 * Sessions that hold this lock keep the jobs of their workers ($1: the name that is in locked_by). PostgreSQL releases it with the session.
 * Shared, so that the next session of the same workers does not wait for one whose end the server has not noticed.
 */
export const WORKERS_LOCK = sql`SELECT pg_advisory_lock_shared(${AdvisoryLock.jobWorkers}, hashtext($1))`;
/** Jobs of workers whose session has ended. Workers hold the lock before they take their first job, and again soon after a lost connection. */
const FREE = sql`
  WITH gone AS (
    SELECT locked_by FROM sluice_job._private_jobs WHERE locked_by IS NOT NULL AND locked_at < now() - interval '5 seconds'
    EXCEPT
    SELECT j.locked_by FROM sluice_job._private_jobs j JOIN pg_locks l ON l.objid = (hashtext(j.locked_by)::bigint & 4294967295)::oid
     WHERE l.locktype = 'advisory' AND l.classid = ${AdvisoryLock.jobWorkers} AND l.objsubid = 2 AND l.granted
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())),
  queues AS (
    UPDATE sluice_job._private_job_queues SET locked_by = NULL, locked_at = NULL WHERE locked_by IN (SELECT locked_by FROM gone)),
  freed AS (
    UPDATE sluice_job._private_jobs SET locked_by = NULL, locked_at = NULL, run_at = greatest(run_at, now())
     WHERE locked_by IN (SELECT locked_by FROM gone) RETURNING id, task_id, attempts >= max_attempts AS is_last)
  SELECT f.id::text, t.identifier AS task, f.is_last AS "isLast", pg_notify('jobs:insert', '{"count":1}')::text
    FROM freed f JOIN sluice_job._private_tasks t ON t.id = f.task_id`;
/** What these workers have had for a while, by the tables. */
const HELD = sql`SELECT id::text FROM sluice_job._private_jobs WHERE locked_by = $1 AND locked_at < now() - interval '5 seconds'`;
/** The interrupted attempt does not count. */
const RETURN = sql`
  WITH returned AS (
    UPDATE sluice_job._private_jobs SET locked_by = NULL, locked_at = NULL, attempts = greatest(0, attempts - 1)
     WHERE locked_by = $1 AND ($2::bigint IS NULL OR id = $2) RETURNING job_queue_id),
  queues AS (
    UPDATE sluice_job._private_job_queues SET locked_by = NULL, locked_at = NULL
     WHERE locked_by = $1 AND id IN (SELECT job_queue_id FROM returned))
  SELECT count(pg_notify('jobs:insert', '{"count":1}')) FROM returned`;

const COUNTS = sql`
  SELECT (count(*) FILTER (WHERE is_available AND run_at <= now()))::int AS due, (count(*) FILTER (WHERE is_available AND run_at > now()))::int AS waiting,
         (count(*) FILTER (WHERE locked_at IS NOT NULL))::int AS running, (count(*) FILTER (WHERE locked_at IS NULL AND NOT is_available))::int AS failed,
         coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE is_available AND run_at <= now())), 0)::float8 AS "oldestDueSeconds"
    FROM sluice_job._private_jobs`;
const MAX_LISTED = 1_000;
const LIST = sql`
  SELECT j.id::text, t.identifier AS task, j.key, q.queue_name AS queue, j.attempts::int, j.max_attempts::int AS "maxAttempts", j.run_at AS "runAt",
         j.last_error AS error, s.state
    FROM sluice_job._private_jobs j JOIN sluice_job._private_tasks t ON t.id = j.task_id
    LEFT JOIN sluice_job._private_job_queues q ON q.id = j.job_queue_id
   CROSS JOIN LATERAL (SELECT CASE WHEN j.locked_at IS NOT NULL THEN 'running' WHEN NOT j.is_available THEN 'failed'
                                   WHEN j.run_at <= now() THEN 'due' ELSE 'waiting' END AS state) s
   WHERE NOT $1::boolean OR s.state = 'failed' ORDER BY j.run_at, j.id LIMIT ${MAX_LISTED}`;
const RETRY = sql`
  WITH again AS (UPDATE sluice_job._private_jobs SET attempts = 0, run_at = now() WHERE id = $1::bigint AND locked_at IS NULL RETURNING id)
  SELECT pg_notify('jobs:insert', '{"count":1}')::text FROM again`;
const FORGET = sql`DELETE FROM sluice_job._private_jobs WHERE id = $1::bigint AND locked_at IS NULL RETURNING 1`;

/** What the caller does in the transaction of a change: it records who made it, and why. */
type JobChangeWork = (tx: Tx, id: string) => Promise<unknown>;

/** graphile-worker's tables. */
@Injectable()
export class JobStore {
  constructor(private readonly database: Database) {}

  async add(tx: Tx, task: string, payload: unknown, { key, runAt, maxAttempts, queue }: AddOptions): Promise<void> {
    const ownKey = key === undefined ? null : `${task}:${key}`;
    await tx.query(ADD, [
      task,
      JSON.stringify(payload),
      queue ?? null,
      runAt ?? null,
      maxAttempts ?? null,
      ownKey,
      isOfExtension(task) ? 0 : FIRST,
    ]);
  }

  /** Adds the row of a schedule if it is missing, and makes it due in `seconds` at the latest. */
  async ensure(schedule: string, seconds: number): Promise<void> {
    await this.database.query(ENSURE, [schedule, seconds]);
    await this.database.query(SOONER, [schedule, seconds]);
  }

  /** Ends an execution of a schedule and adds the next one, at once: a crash leaves one of the two. */
  async runAgain(schedule: string, id: string, workers: string, seconds: number, error: string | undefined): Promise<void> {
    await this.database.transaction(async (tx) => {
      if ((await tx.query(END, [id, workers])).length === 0) return;
      await tx.query(ENSURE, [schedule, seconds]);
      if (error !== undefined) await tx.query(NOTE_ERROR, [schedule, error]);
    });
  }

  /** Ends a job of a queue, whose next one may begin. */
  async endInQueue(id: string, workers: string): Promise<void> {
    await this.database.query(END_IN_QUEUE, [id, workers]);
  }

  /** Makes jobs available again whose process has gone. */
  free(): Promise<FreedJob[]> {
    return this.database.query<FreedJob>(FREE);
  }

  /** Jobs that are locked for these workers, not only since a moment ago. */
  async held(workers: string): Promise<string[]> {
    return (await this.database.query<{ id: string }>(HELD, [workers])).map(({ id }) => id);
  }

  /** Gives a running job back, or all of these workers. */
  async giveBack(workers: string, id?: string): Promise<void> {
    await this.database.query(RETURN, [workers, id ?? null]);
  }

  async counts(): Promise<JobCounts> {
    const [counts] = await this.database.query<JobCounts>(COUNTS);
    if (!counts) throw new Error('PostgreSQL counted no jobs');
    return counts;
  }

  /** The first thousand in the order in which they are due. */
  list({ failed = false } = {}): Promise<JobDetails[]> {
    return this.database.query<JobDetails>(LIST, [failed]);
  }

  /** Makes a job due now, with all its attempts. @returns false if there is no such job that is not running */
  retry(id: string, also?: JobChangeWork): Promise<boolean> {
    return this.change(RETRY, id, also);
  }

  /** Deletes a job. The next process that has the schedule of one adds it again. @returns false if there is no such job that is not running */
  forget(id: string, also?: JobChangeWork): Promise<boolean> {
    return this.change(FORGET, id, also);
  }

  private change(statement: Statement, id: string, also?: JobChangeWork): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const isChanged = (await tx.query(statement, [id])).length > 0;
      if (isChanged) await also?.(tx, id);
      return isChanged;
    });
  }
}
