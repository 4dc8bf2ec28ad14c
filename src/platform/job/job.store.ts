import { Injectable } from '@nestjs/common';
import { changeOne, Database, fragment, queryOne, sql, type Tx } from '../database/index.js';
import { Clock } from '../kernel/clock.js';
import { classOf, dueAtStart, LATE_SECONDS, type AddOptions, type JobSchedule } from './task.js';

type JobState = 'due' | 'waiting' | 'running' | 'failed';

export interface JobDetails {
  readonly id: string;
  readonly task: string;
  readonly key: string | null;
  readonly queue: string | null;
  readonly state: JobState;
  readonly attempts: number;
  /** Null: it is on a schedule, and runs without an end. */
  readonly maxAttempts: number | null;
  readonly runAt: Date;
  readonly error: string | null;
}

/** How the jobs of a class are claimed. */
export interface JobClaims {
  readonly name: string;
  /** After this time without a renewal, which happens three times as often, another process may begin the job again. */
  readonly claimSeconds: number;
  /** An owner has one job at a time. */
  readonly isSerial: boolean;
}

export interface ClaimedJob {
  readonly id: bigint;
  readonly task: string;
  readonly owner: string;
  readonly payload: unknown;
  readonly attempt: number;
  readonly maxAttempts: number | null;
  readonly claim: string;
  readonly isFreed: boolean;
}

/** A job without any of these is done; one with an error alone has failed for good. */
export interface JobEnd {
  readonly againInSeconds?: number | undefined;
  readonly error?: string | undefined;
  readonly attempts?: number | undefined;
}

/** Of a job that was not begun, or not to its end: the attempt does not count. */
export const givenBack = ({ attempt }: ClaimedJob, againInSeconds = 0): JobEnd => ({ againInSeconds, attempts: attempt - 1 });

const MAX_ATTEMPTS = 25;

const ADD = sql`SELECT job_add($1, $2, $3, $4::jsonb, $5, $6, $7)`;
/** A schedule is one row without a key of its own. */
const ENSURE = sql`
  INSERT INTO job AS j (class, task, key, payload, run_at) VALUES ($1, $2, '', '{}', now() + make_interval(secs => $3))
  ON CONFLICT (task, key) WHERE key IS NOT NULL DO UPDATE SET class = excluded.class, run_at = excluded.run_at, written_at = now()
   WHERE (j.claim IS NULL OR j.run_at <= now()) AND (j.run_at > excluded.run_at OR j.run_at < now() - make_interval(secs => $4))`;
const CLAIM = sql`
  SELECT id, task, owner, payload, attempt, max_attempts AS "maxAttempts", claim, is_freed AS "isFreed" FROM job_claim($1, $2, $3, $4, $5, $6)`;
const RENEW = sql`
  UPDATE job j SET run_at = now() + make_interval(secs => $3), written_at = now() FROM unnest($1::bigint[], $2::uuid[]) AS held (id, claim)
   WHERE j.id = held.id AND j.claim = held.claim RETURNING j.claim`;
// The clock of the database has gone back since: times go back by as much. The turn of an owner is never after the owner's first job.
const BRING_FORWARD = sql`
  UPDATE job SET run_at = run_at - (written_at - now()), written_at = now() WHERE id IN (
    SELECT j.id FROM job j WHERE j.class = $1 AND NOT j.is_failed AND j.written_at > now() FOR UPDATE SKIP LOCKED)`;
const BRING_TURNS_FORWARD = sql`
  UPDATE job_owner SET turn_at = now() WHERE class = $1 AND owner IN (
    SELECT o.owner FROM job_owner o WHERE o.class = $1 AND o.turn_at > now()
       AND EXISTS (SELECT FROM job j WHERE j.class = $1 AND j.owner = o.owner AND NOT j.is_failed AND j.run_at < o.turn_at)
       FOR NO KEY UPDATE SKIP LOCKED)`;
const END = sql`SELECT job_end($1, $2, $3, $4, $5) AS ended`;

/** Jobs whose task decides on its attempts have a list of their own, as deliveries have; a schedule is operated, and what one process leads in is no work. */
const OPERATED = fragment`(j.max_attempts IS NOT NULL OR j.key = '') AND j.class <> 'role'`;
const STATE = fragment`CASE WHEN j.is_failed THEN 'failed' WHEN j.claim IS NOT NULL AND j.run_at > now() THEN 'running'
                            WHEN j.run_at <= now() THEN 'due' ELSE 'waiting' END`;
