import { Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { jobsCommands } from '../../src/operator/act/jobs.command.js';
import { Database, type AddOptions, type Extension } from '../../src/index.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import { Jobs, type JobDetails, type JobRun, type JobSchedule } from '../../src/platform/job/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp, type TestAppOptions } from '../support/app.js';

type Handle = (payload: unknown, run: JobRun, by: string) => Promise<void>;

/** An extension whose tasks call what the test has put here at the moment. */
const tasks: { handle: Handle; scheduled: Handle } = { handle: async () => undefined, scheduled: async () => undefined };
const SCHEDULES: Readonly<Record<string, JobSchedule>> = {
  'jobber.often': { everySeconds: 600, atStart: true },
  'jobber.hourly': { everySeconds: 3_600 },
  'jobber.daily': { cron: '0 4 * * *' },
};

function jobber(by: string): Extension {
  @Injectable()
  class Jobber {
    constructor(jobs: Jobs) {
      jobs.task('jobber.work', (payload, run) => tasks.handle(payload, run, by));
      jobs.task('jobber.short', (payload, run) => tasks.handle(payload, run, by), { limitSeconds: 1 });
      for (const [name, schedule] of Object.entries(SCHEDULES)) jobs.schedule(name, schedule, (run) => tasks.scheduled(name, run, by));
    }
  }
  @Module({ providers: [Jobber] })
  class JobberModule {}
  return { name: 'jobber', module: JobberModule };
}

/** Another task of the server may lose its claim on a machine that is slow enough. */
const isOurs = (line: string): boolean => !/"task":"(?!jobber)/.test(line);

const endOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));

