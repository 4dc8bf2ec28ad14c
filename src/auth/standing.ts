import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database, fragment, sql, type Fragment, type Statement } from '../database/index.js';
import { Events } from '../events/index.js';
import { isUuid } from '../kernel/uuid.js';
import { Log } from '../logging/index.js';
import type { CredentialKind } from './principal.js';

/** The principal of an open connection: a socket, or a page that listens. */
export interface Holder {
  readonly kind: CredentialKind;
  readonly id: string;
}

const LOOK_MS = 250;
/** When events are late for longer than this, the process asks the database itself. */
const PATIENCE_MS = 1_000;
/** Maximum of ids per query, so that it takes milliseconds. The next query continues with the rest. */
const MAX_LOOKED_UP = 5_000;
const FAILED_EVERY_MS = 30_000;

/**
 * While this process receives no events, it polls for revocations: once a second, one statement for the credentials of all connections that
 * are open here. Revoked ones go to the same handlers as the event, which comes later and has no further effect.
 */
@Injectable()
export class Standing implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Log(Standing.name);
  private readonly parts = new Map<CredentialKind, Fragment>();
  private statement: Statement | undefined;
  private readonly sources: (() => Iterable<Holder>)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private off: (() => void) | undefined;
  /** When the events became late, or when the last query ran. */
  private since: number | undefined;
  private asking = false;
  private next = 0;
  private failureLoggedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    // No event will report what was revoked in the gap.
    this.off = this.events.onGap(() => void this.ask());
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    this.off?.();
  }

  /**
   * The module that owns a kind of credential registers which are still valid.
   * @param query of one column, `id`: those among the ids in $1 (`uuid[]`) that are not revoked
   */
  know(kind: CredentialKind, query: Fragment): void {
    this.parts.set(kind, query);
    this.statement = sql`${[...this.parts.values()].reduce((all, part) => fragment`${all} UNION ALL ${part}`)}`;
  }

  /** A service with open connections registers their principals. */
  watch(holders: () => Iterable<Holder>): void {
    this.sources.push(holders);
  }

  private look(): void {
    if (this.events.current) {
      this.since = undefined;
      return;
    }
    this.since ??= performance.now();
    if (performance.now() - this.since < PATIENCE_MS) return;
    this.since = performance.now();
    void this.ask();
  }

  private async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    try {
      const ids = this.idsOfOneLook();
      if (ids.length === 0 || !this.statement) return;
      const standing = new Set((await this.database.query<{ id: string }>(this.statement, [ids])).map(({ id }) => id));
      for (const id of ids) if (!standing.has(id)) this.events.notify('credential.revoked', {}, id);
    } catch (error) {
      this.logFailure(error as Error);
    } finally {
      this.asking = false;
    }
  }

  private idsOfOneLook(): string[] {
    const ids = new Set<string>();
    for (const holders of this.sources) for (const { kind, id } of holders()) if (this.parts.has(kind) && isUuid(id)) ids.add(id);
    if (this.next >= ids.size) this.next = 0;
    const some = [...ids].slice(this.next, this.next + MAX_LOOKED_UP);
    this.next += MAX_LOOKED_UP;
    return some;
  }

  private logFailure({ message }: Error): void {
    if (performance.now() - this.failureLoggedAt < FAILED_EVERY_MS) return;
    this.failureLoggedAt = performance.now();
    this.log.warn(
      'auth_revocations_not_checked',
      {},
      `Events are late and revocations not looked up; sockets of revoked credentials stay open: ${message}`,
    );
  }
}
