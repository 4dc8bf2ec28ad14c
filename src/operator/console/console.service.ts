import { Injectable, NotFoundException } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { createHash } from 'node:crypto';
import { AccessPauseService } from '../../access/user/index.js';
import { Readiness } from '../../edge/health/index.js';
import { IdempotencyService } from '../../edge/idempotency/index.js';
import { COMMANDS } from '../act/index.js';
import type { Arguments, CommandResult, OperatorCommand } from '../command/index.js';
import { argumentsIn } from './command-form.js';
import { OFFERED, PAGES, paths, type ConsolePage } from './console-page.js';

type Row = Readonly<Record<string, unknown>>;

/** One answer to "can I sleep?". */
export interface HealthCheck {
  readonly label: string;
  readonly href: string;
  /** What waits or is wrong; null: all is well. */
  readonly trouble: string | null;
}

const CHECKS: readonly (readonly [
  label: string,
  page: string,
  command: string,
  options: Arguments['options'],
  counts: (row: Row) => boolean,
])[] = [
  ['Audit of the ledger', 'ledger', 'frozen', {}, ({ cause }) => cause === 'audit'],
  ['Node and ledger compared', 'reconciliation', 'frozen', {}, ({ cause }) => cause === 'reconciliation'],
  ['Stopped sends', 'freezes', 'frozen', {}, () => true],
  [
    'Payments in flight for 10 minutes',
    'payments?state=in_flight&older-than=10m',
    'payment list',
    { state: 'in_flight', 'older-than': '10m' },
    () => true,
  ],
  ['Settlements to review', 'settlements', 'settlement list', {}, () => true],
  ['Applications that wait', 'applications?waiting=on', 'client list', { waiting: true }, () => true],
  ['Adjustments that wait', 'adjustments', 'adjust list', {}, ({ state }) => state === 'open'],
  ['Failed jobs', 'jobs?failed=on', 'jobs list', { failed: true }, () => true],
  ['Consumers with dead letters', 'consumers', 'events list', {}, ({ deadLetters }) => Number(deadLetters) > 0],
];

/** Runs the commands of operators for a person at a browser. */
@Injectable()
export class ConsoleService {
  constructor(
    private readonly modules: ModuleRef,
    private readonly idempotency: IdempotencyService,
    private readonly readiness: Readiness,
    private readonly pauses: AccessPauseService,
  ) {}

  /** @throws NotFoundException for a page that does not exist */
  page(path: string): ConsolePage {
    const page = PAGES.find((each) => each.path === path);
    if (!page) throw new NotFoundException();
    return page;
  }

  /** @throws NotFoundException for a command that the console does not offer */
  act(name: string): OperatorCommand {
    if (!OFFERED.has(name)) throw new NotFoundException();
    return this.command(name);
  }

  /** What a page shows. @throws CommandError or UsageError, with a sentence */
  async show({ command: name }: ConsolePage, value: (field: string) => string, who: string): Promise<CommandResult> {
    const command = this.command(name);
    return this.run(name, argumentsIn(command, value), who);
  }

  /** @param secret a password that the command asks for @throws CommandError or UsageError, with a sentence */
  run(name: string, args: Arguments, who: string, secret = ''): Promise<CommandResult> {
    const get = ((token: never) => this.modules.get(token, { strict: false })) as Pick<ModuleRef, 'get'>['get'];
    return this.command(name).result({ get, who, secret }, args, 'sluice');
  }

  /**
   * Runs the work of a form once, however often the form is sent.
   * @param form the identifier that the form got when it was drawn
   * @returns null if it was sent before; a work that rejects may be sent again
   */
  async once<Result>(userId: string, form: string, work: () => Promise<Result>): Promise<Result | null> {
    const scope = createHash('sha256').update(`console ${userId} ${form}`).digest();
    const claimed = await this.idempotency.claim(scope, scope);
    if (claimed.kind !== 'mine') return null;
    try {
      const result = await work();
      await this.idempotency.keep(claimed.claim, null);
      return result;
    } catch (error) {
      await this.idempotency.release(claimed.claim);
      throw error;
    }
  }

  async health(who: string): Promise<HealthCheck[]> {
    const { waitingFor, degraded } = await this.readiness.check();
    const faults = [...waitingFor, ...degraded];
    const isPaused = (await this.pauses.find(null)).length > 0;
    const found = await Promise.all(
      CHECKS.map(async ([label, page, command, options, counts]) => {
        const rows = (await this.run(command, { positionals: [], options }, who)).found as readonly Row[];
        const count = rows.filter(counts).length;
        return { label, href: paths.page(page), trouble: count > 0 ? String(count) : null };
      }),
    );
    return [
      { label: 'Server and node', href: paths.page('reconciliation'), trouble: faults.length > 0 ? faults.join(', ') : null },
      { label: 'Access of keys and apps', href: paths.page('freezes'), trouble: isPaused ? 'paused' : null },
      ...found,
    ];
  }

  private command(name: string): OperatorCommand {
    const command = COMMANDS.find((each) => each.name === name);
    if (!command) throw new Error(`The console names the command "${name}", which does not exist`);
    return command;
  }
}
