import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { untilDone } from '../kernel/retries.js';
import { Log, LogInterval } from '../logging/index.js';
import { Loops, type Loop, type LoopOptions } from '../loop/index.js';
import { Metrics } from '../metrics/index.js';
import { JobClass } from './job-class.js';
import { JobStore, type ClaimedJob, type JobEnd } from './job.store.js';

const CLASS = 'role';
const MAX_ROLES = 64;
/** A leader that has died is replaced within this time and a second. */
const CLAIM_SECONDS = 8;
/** In which another process may take a role that is offered. */
const OFFERED_SECONDS = 1;
const REPORT_EVERY_MS = 60_000;

interface Role {
  /** It ends with the present term; undefined while this process does not lead. */
  term?: AbortController | undefined;
  readonly loops: Loop[];
}

/**
 * Lets one of the processes on a database do what would be wasted work in each: a role is a job that lasts as long as its process. It is economy
 * only: what runs here has to be correct while several processes lead, as when one stands still for longer than its claim. A process whose round
 * has failed offers its role to the others, which may reach what it does not.
 */
@Injectable()
export class Leaders implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Log('Leaders');
  private readonly roles = new Map<string, Role>();
  private readonly names: string[] = [];
  private readonly jobs: JobClass;
  private readonly stopping = new AbortController();
  private readonly reports = new LogInterval(REPORT_EVERY_MS);

  constructor(
    private readonly store: JobStore,
    private readonly loops: Loops,
    metrics: Metrics,
  ) {
    const run = (job: ClaimedJob, signal: AbortSignal): Promise<JobEnd> => this.lead(job, signal);
    const options = { name: CLASS, slots: MAX_ROLES, claimSeconds: CLAIM_SECONDS, isSerial: false, tasks: this.names, run };
    this.jobs = new JobClass(options, store, loops);
    metrics.labelledGauge('sluice_leader', 'Roles that one process at a time has: 1 while this process leads, else 0', 'role', () =>
      Object.fromEntries([...this.roles].map(([name, { term }]) => [name, term ? 1 : 0])),
    );
  }

  /** Runs a loop whose rounds do nothing unless this process leads in `role`; several loops may share one. The signal of a round ends with the term too. */
  loop({ role: name, ...options }: LoopOptions & { readonly role: string }): void {
    const role = this.roles.get(name) ?? { loops: [] };
    if (!this.roles.has(name)) this.names.push(name);
    this.roles.set(name, role);
    const loop = this.loops.run({
      ...options,
      round: async (signal) => {
        const { term } = role;
        if (!term) return;
        try {
          await options.round(AbortSignal.any([signal, term.signal]));
        } catch (error) {
          term.abort();
          throw error;
        }
      },
    });
    role.loops.push(loop);
  }

  onApplicationBootstrap(): void {
    for (const name of this.names)
      void untilDone(
        () => this.store.ensure(CLASS, name, new Date(), undefined),
        this.stopping.signal,
        () => undefined,
      ).then(() => this.jobs.wake());
    this.jobs.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const stopped = this.jobs.stop();
    this.jobs.abort();
    await stopped;
  }

  private async lead(job: ClaimedJob, signal: AbortSignal): Promise<JobEnd> {
    const role = this.roles.get(job.task) as Role;
    const term = (role.term = new AbortController());
    this.report(job.task, true);
    for (const loop of role.loops) loop.wake();
    const end = (): void => term.abort();
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    if (!term.signal.aborted) await once(term.signal, 'abort');
    role.term = undefined;
    this.report(job.task, false);
    return { againInSeconds: signal.aborted ? 0 : OFFERED_SECONDS, attempts: 0 };
  }

  private report(role: string, leads: boolean): void {
    if (this.reports.isOver(`${role} ${String(leads)}`))
      this.log.info(
        leads ? 'job_leader_began' : 'job_leader_ended',
        { role },
        `This process ${leads ? 'leads' : 'no longer leads'}: ${role}`,
      );
  }
}
