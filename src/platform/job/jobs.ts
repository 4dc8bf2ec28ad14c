import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/index.js';
import { JobStore } from './job.store.js';
import { cronOf, type AddOptions, type JobHandler, type JobSchedule, type ScheduleHandler, type Task, type TaskOptions } from './task.js';

const NAME = /^[a-z][a-z0-9_.-]{0,62}$/;
const LIMIT_SECONDS = 60;

/**
 * Work that survives a crash, or that all processes together do once on a schedule. A job is committed with the transaction that needs it.
 * Work that a process repeats for itself is no job. Register tasks in a constructor: the workers begin when the application has started.
 */
@Injectable()
export class Jobs {
  private readonly tasks = new Map<string, Task>();
  private isClosed = false;

  constructor(private readonly store: JobStore) {}

  /**
   * Handles the jobs of a name, each at least once, in any order. One that fails is tried again after growing pauses; after its last attempt
   * it stays as failed, which the operator sees and retries (`sluice jobs`).
   * @param name begin it with the extension's name
   * @throws Error if the name is malformed or taken, or if the workers have begun
   */
  task<Payload>(name: string, handle: JobHandler<Payload>, options?: TaskOptions): void {
    this.register({ name, handle: handle as JobHandler }, options);
  }

  /**
   * Runs `handle` on a schedule, once for all processes. With `everySeconds`, an execution that fails is followed by the next one; with
   * `cron`, it is tried again like any job.
   * @throws Error if the name is malformed or taken, if the schedule is not valid, or if the workers have begun
   */
  schedule(name: string, schedule: JobSchedule, handle: ScheduleHandler, options?: TaskOptions): void {
    if ('cron' in schedule) cronOf(schedule.cron);
    else if (!(schedule.everySeconds >= 1)) throw new Error(`The schedule ${name} needs at least a second between its executions`);
    this.register({ name, handle: (_payload, run) => handle(run), schedule }, options);
  }

  /**
   * Adds a job in the caller's transaction: it begins after the commit, and never if that fails.
   * @param payload anything that JSON can hold
   * @throws Error if this process has no such task
   */
  async add(tx: Tx, name: string, payload: unknown, options: AddOptions = {}): Promise<void> {
    const task = this.tasks.get(name);
    if (!task || task.schedule) throw new Error(`There is no task called ${name}`);
    await this.store.add(tx, name, payload, options);
  }

  /** Ends the registration. @returns all tasks. @internal */
  close(): Task[] {
    this.isClosed = true;
    return [...this.tasks.values()];
  }

  private register(task: Omit<Task, 'limitMs'>, { limitSeconds = LIMIT_SECONDS }: TaskOptions = {}): void {
    const { name } = task;
    if (!(limitSeconds >= 1)) throw new Error(`The task ${name} needs at least a second: its limitSeconds is ${limitSeconds}`);
    if (!NAME.test(name)) throw new Error(`The task "${name}" needs a name of small letters, digits and _ . -, of at most 63 characters`);
    if (this.tasks.has(name)) throw new Error(`There are two tasks called ${name}`);
    if (this.isClosed) throw new Error(`The task ${name} comes too late: register it in a constructor`);
    this.tasks.set(name, { ...task, limitMs: limitSeconds * 1_000 });
  }
}
