import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Config } from '../config/index.js';
import { Log, LogInterval } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import { FairQueue, type TurnRefusedError, type QueueName } from './fair-queue.js';
import { FileTurn } from './file-turn.js';
import { Turn } from './turn.js';

const WORK = Symbol('work of a connection');

interface CountedConnection extends Duplex {
  [WORK]?: { open: number };
}

/** The limit that another request would exceed. */
export type WorkLimit = 'connection' | 'address' | 'principal' | 'process';

/**
 * Limits concurrent work: per connection, per address, per principal, and in the whole process. It has no queue: work beyond a limit is
 * refused by its caller (HTTP) or left unread (WebSocket).
 */
@Injectable()
export class WorkInProgress {
  /** Query fields, queued before the database pool. */
  readonly queries: FairQueue;
  /** Whole mutations before they begin, and pages. */
  readonly mutations: FairQueue;
  readonly pages: FairQueue;
  /** Documents that are CPU-heavy: one at a time. */
  readonly documents: FairQueue;
  /** Events of subscriptions: those of one account are executed one at a time. */
  readonly events: FairQueue;
  /** Files in the making, and those that are sent piece by piece: one of an account. */
  readonly files: FairQueue;
  readonly downloads: FairQueue;
  private readonly log = new Log(WorkInProgress.name);
  private readonly turnRefusals: Counter<'queue' | 'because'>;
  private readonly refusalLog = new LogInterval(60_000);
  private readonly byAddress = new Map<string, number>();
  private readonly byPrincipal = new Map<string, number>();
  private readonly refusals: Counter<'bound'>;
  private open = 0;

  constructor(
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.gauge('sluice_work_in_progress', 'Requests and socket operations in progress', () => this.open);
    this.refusals = metrics.counter('sluice_work_refused_total', 'Requests refused because too many were in progress, by bound', ['bound']);
    metrics.labelledGauge(
      'sluice_turns_waiting',
      'Work that waits for its turn, by queue: queries (their fields), mutations and pages for the database, documents (long ones not seen before, and JSON bodies above 64 KiB) and events (of subscriptions) for the processor, files and downloads (CSV) for memory',
      'queue',
      () => this.turnsWaiting(),
    );
    this.turnRefusals = metrics.counter(
      'sluice_turns_refused_total',
      'Work that waited for its turn and was not begun, by queue and cause',
      ['queue', 'because'],
    );
    const { waiting: max, waitingPerAccount: maxEach, waitMs: agedMs, ...atOnceOf } = config.work;
    const queue = (name: QueueName, atOnce: number, atOnceEach = Math.ceil(atOnce / 2)): FairQueue =>
      new FairQueue(name, { atOnce, atOnceEach, max, maxEach, agedMs });
    this.queries = queue('queries', atOnceOf.queriesAtOnce);
    this.mutations = queue('mutations', atOnceOf.mutationsAtOnce);
    this.pages = queue('pages', atOnceOf.pagesAtOnce);
    this.documents = queue('documents', 1);
    this.events = queue('events', atOnceOf.queriesAtOnce, 1);
    this.files = queue('files', atOnceOf.filesAtOnce, 1);
    this.downloads = queue('downloads', atOnceOf.downloadsAtOnce, 1);
  }

  /** Creates the work of one request or operation; it is not admitted yet. */
  of(connection: CountedConnection, address: string): Work {
    return new Work(this, connection, (connection[WORK] ??= { open: 0 }), address);
  }

  /** The limit that refuses this work, if any. */
  exceededLimit({ connection, address, principal }: Work): WorkLimit | undefined {
    const { perConnection, perAddress, perPrincipal, perProcess } = this.config.work;
    if (connection.open >= perConnection) return 'connection';
    if ((this.byAddress.get(address) ?? 0) >= perAddress) return 'address';
    if (principal !== '' && (this.byPrincipal.get(principal) ?? 0) >= perPrincipal) return 'principal';
    return this.open >= perProcess ? 'process' : undefined;
  }

  refused(limit: WorkLimit): void {
    this.refusals.inc({ bound: limit });
  }