describe('jobs', () => {
  let app: TestApp;
  let done: unknown[];

  const startApp = async (by = 'one', options: TestAppOptions = {}): Promise<TestApp> => {
    const started = await createTestApp({ ...options, extensions: [jobber(by)] });
    logs.push(started.logs);
    return started;
  };
  /** Of all processes: each one that starts gets the lines of all. */
  const logs: (readonly string[])[] = [];
  const lines = (event: string): string[] => logs.flat().filter((line) => line.includes(event));

  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => {
    done = [];
    tasks.handle = async (payload) => void done.push(payload);
    tasks.scheduled = async () => undefined;
  });
  afterEach(() => app.pool.query(`DELETE FROM job WHERE task IN ('jobber.work', 'jobber.short')`));
  afterAll(() => app.close());

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
  /** What was added, without the schedules. */
  const added = async (options = {}): Promise<JobDetails[]> => (await listed(options)).filter(({ task }) => !(task in SCHEDULES));
  const scheduled = async (name: string): Promise<JobDetails | undefined> => (await listed()).find(({ task }) => task === name);
  /** What waits for its next attempt or time is due now. */
  const hurry = (task = 'jobber.work'): Promise<unknown> =>
    app.pool.query('UPDATE job SET run_at = now() WHERE task = $1 AND claim IS NULL', [task]);
  const metrics = async (): Promise<string> => (await fetch(`${app.url}/metrics`)).text();

  it('run after the commit of the transaction that adds them, once, and never if it is rolled back', async () => {
    await expect(
      app.get(Database).transaction(async (tx) => {
        await app.get(Jobs).add(tx, 'jobber.work', 'rolled back');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await app.get(Database).transaction(async (tx) => {
      await app.get(Jobs).add(tx, 'jobber.work', { amount: '1' });
      expect(done).toEqual([]);
    });
    await eventually(() => done.length > 0);
    await add('later', { runAt: new Date(Date.now() + 3_600_000) });
    await eventually(async () => (await added()).length === 1);
    expect(done).toEqual([{ amount: '1' }]);
    expect(await added()).toMatchObject([{ state: 'waiting', attempts: 0, maxAttempts: 25 }]);
    await expect(app.get(Database).transaction((tx) => app.get(Jobs).add(tx, 'jobber.other', 1))).rejects.toThrow('no task called');
    expect(await metrics()).toContain('sluice_jobs_total{task="jobber.work",result="done"} 1');
  });

  it('replace those that wait under their key, and run one after the other in a queue', async () => {
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
    expect(await added()).toMatchObject([{ key: 'a', queue: null }]);
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
    tasks.handle = async () => {
      throw new Error('no \0 luck');
    };
    await add('unlucky', { maxAttempts: 2 });
    await eventually(async () => (await added())[0]?.state === 'waiting' && (await added())[0]?.error !== null);
    expect(await added()).toMatchObject([{ attempts: 1, error: 'no  luck' }]);
    expect(await command('jobs list', { failed: true })).toBe('There are no such jobs.');
    await hurry();
    await eventually(async () => (await added({ failed: true })).length === 1);
    expect(lines('job_failed').some((line) => line.includes('attempt 1 of 2'))).toBe(true);
    expect(lines('job_given_up').some((line) => line.includes('no  luck'))).toBe(true);
    expect(await metrics()).toMatch(/task="jobber.work",result="given_up"\} 1\n[^]*sluice_jobs\{state="failed"\} 1/);
    expect((await listed()).at(-1)).toMatchObject({ state: 'failed' });
    const [{ id } = { id: '' }] = await added();
    tasks.handle = async (payload) => void done.push(payload);
    expect(await command('jobs retry', {}, id)).toBe(`Job ${id} runs again.`);
    await eventually(() => done.length === 1);
    await eventually(async () => (await added()).length === 0);
    await expect(command('jobs retry', {}, id)).rejects.toThrow(`There is no job ${id}`);
    await add('unwanted', { runAt: new Date(Date.now() + 3_600_000) });
    const [unwanted] = await added();
    expect(await command('jobs forget', { json: true }, unwanted?.id ?? '')).toBe(`{"job":"${unwanted?.id}"}`);
    expect(await added()).toEqual([]);
    await expect(command('jobs forget', {}, 'x')).rejects.toThrow('not the number of a job');
  });

  it('have a limit, after which their signal is aborted and the attempt has failed', async () => {
    tasks.handle = (_payload, { signal }) => endOf(signal);
    await add('slow', {}, 'jobber.short');
    await eventually(async () => (await added())[0]?.error === 'it was not done within 1 s');
  });

  it('on a schedule run once for all processes, are never lost, and fail without an end', async () => {
    const isOver = async (): Promise<boolean> => {
      const often = await scheduled('jobber.often');
      return often?.state === 'waiting' && new Date(often.runAt).getTime() > Date.now() + 500_000;
    };
    await eventually(isOver);
    tasks.scheduled = async (name) => void done.push(name);
    const beside = await startApp('two', { beside: app });
    try {
      for (let n = 1; n <= 5; n++) {
        // The process that has started has made it due once.
        if (n > 1) await hurry('jobber.often');
        await eventually(() => done.length === n);
        // The next execution waits in the same transaction that ended the last one.
        await eventually(isOver);
      }
      tasks.scheduled = async () => {
        throw new Error('not today');
      };
      await hurry('jobber.often');
      await eventually(async () => (await scheduled('jobber.often'))?.error === 'not today');
      expect(done).toEqual(Array.from({ length: 5 }, () => 'jobber.often'));
      for (const name of Object.keys(SCHEDULES)) expect(await scheduled(name)).toMatchObject({ state: 'waiting', attempts: 0 });
      expect(await isOver()).toBe(true);
    } finally {
      await beside.close();
    }
  });

  it('run although their times were written while the clock of the database was an hour ahead', async () => {
    const ran: unknown[] = [];
    tasks.scheduled = async (name) => void ran.push(name);
    tasks.handle = async (payload) => {
      done.push(payload);
      if (done.length === 1) throw new Error('once');
    };
    await add('failed once', { queue: 'a queue' });
    await eventually(async () => (await listed()).some(({ task, attempts }) => task === 'jobber.work' && attempts === 1));
    await add('for later', { runAt: new Date(Date.now() + 50_000_000) });
    await add('unattempted', { runAt: new Date(Date.now() + 60_000_000) });
    const ahead = (which: string): Promise<unknown> =>
      app.pool.query(`UPDATE job SET run_at = now() + interval '1 hour', written_at = now() + interval '1 hour' WHERE ${which}`);
    await ahead(`task = 'jobber.work' AND attempts = 1`);
    await ahead(`task = 'jobber.often'`);
    await ahead(`payload = '"unattempted"'`);
    await app.pool.query(`UPDATE job_owner SET turn_at = now() + interval '1 hour' WHERE owner = 'a queue'`);
    await eventually(() => ran.includes('jobber.often') && done.length === 3);
    expect(done.toSorted()).toEqual(['failed once', 'failed once', 'unattempted']);
    // One that was added for a later time still waits for it.
    expect((await listed()).find(({ task }) => task === 'jobber.work')).toMatchObject({ attempts: 0, state: 'waiting' });
  });

  it('with a time of day are due by the clock that follows the database', async () => {
    class AheadClock extends SystemClock {
      override now(): number {
        return super.now() + 3_600_000;
      }
    }
    await app.pool.query(`DELETE FROM job WHERE task = 'jobber.daily'`);
    const beside = await startApp('two', { beside: app, clock: new AheadClock() });
    const daily = await eventually(() => scheduled('jobber.daily'));
    await beside.close();
    // In an hour it is four o'clock for that process.
    const minutes = Math.round(new Date(daily.runAt).getTime() / 60_000);
    expect(minutes % (24 * 60)).toBe(3 * 60);
  });

  it('end before their process does; what does not is given back, and the lost attempt does not count', async () => {
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
    await eventually(async () => attempts.length === 1 && (await added()).length === 0);
    expect(attempts).toEqual([1]);
    expect(beside.logs.filter((line) => /"job_(?!leader)/.test(line) && isOurs(line))).toEqual([]);
  });

  it('begin again when the claim of their process is over, and report it', async () => {
    await add('unheard', { runAt: new Date(Date.now() + 3_600_000) });
    // As a process leaves it that has died after its claim.
    await app.pool.query(`UPDATE job SET run_at = now(), claim = gen_random_uuid(), attempts = 1 WHERE payload = '"unheard"'`);
    await eventually(() => done.length === 1);
    expect(done).toEqual(['unheard']);
    expect(lines('job_freed').filter(isOurs)).toHaveLength(1);
  });

  it('have failed for good when their process dies in the last attempt', async () => {
    await add('deadly', { runAt: new Date(Date.now() + 3_600_000), maxAttempts: 1 });
    await app.pool.query(`UPDATE job SET run_at = now(), claim = gen_random_uuid(), attempts = 1 WHERE payload = '"deadly"'`);
    await eventually(async () => (await added({ failed: true })).length === 1);
    expect(await added()).toMatchObject([{ state: 'failed', error: 'its process ended during the last attempt' }]);
    expect(done).toEqual([]);
  });

  it('keep their claim for as long as they run, and are aborted when it is lost', async () => {
    const aborted: unknown[] = [];
    tasks.handle = async (payload, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      aborted.push(payload);
    };
    await add('long');
    const seconds = async (): Promise<number | undefined> =>
      (
        await app.pool.query(
          `SELECT extract(epoch FROM run_at - now())::int AS seconds FROM job WHERE claim IS NOT NULL AND payload = '"long"'`,
        )
      ).rows[0]?.seconds as number | undefined;
    // The next renewal is due within ten seconds.
    await eventually(async () => Number(await seconds()) < 24);
    await eventually(async () => Number(await seconds()) > 27);
    expect(aborted).toEqual([]);
    await app.pool.query(`UPDATE job SET claim = gen_random_uuid() WHERE payload = '"long"'`);
    await eventually(() => aborted.length === 1);
  });

  it('run once although the database refuses for a while to store their ends', async () => {
    await app.pool.query(`
      CREATE FUNCTION refuse_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'restarting' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER refuse_end BEFORE DELETE ON job FOR EACH ROW EXECUTE FUNCTION refuse_end()`);
    for (let n = 0; n < 8; n++) await add(n);
    await eventually(() => lines('job_store_unavailable').length > 0);
    await app.pool.query('DROP TRIGGER refuse_end ON job');
    await add('afterwards');
    await eventually(async () => done.includes('afterwards') && (await added()).length === 0);
    expect(done).toHaveLength(9);
  });

  it('of Sluice and on a schedule do not wait behind the many jobs of an extension', async () => {
    tasks.scheduled = async (name) => void done.push(name);
    tasks.handle = async (payload) => {
      done.push(payload);
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    await app.get(Database).transaction(async (tx) => {
      for (let n = 0; n < 400; n++) await app.get(Jobs).add(tx, 'jobber.work', n);
    });
    await eventually(() => done.length > 8);
    await hurry('jobber.hourly');
    await eventually(() => done.includes('jobber.hourly'));
    expect(done.length).toBeLessThan(200);
  });
});
