import { Injectable } from '@nestjs/common';
import { Database, fragment, sql, type Fragment, type Statement } from '../../platform/database/index.js';
import { Events } from '../../platform/events/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import type { CredentialKind } from './principal.js';

export interface CredentialRef {
  readonly kind: CredentialKind;
  readonly id: string;
}

const TIMER_MS = 250;
const MAX_EVENT_DELAY_MS = 1_000;
/** Maximum of ids per query, so that it takes milliseconds. The next query continues with the rest. */
const MAX_LOOKED_UP = 5_000;

/**
 * While this process receives no events, one statement a second polls for revocations of all connections that are open here. The event
 * comes later and has no further effect.
 */
@Injectable()
export class RevocationPoller {
  private readonly log = new Log(RevocationPoller.name);
  private readonly queries = new Map<CredentialKind, Fragment>();
  private statement: Statement | undefined;
  private keys: Statement | undefined;
  private readonly sources: (() => Iterable<CredentialRef>)[] = [];
  private since: number | undefined;
  private hasGap = false;
  private next = 0;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    loops: Loops,
  ) {
    const loop = loops.run({
      name: 'revocation_poll',
      pauseMs: TIMER_MS,
      round: () => this.pollIfLate(),
      onFailure: ({ message }) =>
        this.log.warn(
          'auth_revocations_not_checked',
          {},
          `Events are late and revocations not looked up; sockets of revoked credentials stay open: ${message}`,
        ),
    });
    // No event will report what was revoked in the gap.
    events.onGap(() => {
      this.hasGap = true;
      loop.wake();
    });
  }

  /** @param query of one column, `id`: the ids among $1 (`uuid[]`) that are not revoked */
  registerQuery(kind: CredentialKind, query: Fragment): void {
    this.queries.set(kind, query);
    this.statement = sql`${[...this.queries.values()].reduce((all, part) => fragment`${all} UNION ALL ${part}`)}`;
  }

  /** @param query of one column, `key`: the keys of `credential.revoked` that hold at present, such as those of pauses */
  registerKeys(query: Statement): void {
    this.keys = query;
  }

  registerConnections(connections: () => Iterable<CredentialRef>): void {
    this.sources.push(connections);
  }

  private async pollIfLate(): Promise<void> {
    if (this.events.current && !this.hasGap) {
      this.since = undefined;
      return;
    }
    this.since ??= performance.now();
    if (!this.hasGap && performance.now() - this.since < MAX_EVENT_DELAY_MS) return;
    this.since = performance.now();
    // First: a socket that is paused closes as such.
    if (this.keys)
      for (const { key } of await this.database.query<{ key: string }>(this.keys)) this.events.notify('credential.revoked', {}, key);
    const ids = this.nextIds();
    if (ids.length > 0 && this.statement) {
      const valid = new Set((await this.database.query<{ id: string }>(this.statement, [ids])).map(({ id }) => id));
      for (const id of ids) if (!valid.has(id)) this.events.notify('credential.revoked', {}, id);
    }
    this.hasGap = false;
  }

  private nextIds(): string[] {
    const ids = new Set<string>();
    for (const connections of this.sources) for (const { kind, id } of connections()) if (this.queries.has(kind) && isUuid(id)) ids.add(id);
    if (this.next >= ids.size) this.next = 0;
    const some = [...ids].slice(this.next, this.next + MAX_LOOKED_UP);
    this.next += MAX_LOOKED_UP;
    return some;
  }
}
