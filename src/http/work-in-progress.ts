import type { Duplex } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Config } from '../config/index.js';
import { Metrics } from '../metrics/index.js';
import { FairQueue, type NotBegun, type QueueName } from './fair-queue.js';
import { Turn } from './turn.js';

const WORK = Symbol('work of a connection');
const LOG_EVERY_MS = 60_000;

interface Connection extends Duplex {
  [WORK]?: { open: number };
}

/** Which bound stands in the way of one more. */
export type Bound = 'connection' | 'address' | 'principal' | 'process';

/**
 * How much is worked on at once: for a connection, an address, a principal, and in the whole process. Nothing waits here: what finds no
 * place is refused by its caller (HTTP) or left unread (WebSocket).
 */
@Injectable()
export class WorkInProgress {
  /** Turns of fields of queries in front of the database. */
  readonly queries: FairQueue;
  /** Turns of whole mutations that have not begun, and of pages. */
  readonly mutations: FairQueue;
  readonly pages: FairQueue;
  /** Turns of documents that keep the processor busy for long: one at a time. */
  readonly documents: FairQueue;
  private readonly log = new Logger(WorkInProgress.name);
  private readonly turnRefusals: Counter<'queue' | 'because'>;
  private readonly loggedAt = new Map<QueueName, number>();
  private readonly byAddress = new Map<string, number>();
  private readonly byPrincipal = new Map<string, number>();
  private readonly refusals: Counter<'bound'>;
  private open = 0;

  constructor(
    private readonly config: Config,
    metrics: Metrics,
  ) {
    metrics.gauge('sluice_work_in_progress', 'Requests and socket operations that are worked on now', () => this.open);
    this.refusals = metrics.counter('sluice_work_refused_total', 'Requests that found no place to be worked on, by bound', ['bound']);
    metrics.labelledGauge('sluice_turns_waiting', 'What waits for its turn, by queue', 'queue', () => this.turnsWaiting());
    this.turnRefusals = metrics.counter('sluice_turns_refused_total', 'What waited for its turn and was not begun, by queue and cause', [
      'queue',
      'because',
    ]);
    const { queriesAtOnce, mutationsAtOnce, pagesAtOnce, waiting: most, waitingPerAccount: mostEach, waitMs: agedMs } = config.work;
    const queue = (name: QueueName, atOnce: number): FairQueue =>
      new FairQueue(name, { atOnce, atOnceEach: Math.ceil(atOnce / 2), most, mostEach, agedMs });
    this.queries = queue('queries', queriesAtOnce);
    this.mutations = queue('mutations', mutationsAtOnce);
    this.pages = queue('pages', pagesAtOnce);
    this.documents = queue('documents', 1);
  }

  /** Something to be worked on for a caller; it has no place yet. */
  of(connection: Connection, address: string): Work {
    return new Work(this, connection, (connection[WORK] ??= { open: 0 }), address);
  }

  /** Which bound has no room for this work, if any. */
  obstacleTo({ connection, address, principal }: Work): Bound | undefined {
    const { perConnection, perAddress, perPrincipal, perProcess } = this.config.work;
    if (connection.open >= perConnection) return 'connection';
    if ((this.byAddress.get(address) ?? 0) >= perAddress) return 'address';
    if (principal !== '' && (this.byPrincipal.get(principal) ?? 0) >= perPrincipal) return 'principal';
    return this.open >= perProcess ? 'process' : undefined;
  }

  refused(bound: Bound): void {
    this.refusals.inc({ bound });
  }

  /** A field of a query, a mutation, a page or a document found no turn. */
  notBegun({ queue, because }: NotBegun, owner: string): void {
    this.turnRefusals.inc({ queue, because });
    const now = performance.now();
    if (because === 'gone' || now - (this.loggedAt.get(queue) ?? -Infinity) < LOG_EVERY_MS) return;
    this.loggedAt.set(queue, now);
    this.log.warn(`Requests of ${owner} were refused: its line of ${queue} is ${because === 'full' ? 'full' : 'too slow'}`);
  }

  private turnsWaiting(): Record<QueueName, number> {
    const { queries, mutations, pages, documents } = this;
    return { queries: queries.length, mutations: mutations.length, pages: pages.length, documents: documents.length };
  }

  count({ connection, address, principal }: Work, by: 1 | -1): void {
    this.open += by;
    connection.open += by;
    add(this.byAddress, address, by);
    if (principal !== '') add(this.byPrincipal, principal, by);
  }
}

interface Owner {
  readonly id: string;
  readonly userId: string | null;
}
const NOBODY: Owner = { id: '', userId: null };

/** One request or operation, and whether it has its place. Every method may be called at any time, and again. */
export class Work {
  private hasPlace = false;
  private waits = 0;
  private isOver = false;
  private who = '';
  private account: string | null = null;
  private turn: Turn | undefined;

  constructor(
    readonly all: WorkInProgress,
    private readonly socket: Duplex,
    readonly connection: { open: number },
    readonly address: string,
  ) {}

  /** Its caller has closed the connection: what has not begun by now need not. */
  get isGone(): boolean {
    return this.socket.destroyed;
  }

  /** In whose line it waits. */
  get owner(): string {
    return this.account ?? this.address;
  }

  /** The principal's id; empty without a credential. */
  get principal(): string {
    return this.who;
  }

  /**
   * Takes a place in all bounds, or in none.
   * @param principal whose work it is, as soon as that is known
   */
  enter(principal: Owner = NOBODY): boolean {
    if (this.hasPlace) return true;
    this.who = principal.id;
    this.account = principal.userId;
    const bound = this.all.obstacleTo(this);
    if (bound) {
      this.all.refused(bound);
      return false;
    }
    this.take();
    return true;
  }

  /** Whether it would find a place now. */
  mayEnter(principal: Owner): boolean {
    if (this.hasPlace) return true;
    this.who = principal.id;
    return this.all.obstacleTo(this) === undefined;
  }

  /** Gives the place back. */
  leave(): void {
    if (!this.hasPlace) return;
    this.hasPlace = false;
    this.all.count(this, -1);
  }

  /** It is answered, or never will be. */
  end(): void {
    this.isOver = true;
    this.turn?.end();
    this.leave();
  }

  /**
   * Waits for its turn in a line of its owner; asked again, it is the same turn. It is given back when the work ends.
   * @returns undefined where it may begin at once, else a promise which rejects with NotBegun
   */
  takeTurn(queue: FairQueue): Promise<void> | undefined {
    this.turn ??= new Turn(queue, this.owner);
    // Refused meanwhile: a turn that is taken now would be given back by no one.
    if (this.isOver) this.turn.end();
    return this.turn.take(this);
  }

  /** What waits for others to be carried out with, in a batch, needs no turn of its own meanwhile. */
  async inBatch<T>(outcome: Promise<T>): Promise<T> {
    const { turn } = this;
    turn?.pause();
    try {
      return await outcome;
    } finally {
      turn?.resume();
    }
  }

  /** What only waits is no work: the place is free meanwhile. Afterwards it is taken again, even beyond the bounds: what has begun ends. */
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
    if (this.hasPlace) return;
    this.hasPlace = true;
    this.all.count(this, 1);
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
