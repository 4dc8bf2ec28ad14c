import type { EventEmitter } from 'node:events';
import { Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { jobsCommands } from '../../src/cli/jobs.command.js';
import { Database, type AddOptions, type Extension } from '../../src/index.js';
import { JobWorkers } from '../../src/job/job-workers.js';
import { Jobs, type JobDetails, type JobRun, type JobSchedule } from '../../src/job/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { AdvisoryLock } from '../../src/database/index.js';
import { createTestApp, type TestApp, type TestAppOptions } from '../support/app.js';

type Handle = (payload: unknown, run: JobRun, by: string) => Promise<void>;

/** An extension whose tasks call what the test has put here at the moment. */
const tasks: { handle: Handle; schedules: Record<string, JobSchedule> } = { handle: async () => undefined, schedules: {} };

function jobber(by: string): Extension {
  @Injectable()
  class Jobber {
    constructor(jobs: Jobs) {
      jobs.task('jobber.work', (payload, run) => tasks.handle(payload, run, by));
      jobs.task('jobber.short', (payload, run) => tasks.handle(payload, run, by), { limitSeconds: 1 });
      for (const [name, schedule] of Object.entries(tasks.schedules)) jobs.schedule(name, schedule, (run) => tasks.handle(name, run, by));
    }
  }
  @Module({ providers: [Jobber] })
  class JobberModule {}
  return { name: 'jobber', module: JobberModule };
}

const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));

