import { Injectable } from '@nestjs/common';
import { once } from 'node:events';
import { onAbort } from '../kernel/on-abort.js';
import { unlessAborted } from '../kernel/unless-aborted.js';
import { Log, LogInterval } from '../logging/index.js';
import { Loops, type Loop, type LoopOptions } from '../loop/index.js';
import { Metrics } from '../metrics/index.js';
import { JobWorkers } from './job-workers.js';

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
export class Leaders {
  private readonly log = new Log('Leaders');
  private readonly roles = new Map<string, Role>();
  private readonly reports = new LogInterval(REPORT_EVERY_MS);

  constructor(
    private readonly workers: JobWorkers,
    private readonly loops: Loops,
    metrics: Metrics,
  ) {
    metrics.labelledGauge('sluice_leader', 'Roles that one process at a time has: 1 while this process leads, else 0', 'role', () =>
      Object.fromEntries([...this.roles].map(([name, { term }]) => [name, term ? 1 : 0])),
    );
  }

  /** Runs a loop whose rounds do nothing unless this process leads in `role`; several loops may share one. The signal of a round ends with the term too. */
  loop({ role: name, ...options }: LoopOptions & { readonly role: string }): void {
    const role: Role = this.roles.get(name) ?? { loops: [] };
    if (!this.roles.has(name)) this.workers.addRole(name, (signal) => this.lead(name, role, signal));
    this.roles.set(name, role);
    const loop = this.loops.run({
      ...options,
      round: async (signal) => {
        const { term } = role;
        if (!term) return;
        const ending = new AbortController();
        const end = (): void => ending.abort();
        onAbort(signal, end);
        const ignore = onAbort(term.signal, end);
        try {
          await options.round(ending.signal);
        } catch (error) {
          term.abort();
          throw error;
        } finally {
          ignore();
        }
      },
    });
    role.loops.push(loop);
  }

  private async lead(name: string, role: Role, stopping: AbortSignal): Promise<void> {
    const term = (role.term = new AbortController());
    this.report(name, true);
    for (const loop of role.loops) loop.wake();
    await unlessAborted(once(term.signal, 'abort'), stopping);
    term.abort();
    role.term = undefined;
    this.report(name, false);
    stopping.throwIfAborted();
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
