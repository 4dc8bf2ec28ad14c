import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database, type Statement } from '../database/index.js';
import { Events } from '../events/index.js';
import { isUuid } from '../kernel/uuid.js';
import type { CredentialKind } from './principal.js';

/** Who holds something open: a socket, or a page that listens. */
export interface Holder {
  readonly kind: CredentialKind;
  readonly id: string;
}

const LOOK_MS = 250;
/** Events that are late for longer than this are not waited for. */
const PATIENCE_MS = 1_000;
/** Ids of one look: the query stays a matter of milliseconds. Where there are more, the next look goes on. */
const MOST = 5_000;
const FAILED_EVERY_MS = 30_000;

/**
 * While this process does not hear of revocations, it asks for them: once a second one statement over the credentials of all that is held
 * open here. What is revoked is told to the same handlers as by the event, which comes later and does no more harm.
 */
@Injectable()
export class Standing implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger(Standing.name);
  private readonly parts = new Map<CredentialKind, string>();
  private readonly sources: (() => Iterable<Holder>)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private off: (() => void) | undefined;
  /** When the events began to be late, or when the last look was. */
  private since: number | undefined;
  private asking = false;
  private next = 0;
  private toldFailedAt = -Infinity;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    // No event will tell what was revoked in the gap.
    this.off = this.events.onGap(() => void this.ask());
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    this.off?.();
  }

  /**
   * The owner of a kind of credential says which still stand.
   * @param query of one column, `id`: those among the ids in $1 (`uuid[]`) that are not revoked
   */
  know(kind: CredentialKind, query: string): void {
    this.parts.set(kind, query);
  }

  /** A service that keeps something open for principals says for which. */
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
      if (ids.length === 0) return;
      const statement: Statement = { name: 'credential_standing', text: [...this.parts.values()].join(' UNION ALL ') };
      const standing = new Set((await this.database.query<{ id: string }>(statement, [ids])).map(({ id }) => id));
      for (const id of ids) if (!standing.has(id)) this.events.tell('credential.revoked', {}, id);
    } catch (error) {
      this.tellFailed(error as Error);
    } finally {
      this.asking = false;
    }
  }

  private idsOfOneLook(): string[] {
    const ids = new Set<string>();
    for (const holders of this.sources) for (const { kind, id } of holders()) if (this.parts.has(kind) && isUuid(id)) ids.add(id);
    if (this.next >= ids.size) this.next = 0;
    const some = [...ids].slice(this.next, this.next + MOST);
    this.next += MOST;
    return some;
  }

  private tellFailed({ message }: Error): void {
    if (performance.now() - this.toldFailedAt < FAILED_EVERY_MS) return;
    this.toldFailedAt = performance.now();
    this.log.warn(`Revocations cannot be looked up while events are late, so sockets of revoked credentials stay open: ${message}`);
  }
}
