import { Cron } from 'croner';

/** The execution of a job, as its handler sees it. */
export interface JobRun {
  /** Aborted when the process stops, or when the execution is past its limit: then the handler ends soon. */
  readonly signal: AbortSignal;
  /** 1 at the first attempt. */
  readonly attempt: number;
}

/** Handles a job at least once: when a process ends in the middle, another one begins it again. */
export type JobHandler<Payload = unknown> = (payload: Payload, run: JobRun) => Promise<void>;

/** One execution of a schedule. It may return the number of seconds until the next one, if that differs from the schedule. */
export type ScheduleHandler = (run: JobRun) => Promise<number | void>;

export interface TaskOptions {
  /** An execution that takes longer gets its signal aborted, and counts as failed; default: 60. */
  readonly limitSeconds?: number;
}

/** When a schedule is due, once for all processes. */
export type JobSchedule =
  | {
      /** From the end of an execution to the next one. */
      readonly everySeconds: number;
      /** Also due whenever a process starts. */
      readonly atStart?: boolean;
    }
  | {
      /** Minute, hour, day of the month, month and day of the week in UTC: `0 4 * * *`. */
      readonly cron: string;
      /** Also run what was due in the last hours, up to this, while no process ran; default: 0. */
      readonly backfillHours?: number;
    };

export interface AddOptions {
  /** One job of a task with this key waits at a time: a later one replaces it. */
  readonly key?: string;
  /** Default: as soon as the transaction is committed. */
  readonly runAt?: Date;
  /** The number of failed attempts after which it is kept as failed, for the operator; default: 25, which takes about four days. */
  readonly maxAttempts?: number;
  /** Jobs of a queue run one after the other. Transactions that add to a queue wait for each other: choose the queue by what they lock. */
  readonly queue?: string;
}

export interface Task {
  readonly name: string;
  readonly handle: (payload: unknown, run: JobRun) => Promise<number | void>;
  readonly limitMs: number;
  readonly schedule?: JobSchedule;
}

/** Tasks of Sluice have a class together, and those of each extension: its name comes before the first dot. */
export const classOf = (task: string): string => (task.includes('.') ? task.slice(0, task.indexOf('.')) : 'house');

/** @throws TypeError for a pattern that is not valid */
export const cronOf = (pattern: string): Cron => new Cron(pattern, { timezone: 'UTC', mode: '5-part' });

/** Two clocks that follow the database's differ by less: a schedule begins this much later, so that none is early, or due again by the other. */
const CLOCKS_DIFFER_MS = 2_000;

/** @param nowMs by the clock that follows the database's, which sets the time of the job */
export function secondsUntilNext(schedule: JobSchedule, nowMs: number): number {
  if ('everySeconds' in schedule) return schedule.everySeconds;
  const next = cronOf(schedule.cron).nextRun(new Date(nowMs));
  return ((next?.getTime() ?? Infinity) - nowMs + CLOCKS_DIFFER_MS) / 1_000;
}

/** Six hours: 25 attempts take about four days. */
export const pauseAfter = (attempts: number): number => Math.exp(Math.min(attempts, 10));

const HOUR_SECONDS = 3_600;
/** A due schedule is begun within this time, unless no process runs. */
export const LATE_SECONDS = 60;

/** For a process that starts: the schedule is due after `seconds` at the latest, and what was due longer ago than `backfillSeconds` does not run. */
export function dueAtStart(schedule: JobSchedule, nowMs: number): { readonly seconds: number; readonly backfillSeconds: number | null } {
  if ('everySeconds' in schedule) return { seconds: schedule.atStart === true ? 0 : schedule.everySeconds, backfillSeconds: null };
  return { seconds: secondsUntilNext(schedule, nowMs), backfillSeconds: LATE_SECONDS + (schedule.backfillHours ?? 0) * HOUR_SECONDS };
}
