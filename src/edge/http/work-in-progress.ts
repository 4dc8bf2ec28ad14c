import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Config } from '../../platform/config/index.js';
import { Log, LogInterval } from '../../platform/logging/index.js';
import { Metrics } from '../../platform/metrics/index.js';
import { Counts } from '../../platform/kernel/counts.js';
import { FairQueue, TurnRefusedError, type Turn } from './fair-queue.js';
import { WorkSettings } from './work.settings.js';

const WORK = Symbol('work of a connection');
/** For requests of one HTTP connection, and operations of one socket. */
export const CONNECTION = { atOnce: 8 };
/** The requests that a credential may have in progress, times this, are those of its account: one account has many keys. */
const PRINCIPALS_OF_ACCOUNT = 4;
/** From this share of the process's limit on, a caller with more than a few requests in progress gets no more: a crowd shuts out no other caller. */
const CROWDED = 3 / 4;
const FEW = 8;
const SHARE_OF_POOL = 3 / 4;
/** Each file takes memory for as long as its response is not sent. */
const FILES_AT_ONCE = 2;

interface CountedConnection extends Duplex {
  [WORK]?: { open: number };
}

export type WorkLimit = 'connection' | 'address' | 'principal' | 'account' | 'process';

/** Work beyond a limit is refused by its caller (HTTP) or left unread (WebSocket). The queues stand before what admitted work shares. */
@Injectable()
export class WorkInProgress {
  /** Connections of the pool; the others are for payments and credentials. */
  readonly database: FairQueue;
  /** The event loop: documents that are long to validate, long JSON, and the events of subscriptions. */
  readonly thread = new FairQueue('thread', { atOnce: 1, endsWithPass: true });
  readonly files = new FairQueue('files', { atOnce: FILES_AT_ONCE, atOnceEach: 1 });
  private readonly log = new Log(WorkInProgress.name);
  private readonly turnRefusals: Counter<'queue' | 'because'>;
  private readonly refusalLog = new LogInterval(60_000);
  private readonly counts = { address: new Counts(), principal: new Counts(), account: new Counts() };
  private readonly refusals: Counter<'bound'>;

  constructor(
    config: Config,
    private readonly settings: WorkSettings,
    metrics: Metrics,
  ) {
    const connections = Math.max(1, Math.floor(config.database.poolSize * SHARE_OF_POOL));
    this.database = new FairQueue('database', { atOnce: connections, atOnceEach: Math.ceil(connections / 2) });
    metrics.gauge('sluice_work_in_progress', 'Requests and socket operations in progress', () => this.counts.address.total);
    this.refusals = metrics.counter('sluice_work_refused_total', 'Requests refused because too many were in progress, by bound', ['bound']);
    metrics.labelledGauge(
      'sluice_turns_waiting',
      'Work that waits for its turn, by queue: database (fields of queries and of events, pages, idempotency keys), thread (long documents that are new, JSON bodies above 64 KiB, events of subscriptions) and files (CSV, for memory)',
      'queue',
      () => ({ database: this.database.length, thread: this.thread.length, files: this.files.length }),
    );
    this.turnRefusals = metrics.counter(
      'sluice_turns_refused_total',
      'Work that waited for its turn and was not begun, by queue and cause',
      ['queue', 'because'],
    );
  }

  of(connection: CountedConnection, address: string): Work {
    return new Work(this, connection, (connection[WORK] ??= { open: 0 }), address);
  }

  exceededLimit({ connection, address, who: { id, userId } }: Work): WorkLimit | undefined {
    const { WORK_PER_ADDRESS: perAddress, WORK_PER_PRINCIPAL: perPrincipal, WORK_PER_PROCESS: perProcess } = this.settings;
    const { counts } = this;
    if (connection.open >= CONNECTION.atOnce) return 'connection';
    const ofAddress = counts.address.of(address);
    if (ofAddress >= perAddress) return 'address';
    if (counts.principal.of(id) >= perPrincipal) return 'principal';
    const ofCaller = userId === null ? ofAddress : counts.account.of(userId);
    if (userId !== null && ofCaller >= perPrincipal * PRINCIPALS_OF_ACCOUNT) return 'account';
    const open = counts.address.total;
    const isCrowded = open >= perProcess * CROWDED && ofCaller >= FEW;
    return isCrowded || open >= perProcess ? 'process' : undefined;
  }

  refused(limit: WorkLimit): void {
    this.refusals.inc({ bound: limit });
  }

  notBegun({ queue, because }: TurnRefusedError, owner: string): void {
    this.turnRefusals.inc({ queue, because });
    if (because === 'gone' || !this.refusalLog.isOver(queue)) return;
    this.log.warn(
      'http_turn_refused',
      { caller: owner, queue, because },
      `Requests of ${owner} refused: its queue of ${queue} is ${because === 'full' ? 'full' : 'too slow'}`,
    );
  }