describe('jobs', () => {
  let app: TestApp;
  let done: unknown[];

  const startApp = (by = 'one', options: TestAppOptions = {}): Promise<TestApp> => createTestApp({ ...options, extensions: [jobber(by)] });

  beforeEach(() => {
    done = [];
    tasks.schedules = {};
    tasks.handle = async (payload) => void done.push(payload);
  });
  afterEach(() => app.close());

  const add = (payload: unknown, options?: AddOptions, task = 'jobber.work'): Promise<void> =>
    app.get(Database).transaction((tx) => app.get(Jobs).add(tx, task, payload, options));
  const command = async (name: string, options: object, ...positionals: string[]): Promise<string> => {
    const lines: string[] = [];
    const context = { get: app.get.bind(app) } as unknown as INestApplicationContext;
    await jobsCommands
      .find((each) => each.name === name)
      ?.run(context, { positionals, options: { ...options } }, (line) => void lines.push(line));
    return lines.join('\n');
  };
  const listed = async (options = {}): Promise<JobDetails[]> =>
    (JSON.parse(await command('jobs list', { json: true, ...options })) as JobDetails[]).filter(({ task }) => task.startsWith('jobber.'));
  /** What waits for its next attempt or time is due now. */
  const hurry = (task = 'jobber.work'): Promise<unknown> =>
    app.pool.query(
      `UPDATE sluice_job._private_jobs j SET run_at = now() FROM sluice_job._private_tasks t WHERE t.id = j.task_id AND t.identifier = $1 AND locked_at IS NULL`,
      [task],
    );
  const wake = (): Promise<unknown> => app.pool.query(`SELECT pg_notify('jobs:insert', '{"count":4}')`);
  const workerLocks = async (): Promise<number | null> =>
    (
      await app.pool.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = ${AdvisoryLock.jobWorkers} AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rowCount;
  const metrics = async (): Promise<string> => (await fetch(`${app.url}/metrics`)).text();

  it('run after the commit of the transaction that adds them, once, and never if it is rolled back', async () => {
    app = await startApp();
    await expect(
      app.get(Database).transaction(async (tx) => {
        await app.get(Jobs).add(tx, 'jobber.work', 'rolled back');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await app.get(Database).transaction(async (tx) => {
      await app.get(Jobs).add(tx, 'jobber.work', { amount: '1' });
      await wake();
      expect(done).toEqual([]);
    });
    await eventually(() => done.length > 0);
    await add('later', { runAt: new Date(Date.now() + 3_600_000) });
    await eventually(async () => (await listed()).length === 1);
    expect(done).toEqual([{ amount: '1' }]);
    expect(await listed()).toMatchObject([{ state: 'waiting', attempts: 0, maxAttempts: 25 }]);
    await expect(app.get(Database).transaction((tx) => app.get(Jobs).add(tx, 'jobber.other', 1))).rejects.toThrow('no task called');
    expect(await metrics()).toContain('sluice_jobs_total{task="jobber.work",result="done"} 1');
  });

  it('replace those that wait under their key, and run one after the other in a queue', async () => {
    app = await startApp();
    let atOnce = 0;
    let most = 0;
    tasks.handle = async (payload) => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 20));
      atOnce--;
      done.push(payload);
    };
    const runAt = new Date(Date.now() + 3_600_000);
    await add('first', { key: 'a', runAt });
    await add('second', { key: 'a', runAt });
    expect(await listed()).toMatchObject([{ key: 'jobber.work:a', queue: null }]);
    await hurry();
    await app.get(Database).transaction(async (tx) => {
      for (let n = 0; n < 6; n++) await app.get(Jobs).add(tx, 'jobber.work', n, { queue: 'jobber' });
    });
    await eventually(() => done.length === 7);
    expect(new Set(done)).toEqual(new Set(['second', 0, 1, 2, 3, 4, 5]));
    // The one that is in no queue may run beside those of the queue.
    expect(most).toBeLessThanOrEqual(2);
  });

  it('are tried again when they fail, and kept when they have failed for good, until the operator retries or forgets them', async () => {
    app = await startApp();
    tasks.handle = async () => {
      throw new Error('no \0 luck');
    };
    await add('unlucky', { maxAttempts: 2 });
    await eventually(async () => (await listed())[0]?.state === 'waiting' && (await listed())[0]?.error !== null);
    expect(await listed()).toMatchObject([{ attempts: 1, error: 'no  luck' }]);
    expect(await command('jobs list', { failed: true })).toBe('There are no such jobs.');
    await hurry();
    await wake();
    await eventually(async () => (await listed({ failed: true })).length === 1);
    expect(app.logs.some((line) => line.includes('job_failed') && line.includes('attempt 1 of 2'))).toBe(true);
    expect(app.logs.some((line) => line.includes('job_given_up') && line.includes('no  luck'))).toBe(true);
    expect(await metrics()).toMatch(/task="jobber.work",result="given_up"\} 1\n[^]*sluice_jobs\{state="failed"\} 1/);
    const [{ id } = { id: '' }] = await listed();
    tasks.handle = async (payload) => void done.push(payload);
    expect(await command('jobs retry', {}, id)).toBe(`Job ${id} runs again.`);
    await eventually(() => done.length === 1);
    await eventually(async () => (await listed()).length === 0);
    await expect(command('jobs retry', {}, id)).rejects.toThrow(`There is no job ${id}`);
    await add('unwanted', { runAt: new Date(Date.now() + 3_600_000) });
    const [unwanted] = await listed();
    expect(await command('jobs forget', { json: true }, unwanted?.id ?? '')).toBe(`{"job":"${unwanted?.id}"}`);
    expect(await listed()).toEqual([]);
    await expect(command('jobs forget', {}, 'x')).rejects.toThrow('not the number of a job');
  });

  it('have a limit, after which their signal is aborted and the attempt has failed', async () => {
    app = await startApp();
    tasks.handle = (_payload, { signal }) => endOf(signal);
    await add('slow', {}, 'jobber.short');
    await eventually(async () => (await listed())[0]?.error === 'it was not done within 1 s');
  });

  it('on a schedule run once for all processes, are never lost, and fail without an end', async () => {
    tasks.schedules = { 'jobber.often': { everySeconds: 600, atStart: true }, 'jobber.daily': { cron: '0 4 * * *' } };
    tasks.handle = async (name, _run, by) => void done.push(`${String(name)} ${by}`);
    app = await startApp();
    const beside = await startApp('two', { beside: app });
    try {
      // Each process makes it due when it starts.
      await eventually(() => [app, beside].every((each) => (each.get(JobWorkers) as unknown as { hasStarted: boolean }).hasStarted));
      await eventually(async () => {
        const [row] = await listed();
        return done.length > 0 && row?.state === 'waiting' && new Date(row.runAt).getTime() > Date.now() + 500_000;
      });
      done.length = 0;
      for (let n = 1; n <= 5; n++) {
        // The next execution waits in the same transaction that ended the last one.
        await eventually(async () => (await listed())[0]?.state === 'waiting');
        await hurry('jobber.often');
        await wake();
        await eventually(() => done.length === n);
      }
      tasks.handle = async () => {
        throw new Error('not today');
      };
      await eventually(async () => (await listed())[0]?.state === 'waiting');
      await hurry('jobber.often');
      await wake();
      await eventually(async () => (await listed())[0]?.error === 'not today');
      expect(done).toHaveLength(5);
      expect(await listed()).toMatchObject([{ task: 'jobber.often', state: 'waiting', attempts: 0 }]);
      const [{ runAt } = { runAt: new Date() }] = await listed();
      expect(new Date(runAt).getTime() - Date.now()).toBeGreaterThan(500_000);
      const { rows } = await app.pool.query('SELECT identifier FROM sluice_job._private_known_crontabs ORDER BY identifier');
      expect(rows).toEqual([{ identifier: 'jobber.daily' }, { identifier: 'ledger_audit_whole' }]);
    } finally {
      await beside.close();
    }
  });

  it('end before their process does; what does not is given back, and the lost attempt does not count', async () => {
    app = await startApp();
    const beside = await startApp('two', { beside: app });
    const ended: string[] = [];
    const began = new Set<string>();
    const attempts: number[] = [];
    tasks.handle = async (payload, { signal }, by) => {
      began.add(by);
      if (by === 'one') return;
      if (payload === 'slow') await new Promise((resolve) => setTimeout(resolve, 500)).then(() => ended.push(by));
      else await endOf(signal);
    };
    // Until the other process has got two of them.
    for (const payload of ['slow', 'endless']) {
      began.clear();
      while (!began.has('two')) {
        const { size } = began;
        await add(payload);
        await eventually(() => began.size > size || began.has('one'));
        began.delete('one');
      }
    }
    tasks.handle = async (_payload, { attempt }) => void attempts.push(attempt);
    await beside.close();
    expect(ended).toEqual(['two']);
    await eventually(async () => attempts.length === 1 && (await listed()).length === 0);
    expect(attempts).toEqual([1]);
    expect(beside.logs.filter((line) => /"job_(?!leader)/.test(line))).toEqual([]);
  });

  it('begin again that the database has given to workers which have not heard of it', async () => {
    app = await startApp();
    await add('unheard', { runAt: new Date(Date.now() + 3_600_000) });
    const workers = app.get(JobWorkers) as unknown as { pool?: { name: string } };
    const name = await eventually(() => workers.pool?.name);
    // As when the connection is lost after the statement that takes the job, and before its result.
    await app.pool.query(
      `UPDATE sluice_job._private_jobs SET run_at = now(), locked_by = $1, locked_at = now() - interval '6 seconds', attempts = 1
        WHERE payload::jsonb = '"unheard"'`,
      [name],
    );
    await eventually(() => done.length === 1);
    expect(done).toEqual(['unheard']);
    expect(app.logs.filter((line) => line.includes('job_freed'))).toHaveLength(1);
  });

  it('write nothing to the console when their workers lose the database while they stop', async () => {
    app = await startApp();
    const beside = await startApp('two', { beside: app });
    const { events, clients } = await eventually(
      () => (beside.get(JobWorkers) as unknown as { pool?: { events: EventEmitter; clients: Set<{ processID: number }> } }).pool,
    );
    const toConsole = jest.spyOn(console, 'trace').mockImplementation(() => undefined);
    const locker = await app.pool.connect();
    await locker.query('BEGIN; LOCK sluice_job._private_jobs');
    // The recovery of both applications waits for the lock too, in other sessions.
    const pids = (): number[] => [...clients].map(({ processID }) => processID);
    const blocked = async (): Promise<number | null> =>
      (await app.pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = ANY ($1)`, [pids()])).rowCount;
    await wake();
    await eventually(blocked);
    const failed = new Promise((resolve) => events.once('worker:getJob:error', resolve));
    events.once(
      'pool:gracefulShutdown',
      () => void locker.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids()]),
    );
    const closing = beside.close();
    await failed;
    await locker.query('ROLLBACK');
    locker.release();
    await closing;
    expect(toConsole).not.toHaveBeenCalled();
    toConsole.mockRestore();
  });

  it('run again after the database has refused to store the ends of several', async () => {
    app = await startApp();
    await app.pool.query(`
      CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'restarting' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER refuse_end BEFORE DELETE ON sluice_job._private_jobs FOR EACH ROW EXECUTE FUNCTION refuse_end()`);
    for (let n = 0; n < 8; n++) await add(n);
    await eventually(() => done.length >= 4);
    await eventually(() => app.logs.some((line) => line.includes('job_workers_unavailable')));
    await app.pool.query('DROP TRIGGER refuse_end ON sluice_job._private_jobs');
    await add('afterwards');
    await eventually(() => done.includes('afterwards') && new Set(done).size === 9);
    await eventually(async () => (await listed()).length === 0);
    await eventually(async () => (await workerLocks()) === 1);
  });

  it('of Sluice and on a schedule do not wait behind the many jobs of an extension', async () => {
    tasks.schedules = { 'jobber.hourly': { everySeconds: 3_600 } };
    tasks.handle = async (payload) => {
      done.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    app = await startApp();
    await app.get(Database).transaction(async (tx) => {
      for (let n = 0; n < 400; n++) await app.get(Jobs).add(tx, 'jobber.work', n);
    });
    await eventually(() => done.length > 8);
    await hurry('jobber.hourly');
    await eventually(() => done.includes('jobber.hourly'));
    expect(done.length).toBeLessThan(200);
  });

  it('survive the loss of every connection of their workers', async () => {
    app = await startApp();
    await add('before');
    await eventually(() => done.length === 1);
    await app.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND query ~ 'LISTEN "jobs|sluice_job"'`,
    );
    await add('after');
    // The first one may be repeated: its end may have been lost.
    await eventually(() => done.includes('after'));
    // The workers listen again, so what is added runs at once; and they hold their jobs again.
    await eventually(async () => (await workerLocks()) === 1);
  });
});
