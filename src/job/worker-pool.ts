import { EventEmitter } from 'node:events';
import {
  parseCronItems,
  run,
  type CronItem,
  type Job,
  type JobHelpers,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';
import { discardClient, type DatabaseOptions } from '../database/index.js';
import type { JobExecution, TakenJob } from './job-execution.js';
import { within } from '../kernel/within.js';
import { JOB_SCHEMA } from './job-schema.js';
import { WORKERS_LOCK, type JobStore } from './job.store.js';
import { libraryOptions } from './library-options.js';
import type { Task } from './task.js';

/** Jobs that a process runs at the same time. */
const CONCURRENCY = 4;
/** Pause of each worker between its questions for jobs that are due by now; a commit that adds one wakes them. */
const POLL_MS = 4_000;
/** One listens, the workers share the other. */
export const JOB_CONNECTIONS = 2;
const CONNECT_MS = 10_000;
/** A stop waits this long for jobs to end; then their signals are aborted, and it waits a little longer. */
const DRAIN_MS = 3_000;
const ABORT_MS = 2_000;
const CLOSE_MS = 1_000;
const HOUR_MS = 3_600_000;
/** The server notices within half a minute that the host of a session has gone, and frees its jobs. */
const NOTICE_DEATH = 'SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

interface WorkerPoolOptions {
  readonly database: DatabaseOptions;
  readonly tasks: ReadonlyMap<string, Task>;
  readonly store: JobStore;
  readonly execution: JobExecution;
}

/** The workers of this process, from a start to an end. */
export class WorkerPool {
  private readonly pool: pg.Pool;
  private readonly clients = new Set<pg.Client>();
  private isStopping = false;
  private readonly events: WorkerEvents = new EventEmitter();
  private readonly stopping = new AbortController();
  /** The name under which the database knows these workers; empty before they have one. */
  name = '';
  private readonly locked: Promise<void>;
  private runner: Runner | undefined;
  /** Rejected when the library is of no use any more; resolved never. */
  private readonly broken: Promise<never>;

  constructor(private readonly options: WorkerPoolOptions) {
    this.pool = poolFor(options.database);
    this.pool.on('connect', (client) => void this.clients.add(client as pg.Client));
    this.pool.on('remove', (client) => void this.clients.delete(client as pg.Client));
    this.events.on('pool:create', ({ workerPool: { id } }) => (this.name = id));
    // The session that listens holds the lock that keeps the jobs of these workers, and so does each one that takes its place.
    this.locked = new Promise((resolve) =>
      this.events.on('pool:listen:success', ({ client, workerPool: { id } }) => {
        client.query(WORKERS_LOCK.text, [id]).then(
          () => resolve(),
          () => undefined, // the library opens another connection
        );
      }),
    );
    this.broken = new Promise((_resolve, reject) => {
      let hasAsked = false;
      this.events.on('worker:getJob:empty', () => (hasAsked = true));
      this.events.on('job:start', () => (hasAsked = true));
      // The library keeps the failure of its very first question, and would repeat it without end.
      this.events.on('worker:getJob:error', ({ error }) => hasAsked || reject(error as Error));
      // It shuts its workers down when it could not store how a job ended, and after a second such failure waits for itself without end.
      this.events.on('pool:gracefulShutdown', ({ message }) => this.isStopping || reject(new Error(message)));
    });
    this.broken.catch(() => undefined);
    this.keepFromConsole();
  }

  /** Runs until `signal` is aborted. @throws Error when the workers have ended by themselves */
  async run(signal: AbortSignal): Promise<void> {
    try {
      this.runner = await run({
        ...libraryOptions(),
        pgPool: this.pool,
        schema: JOB_SCHEMA,
        events: this.events,
        taskList: this.taskList(),
        parsedCronItems: parseCronItems([...this.options.tasks.values()].flatMap(cronItemOf)),
        preset: {
          // Without a batch the library would not wait for these statements, and their failure would end the process.
          worker: { concurrentJobs: CONCURRENCY, pollInterval: POLL_MS, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
          plugins: [
            {
              name: 'SluiceLockPlugin',
              version: '0.0.0',
              worker: { hooks: { startWorker: () => Promise.race([this.locked, aborted(this.stopping.signal)]) } },
            },
          ],
        },
      });
      const ended = this.runner.promise.then(() => {
        if (!signal.aborted) throw new Error('The workers have ended');
      });
      await Promise.race([ended, this.broken, aborted(signal)]);
    } finally {
      await this.stop();
    }
  }

  /**
   * The library writes the failure of a worker to the console, beside its log. Where a worker is about to fail because it stops in an outage,
   * or cannot store how its job ended, it ends instead: the workers' own lines report the outage, and what is lost is found by `held`.
   */
  private keepFromConsole(): void {
    let isEnding = false;
    this.events.on('pool:gracefulShutdown', () => (isEnding = true));
    this.events.on('worker:getJob:error', ({ worker }) => isEnding && void worker.release(true));
    this.events.on('worker:fatalError', ({ worker }) => void worker.release(true));
  }

  private taskList(): TaskList {
    const { tasks, execution } = this.options;
    const listOf = [...tasks.values()].map((task) => [
      task.name,
      (payload: unknown, { job }: JobHelpers) =>
        execution.run(task, { ...takenOf(job), payload, workers: this.name }, this.stopping.signal),
    ]);
    return Object.fromEntries(listOf) as TaskList;
  }

  /** Begins no job any more, and waits for those that run. What does not end is given back: another process begins it again. */
  private async stop(): Promise<void> {
    this.isStopping = true;
    const stopped = this.runner?.stop().catch(() => undefined);
    if (!(await isWithin(DRAIN_MS, stopped))) {
      this.stopping.abort();
      await isWithin(ABORT_MS, stopped);
    }
    this.stopping.abort();
    await isWithin(CLOSE_MS, this.name === '' ? undefined : this.options.store.giveBack(this.name));
    if (await isWithin(CLOSE_MS, this.pool.end())) return;
    // A session that listens would keep the lock of these workers, and so their jobs.
    this.clients.forEach(discardClient);
  }
}

function poolFor({ directConnection, connection, limits, maxStatementMs = 0 }: DatabaseOptions): pg.Pool {
  const limit = limits ? `; SET statement_timeout = ${limits.statementMs}` : '';
  const config = {
    ...(directConnection ?? connection),
    max: JOB_CONNECTIONS,
    // A session that is closed for idleness would lose its lock.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: maxStatementMs,
    keepAlive: true,
    onConnect: (client: pg.ClientBase) => client.query(NOTICE_DEATH + limit).then(() => undefined),
  };
  const pool = new pg.Pool(config);
  // The next statement reports a lost connection; the library demands both listeners.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

const takenOf = ({ id, attempts, max_attempts: maxAttempts, job_queue_id: queue }: Job): Omit<TakenJob, 'payload' | 'workers'> => ({
  id,
  attempts,
  maxAttempts,
  isInQueue: queue !== null,
});

function cronItemOf({ name, schedule }: Task): CronItem[] {
  if (!schedule || !('cron' in schedule)) return [];
  return [{ task: name, match: schedule.cron, options: { backfillPeriod: (schedule.backfillHours ?? 0) * HOUR_MS } }];
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Has the work ended, with success or not, within `ms`? */
async function isWithin(ms: number, work: Promise<unknown> | undefined): Promise<boolean> {
  const ended = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  return within(ms, ended, () => false);
}