  /** A query field, mutation, page, document or file was refused a turn. */
  notBegun({ queue, because }: TurnRefusedError, owner: string): void {
    this.turnRefusals.inc({ queue, because });
    if (because === 'gone' || !this.refusalLog.isOver(queue)) return;
    this.log.warn(
      'http_turn_refused',
      { caller: owner, queue, because },
      `Requests of ${owner} refused: its queue of ${queue} is ${because === 'full' ? 'full' : 'too slow'}`,
    );
  }

  private turnsWaiting(): Record<QueueName, number> {
    const { queries, mutations, pages, documents, events, files, downloads } = this;
    const queues = { queries, mutations, pages, documents, events, files, downloads };
    return Object.fromEntries(Object.entries(queues).map(([name, { length }]) => [name, length])) as Record<QueueName, number>;
  }

  count({ connection, address, principal }: Work, by: 1 | -1): void {
    this.open += by;
    connection.open += by;
    add(this.byAddress, address, by);
    if (principal !== '') add(this.byPrincipal, principal, by);
  }
}

interface WorkOwner {
  readonly id: string;
  readonly userId: string | null;
}
const ANONYMOUS_OWNER: WorkOwner = { id: '', userId: null };

/** One request or operation, and whether it is admitted. Every method may be called at any time, and repeatedly. */
export class Work {
  private hasSlot = false;
  private waits = 0;
  private isOver = false;
  private who = '';
  private account: string | null = null;
  private turn: Turn | undefined;
  private files: FileTurn | undefined;

  constructor(
    readonly all: WorkInProgress,
    private readonly socket: Duplex,
    readonly connection: { open: number },
    readonly address: string,
  ) {}

  /** The client has closed the connection: work that has not begun need not begin. */
  get isGone(): boolean {
    return this.socket.destroyed;
  }

  /** Its key in the queues. */
  get owner(): string {
    return this.account ?? this.address;
  }

  /** The principal's id; empty without a credential. */
  get principal(): string {
    return this.who;
  }

  /**
   * Counts this work in all limits, or in none.
   * @param principal the owner of the work, once known
   */
  enter(principal: WorkOwner = ANONYMOUS_OWNER): boolean {
    if (this.hasSlot) return true;
    this.who = principal.id;
    this.account = principal.userId;
    const limit = this.all.exceededLimit(this);
    if (limit) {
      this.all.refused(limit);
      return false;
    }
    this.take();
    return true;
  }

  /** Would it be admitted now? */
  mayEnter(principal: WorkOwner): boolean {
    if (this.hasSlot) return true;
    this.who = principal.id;
    return this.all.exceededLimit(this) === undefined;
  }

  /** Releases its slot. */
  leave(): void {
    if (!this.hasSlot) return;
    this.hasSlot = false;
    this.all.count(this, -1);
  }

  /** The request is answered, or never will be. */
  end(): void {
    this.isOver = true;
    this.turn?.end();
    this.files?.end();
    this.leave();
  }

  /**
   * Makes a file in the turn of its owner, after the other files of this work.
   * @throws TurnRefusedError
   */
  makeFile<T>(make: () => Promise<T>): Promise<T> {
    this.files ??= new FileTurn(this.all.files, this.owner);
    if (this.isOver) this.files.end();
    return this.inBatch(this.files.make(this, make));
  }

  /**
   * Waits for a turn in its owner's queue; a repeated call returns the same turn. The turn is released when the work ends.
   * @returns undefined when it may begin at once, else a promise which rejects with TurnRefusedError
   */
  takeTurn(queue: FairQueue): Promise<void> | undefined {
    this.turn ??= new Turn(queue, this.owner);
    // The request has already ended: a turn taken now would never be released.
    if (this.isOver) this.turn.end();
    return this.turn.take(this);
  }

  /** Pauses the turn while the work waits for its batch, for the node, or for a server outside. */
  async inBatch<T>(outcome: Promise<T>): Promise<T> {
    const { turn } = this;
    turn?.pause();
    try {
      return await outcome;
    } finally {
      turn?.resume();
    }
  }

  /** Frees the slot while the work only waits. Takes it again afterwards, even beyond the limits: work that has begun must end. */
  async waitFor<T>(outcome: Promise<T>): Promise<T> {
    this.waits++;
    this.leave();
    try {
      return await this.inBatch(outcome);
    } finally {
      if (--this.waits === 0 && !this.isOver) this.take();
    }
  }

  private take(): void {
    if (this.hasSlot) return;
    this.hasSlot = true;
    this.all.count(this, 1);
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
