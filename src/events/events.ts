import { EventEmitter } from 'node:events';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DATABASE_OPTIONS, type DatabaseOptions } from '../database/index.js';
import type { EventMap, Topic } from './event-map.js';
import { listen } from './listen.js';
import { Outbox } from './outbox.js';
import type { Stream } from './stream.js';

/** Looked at this often even if nobody calls: a notice may be lost, another process may have died before it sent one. */
const POLL_MS = 300;
/** After so long without a look there may be events that we have not seen. Revocations are promised within a second. */
const STALE_MS = 900;
/** For a transaction that is about to end; doubled while it does not. */
const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 100;
/** No transaction of ours takes so long. */
const PATIENCE_MS = 50;
const FORGET_EVERY_MS = 600_000;

/**
 * After-commit events. They are written by SQL, as rows of the outbox (`event_add`), in the transaction they tell of; here they reach
 * every process, in commit order, at least once. A handler can never fail what caused the event.
 */
@Injectable()
export class Events implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(Events.name);
  private readonly bus = new EventEmitter().setMaxListeners(0);
  private readonly outbox: Outbox;
  private lastLook = 0;
  private waitMs = 0;
  private forgottenAt = Date.now();
  private looking = false;
  private again = false;
  /** Somebody here has added events since other processes were told. */
  private mustNotify = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(@Inject(DATABASE_OPTIONS) options: DatabaseOptions) {
    this.outbox = new Outbox(
      options.directConnection ?? options.connection,
      () => this.look(),
      () => this.log.warn('The event connection was lost'),
    );
  }

  async onModuleInit(): Promise<void> {
    await this.outbox.connect();
    this.look();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.outbox.close();
  }

  /** False while an event may exist that we have not seen: whoever caches what events invalidate must look past its cache. */
  get current(): boolean {
    return this.outbox.connected && Date.now() - this.lastLook < STALE_MS;
  }

  /** Call after a commit that added events: they are delivered now instead of at the next look, in other processes too. */
  wake(): void {
    this.mustNotify = true;
    this.look();
  }

  /**
   * Calls `handler` for every event of a topic, or of one key of it.
   * @returns a function that ends it
   */
  on<T extends Topic>(topic: T, handler: (event: EventMap[T], key: string) => void | Promise<void>, only?: string): () => void {
    const name = only === undefined ? topic : `${topic} ${only}`;
    const listener = (event: EventMap[T], key: string): void => {
      // A handler that throws or rejects is its owner's bug; the others, and what caused the event, go on.
      Promise.resolve()
        .then(() => handler(event, key))
        .catch((error: unknown) => this.log.error(`A handler of ${topic} failed`, error));
    };
    this.bus.on(name, listener);
    return () => void this.bus.off(name, listener);
  }

  /** Events of one key. `return()` ends it at once. Hidden inside: one listener a stream. */
  stream<T extends Topic>(topic: T, key: string): Stream<EventMap[T]> {
    return listen<EventMap[T]>(this.bus, `${topic} ${key}`);
  }

  private look(): void {
    this.again = true;
    if (this.looking || this.stopped) return;
    this.looking = true;
    clearTimeout(this.timer);
    void this.pump().finally(() => {
      this.looking = false;
      if (!this.stopped) this.timer = setTimeout(() => this.look(), POLL_MS);
    });
  }

  private async pump(): Promise<void> {
    while (this.again && !this.stopped) {
      this.again = false;
      try {
        await this.lookOnce();
      } catch (error) {
        if (this.stopped) return;
        this.log.warn(`Events cannot be read now: ${(error as Error).message}`);
        this.outbox.close();
        return;
      }
    }
  }

  private async lookOnce(): Promise<void> {
    if (!this.outbox.connected) await this.outbox.connect();
    const startedAt = Date.now();
    const { mustNotify } = this;
    this.mustNotify = false;
    const { rows, more, waits } = await this.outbox.read(this.waitMs < PATIENCE_MS);
    for (const { topic, key, payload } of rows) {
      // Most events of a busy house are about somebody who does not listen: nobody reads those.
      const heard = [topic, `${topic} ${key}`].filter((name) => this.bus.listenerCount(name) > 0);
      if (heard.length === 0) continue;
      const event = JSON.parse(payload) as unknown;
      for (const name of heard) this.bus.emit(name, event, key);
    }
    if (!more && !waits) this.lastLook = startedAt;
    if (mustNotify) await this.outbox.notify();
    if (Date.now() - this.forgottenAt > FORGET_EVERY_MS) {
      if (await this.outbox.forget()) this.forgottenAt = Date.now();
    }
    this.waitMs = waits && rows.length === 0 ? Math.min(LONGEST_RETRY_MS, Math.max(FIRST_RETRY_MS, 2 * this.waitMs)) : 0;
    if (this.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, this.waitMs));
    this.again ||= more || waits;
  }
}
