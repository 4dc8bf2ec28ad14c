import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Events } from '../events/index.js';
import { Loops } from '../loop/index.js';
import { JobClass, type ClassTask, type JobClassOptions } from './job-class.js';
import { JobExecution } from './job-execution.js';
import { JobStore } from './job.store.js';
import { Jobs } from './jobs.js';
import { classOf, type Task } from './task.js';

declare module '../events/event-map.js' {
  interface EventMap {
    /** A job was added. The key is its class. */
    'job.added': Record<string, never>;
  }
}

const TASKS = { slots: 8, claimSeconds: 30, isSerial: true } as const;
const ROLE = 'role';
/** A leader that has died is replaced within this time and a second. */
const ROLES = { slots: 64, claimSeconds: 8, isSerial: true } as const;
/** In which another process may take a role that is offered. */
const OFFERED_SECONDS = 1;
/** A stop waits this long for jobs to end before it aborts their signals. */
const DRAIN_MS = 3_000;

/** The classes of jobs that this process runs. */
@Injectable()
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly classes = new Map<string, JobClass>();
  private readonly roles: Task[] = [];

  constructor(
    private readonly jobs: Jobs,
    private readonly store: JobStore,
    private readonly execution: JobExecution,
    private readonly loops: Loops,
    events: Events,
  ) {
    events.on('job.added', (_event, name) => this.classes.get(name)?.loop.wake());
  }

  /** A class whose owner runs its jobs itself. Call it in a constructor. */
  add(options: JobClassOptions): JobClass {
    const added = new JobClass(options, this.store, this.loops);
    this.classes.set(options.name, added);
    return added;
  }

  /** A job that one process at a time runs, until its signal is aborted, or `lead` ends: then others may take it. Call it in a constructor. */
  addRole(name: string, lead: (signal: AbortSignal) => Promise<void>): void {
    const schedule = { everySeconds: OFFERED_SECONDS, atStart: true };
    this.roles.push({ name, handle: (_payload, { signal }) => lead(signal), limitMs: Infinity, schedule });
  }

  onApplicationBootstrap(): void {
    const tasks = this.jobs.close();
    for (const name of new Set(tasks.map((task) => classOf(task.name))))
      this.add({ name, ...TASKS, tasks: tasks.filter((task) => classOf(task.name) === name).map((task) => this.runnable(task)) });
    this.add({ name: ROLE, ...ROLES, tasks: this.roles.map((task) => this.runnable(task)) });
    for (const each of this.classes.values()) each.loop.start();
  }

  /** While requests are still answered: jobs may need what serves them, and requests what the roles do. */
  async beforeApplicationShutdown(): Promise<void> {
    const others = [...this.classes].filter(([name]) => name !== ROLE);
    await Promise.all(others.map(([, each]) => each.stop(DRAIN_MS)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.classes.get(ROLE)?.stop(0);
  }

  private runnable(task: Task): ClassTask {
    return { ...task, run: (job, signal) => this.execution.run(task, job, signal) };
  }
}