  count({ connection, address, who: { id, userId } }: Work, by: 1 | -1): void {
    connection.open += by;
    this.counts.address.add(address, by);
    if (id !== '') this.counts.principal.add(id, by);
    if (userId !== null) this.counts.account.add(userId, by);
  }
}

type WorkOwner = { readonly id: string; readonly userId: string | null };
const ANONYMOUS_OWNER: WorkOwner = { id: '', userId: null };

/** Every method may be called at any time, and repeatedly. */
export class Work {
  who = ANONYMOUS_OWNER;
  private hasSlot = false;
  private waits = 0;
  private isOver = false;
  private turn: Turn | undefined;
  private filesTurn: Turn | Promise<Turn> | undefined;
  private lastFile: Promise<unknown> = Promise.resolve();

  constructor(
    readonly all: WorkInProgress,
    private readonly socket: Duplex,
    readonly connection: { open: number },
    readonly address: string,
  ) {}

  /** The client has closed the connection: nothing more need begin. */
  get isGone(): boolean {
    return this.socket.destroyed;
  }

  get owner(): string {
    return this.who.userId ?? this.address;
  }

  /** Counts this work in all limits, or in none. */
  enter(principal: WorkOwner = ANONYMOUS_OWNER): boolean {
    if (this.hasSlot) return true;
    this.who = principal;
    const limit = this.all.exceededLimit(this);
    if (limit) {
      this.all.refused(limit);
      return false;
    }
    this.take();
    return true;
  }

  mayEnter(principal: WorkOwner): boolean {
    if (this.hasSlot) return true;
    this.who = principal;
    return this.all.exceededLimit(this) === undefined;
  }

  leave(): void {
    if (!this.hasSlot) return;
    this.hasSlot = false;
    this.all.count(this, -1);
  }

  end(): void {
    this.isOver = true;
    this.turn?.end();
    void this.endFiles();
    this.leave();
  }

  /** The turn lasts until the work ends. The promise rejects with TurnRefusedError. */
  takeTurn(): Promise<void> | undefined {
    if (this.turn) return undefined;
    const keep = (turn: Turn): void => {
      this.turn = turn;
      if (this.isOver) turn.end();
    };
    const turn = this.all.database.enter(this.owner, this.caller());
    if (turn instanceof Promise) return turn.then(keep);
    keep(turn);
    return undefined;
  }

  /** The turn lasts until the response is sent, so that a bound of turns is a bound of memory. @throws TurnRefusedError */
  makeFile<T>(make: () => Promise<T>): Promise<T> {
    if (this.isOver) return Promise.reject(new TurnRefusedError('files', 'gone'));
    this.filesTurn ??= this.all.files.enter(this.owner, this.caller());
    const turn = this.filesTurn;
    const made = this.lastFile.then(() => turn).then(make);
    this.lastFile = made.catch(() => undefined);
    return made;
  }

  /** Frees the slot while the work only waits. Takes it again afterwards, even beyond the limits: work that has begun must end. */
  async waiting<T>(outcome: Promise<T>): Promise<T> {
    this.waits++;
    this.leave();
    try {
      return await outcome;
    } finally {
      if (--this.waits === 0 && !this.isOver) this.take();
    }
  }

  /** A turn that would come after the end is not taken: the request was refused for another reason meanwhile. */
  private caller(): { readonly isGone: boolean } {
    const isGone = (): boolean => this.isOver || this.isGone;
    return Object.defineProperty({ isGone: false }, 'isGone', { get: isGone });
  }

  /** A file that is still in the making keeps the turn, since an error elsewhere may end a request early. */
  private async endFiles(): Promise<void> {
    await this.lastFile;
    const turn = await Promise.resolve(this.filesTurn).catch(() => undefined);
    turn?.end();
  }

  private take(): void {
    if (this.hasSlot) return;
    this.hasSlot = true;
    this.all.count(this, 1);
  }
}

/** A request, or the context of an operation: other rooms pass it back to `edge`, which alone knows its work. */
export interface Caller {
  readonly work?: Work;
}

/** Awaits `outcome` without a slot among the requests in progress. */
export const waitFor = <T>({ work }: Caller, outcome: Promise<T>): Promise<T> => work?.waiting(outcome) ?? outcome;

/** The client has closed the connection: nothing more need begin. */
export const isGone = ({ work }: Caller): boolean => work?.isGone === true;

/** The response stays open, and only waits for events. */
export const endWork = ({ work }: Caller): void => work?.end();

/** Reads a piece of a file in the turn of its owner; the response lasts longer than the turns. @throws TurnRefusedError */
export const readInTurn = async <T>({ work }: Caller, owner: string, read: () => Promise<T>): Promise<T> =>
  work ? work.all.files.run(owner, read) : read();