const JOBS = fragment`job j CROSS JOIN LATERAL (SELECT ${STATE} AS state) s WHERE ${OPERATED}`;
const COUNTS = sql`
  SELECT (count(*) FILTER (WHERE s.state = 'due'))::int AS due, (count(*) FILTER (WHERE s.state = 'waiting'))::int AS waiting,
         (count(*) FILTER (WHERE s.state = 'running'))::int AS running, (count(*) FILTER (WHERE s.state = 'failed'))::int AS failed FROM ${JOBS}`;
const OLDEST_DUE = sql`SELECT coalesce(extract(epoch FROM now() - min(j.run_at)), 0)::float8 AS seconds FROM ${JOBS} AND s.state = 'due'`;
const MAX_LISTED = 1_000;
const LIST = sql`
  SELECT j.id::text, j.task, nullif(j.key, '') AS key, nullif(j.owner, '') AS queue, s.state, j.attempts, j.max_attempts AS "maxAttempts",
         j.run_at AS "runAt", j.last_error AS error
    FROM ${JOBS} AND (NOT $1::boolean OR s.state = 'failed') ORDER BY j.is_failed, j.run_at, j.id LIMIT ${MAX_LISTED}`;
const NOT_RUNNING = fragment`j.id = $1 AND ${OPERATED} AND (j.claim IS NULL OR j.run_at <= now())`;
const RETRY = sql`
  WITH again AS (UPDATE job j SET attempts = 0, run_at = now(), written_at = now(), claim = NULL, is_failed = false WHERE ${NOT_RUNNING} RETURNING j.*)
  SELECT job_line_up(a.class, a.owner, a.run_at) FROM again a`;
// A schedule would come back with the next start only, and its work, such as the audit of the ledger, not be done until then.
const FORGET = sql`DELETE FROM job j WHERE ${NOT_RUNNING} AND (j.max_attempts IS NOT NULL OR j.run_at < now() - make_interval(secs => ${LATE_SECONDS}))
  RETURNING 1`;

/** The caller records in the transaction of a change who made it, and why. */
type JobChangeWork = (tx: Tx, id: string) => Promise<unknown>;

@Injectable()
export class JobStore {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async add(tx: Tx, task: string, payload: unknown, { queue = '', key, runAt, maxAttempts = MAX_ATTEMPTS }: AddOptions): Promise<void> {
    await tx.query(ADD, [classOf(task), queue, task, JSON.stringify(payload), key ?? null, runAt ?? null, maxAttempts]);
  }

  /** Adds the row of a schedule if it is missing, and makes it due as a process that starts does. */
  async ensure(name: string, task: string, schedule: JobSchedule): Promise<void> {
    const { seconds, backfillSeconds } = dueAtStart(schedule, this.clock.now());
    await this.database.query(ENSURE, [name, task, seconds, backfillSeconds]);
  }

  /** One job of each of the first `max` owners in line but those that are `full`, and one without an owner. */
  claim(claims: JobClaims, tasks: readonly string[], max: number, full: readonly string[]): Promise<ClaimedJob[]> {
    return this.database.query<ClaimedJob>(CLAIM, [claims.name, max, tasks, full, claims.claimSeconds, claims.isSerial]);
  }

  async renew(jobs: readonly ClaimedJob[], seconds: number): Promise<Set<string>> {
    const held = await this.database.query<ClaimedJob>(RENEW, [jobs.map(({ id }) => id), jobs.map(({ claim }) => claim), seconds]);
    return new Set(held.map(({ claim }) => claim));
  }

  /** Moves times that were written while the database's clock was ahead. */
  async bringForward(name: string): Promise<void> {
    for (const statement of [BRING_FORWARD, BRING_TURNS_FORWARD]) await this.database.query(statement, [name]);
  }

  async end({ id, claim, attempt }: ClaimedJob, { againInSeconds, error, attempts = attempt }: JobEnd): Promise<void> {
    await this.database.query(END, [id, claim, againInSeconds ?? null, error ?? null, attempts]);
  }

  counts(): Promise<Record<JobState, number>> {
    return queryOne(this.database, COUNTS);
  }

  async oldestDueSeconds(): Promise<number> {
    return (await queryOne<{ seconds: number }>(this.database, OLDEST_DUE)).seconds;
  }

  list({ failed = false } = {}): Promise<JobDetails[]> {
    return this.database.query<JobDetails>(LIST, [failed]);
  }

  /** Makes a job due now, with all its attempts. @returns false if there is no such job that is not running */
  retry(id: string, also?: JobChangeWork): Promise<boolean> {
    return changeOne(this.database, RETRY, [id], also);
  }

  /** Deletes a job. @returns false if there is no such job that is not running, or if it is a schedule that processes run */
  forget(id: string, also?: JobChangeWork): Promise<boolean> {
    return changeOne(this.database, FORGET, [id], also);
  }
}
