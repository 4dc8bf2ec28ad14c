import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/index.js';
import {
  statementOutcomeOf,
  isLockTimeout,
  Batcher,
  NotBatchedError,
  sentAtOf,
  LockAwareBatcher,
} from '../../../platform/database/index.js';
import { within } from '../../../platform/kernel/within.js';
import { Log } from '../../../platform/logging/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { PaymentSettings } from '../payment.settings.js';
import { PaymentStore, type BeginConflict, type BeginRequest, type BeginResult } from '../payment.store.js';

/**
 * Counts milliseconds from the call on, by the clock that shows more: the monotonic clock stops while the machine sleeps, though its
 * database may run elsewhere, and the wall clock may be set back.
 */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}

export interface TimedBeginResult extends BeginResult {
  /** Milliseconds since just before this process asked the database to begin the payment. */
  readonly ageMs: () => number;
}

/** The database did not answer while the caller waited: whether the payment has begun is unknown. */
export interface UnconfirmedPayment {
  readonly result: 'unconfirmed';
  readonly paymentId: string;
}

/** The database did not answer the first call; `again` is the answer to a later one, which the caller may have to wait for. */
interface UnansweredBegin {
  readonly result: 'unanswered';
  readonly again: Promise<TimedBeginResult | UnconfirmedPayment>;
}

const REPEATS_AT_ONCE = 4;
const MAX_WAITING = 5_000;
/** A batch returns `again` for the second payment of a hash. Only a flood of payments of one hash causes more rounds than this. */
const MAX_ROUNDS = 10;
/** Pauses before the retries of a locked payment, which is refused after 2.6 s of them. */
const PAUSES_MS = [25, 50, 100, 200, 400, 800, 1_000];
/** Between the looks of an account whether it is its turn to pay an invoice. */
const LINE_PAUSE_MS = 250;
const FIRST_REPEAT_MS = 50;
const MAX_REPEAT_MS = 1_000;

/** The only way to begin a payment: calls `payment_begin` until the database has returned the state of this payment. */
@Injectable()
export class PaymentBeginner {
  private readonly log = new Log(PaymentBeginner.name);
  private readonly batcher: LockAwareBatcher<BeginRequest, BeginResult | BeginConflict>;
  private readonly repeats: Batcher<BeginRequest, BeginResult | BeginConflict>;
  /** The places in lines that this process keeps: of an account one for each hash. */
  private readonly lined = new Set<string>();
  private readonly lost;
  private readonly unconfirmed;
  private readonly notBegun;

  constructor(
    private readonly store: PaymentStore,
    private readonly settings: PaymentSettings,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    const options = { maxWaiting: MAX_WAITING, maxWaitMs: settings.waitMs };
    const isDropped = ({ isGone }: BeginRequest): boolean => isGone?.() ?? false;
    this.batcher = new LockAwareBatcher((batch) => store.beginAll(batch), {
      ...options,
      isDropped,
      locked: (batch) => store.lockedOf(batch),
      lockedOutcome: ({ id }) => ({ result: 'busy', paymentId: id }),
      keyOf: ({ id }) => id,
      pausesMs: PAUSES_MS,
    });
    this.repeats = new Batcher((batch) => store.beginAll(batch, 'queryAnew'), { ...options, workers: REPEATS_AT_ONCE });
    metrics.gauge(
      'sluice_payment_batch_age_seconds',
      'Age of the oldest payment that waits to begin or is being begun',
      () => this.waitedMs / 1000,
    );
    metrics.gauge(
      'sluice_payment_queue_length',
      'Payments that wait for a batch in which they begin',
      () => this.batcher.waiting + this.repeats.waiting,
    );
    this.lost = metrics.counter('sluice_payment_answers_lost_total', 'Payments whose first call of the database was not answered');
    this.unconfirmed = metrics.counter(
      'sluice_payments_unconfirmed_total',
      'Payments that callers received as PENDING because the database had not confirmed them',
    );
    this.notBegun = metrics.counter('sluice_payments_not_begun_total', 'Payments refused because the database could not begin them', [
      'reason',
    ]);
  }

  /** Age of the oldest payment that waits to begin or is being begun, in milliseconds. */
  get waitedMs(): number {
    return Math.max(this.batcher.ageMs, this.repeats.ageMs);
  }

  /**
   * Waits for its turn to pay an invoice that another account is paying: otherwise an attacker with its text could keep the hash busy for free.
   * @throws the database's error in an outage or after a bug; the payment has not begun then
   */
  async begin(request: BeginRequest): Promise<TimedBeginResult | UnansweredBegin> {
    const begun = await this.beginNow(request);
    const place = `${request.paymentHash} ${request.userId}`;
    if (begun.result !== 'being_paid' || this.lined.has(place)) return begun;
    this.lined.add(place);
    try {
      return await this.beginInTurn(request);
    } finally {
      this.lined.delete(place);
      await this.store.leaveLine(request).catch(() => undefined);
    }
  }

  private async beginInTurn(request: BeginRequest): Promise<TimedBeginResult | UnansweredBegin> {
    const waitedMs = stopwatch();
    for (;;) {
      await this.store.joinLine(request);
      await delay(LINE_PAUSE_MS);
      const begun = await this.beginNow(request);
      if (begun.result !== 'being_paid' || waitedMs() >= this.settings.lineMs) return begun;
    }
  }

  private async beginNow(request: BeginRequest): Promise<TimedBeginResult | UnansweredBegin> {
    const ageMs = stopwatch();
    try {
      return await this.ask(request);
    } catch (error) {
      if (error instanceof NotBatchedError) return this.refuse(request, 'not_begun', error.reason);
      if (isLockTimeout(error)) return this.refuse(request, 'busy', 'locked');
      const outcome = statementOutcomeOf(error);
      if (outcome === 'unknown') return { result: 'unanswered', again: this.askAgain(request, error, ageMs) };
      if (outcome !== 'undone') throw error;
      const [paymentId, because] = [request.id, (error as Error).message];
      this.log.warn('payment_begin_rolled_back', { paymentId }, `Payment ${paymentId}: not begun, the database rolled back: ${because}`);
      return this.refuse(request, 'not_begun', 'rolled_back');
    }
  }

  private async ask(request: BeginRequest): Promise<TimedBeginResult> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const ageMs = stopwatch();
      const begun = await this.batcher.submit(request);
      if (begun.result === 'busy') this.notBegun.inc({ reason: 'locked' });
      if (begun.result !== 'again') return { ...begun, ageMs };
    }
    return this.refuse(request, 'busy', 'contended');
  }

  /**
   * The call without a response may have begun the payment, or may still commit. So the retries end with a result about this very id; a
   * refusal counts only if the retry started when no earlier call could commit any more. A retry waits for locks instead of skipping them,
   * because the first call may hold them.
   */
  private async askAgain(request: BeginRequest, first: unknown, sinceFirst: () => number): Promise<TimedBeginResult | UnconfirmedPayment> {
    const { id } = request;
    const { waitMs } = this.settings;
    this.lost.inc();
    this.log.warn(
      'payment_begin_unanswered',
      { paymentId: id },
      `Payment ${id}: the database did not answer, asking again: ${(first as Error).message}`,
    );
    let commitsUntil = this.lastCommitOf(first);
    for (let pause = FIRST_REPEAT_MS; sinceFirst() < waitMs; pause = Math.min(2 * pause, MAX_REPEAT_MS)) {
      const [askedAt, ageMs] = [performance.now(), stopwatch()];
      try {
        const begun = await within(waitMs - sinceFirst(), this.repeats.submit(request), () => undefined);
        // This request's first call, or an earlier process, has begun it: the dispatch token lets only one dispatcher send it.
        if (begun && begun.paymentId === id && begun.result === 'pending') return { ...begun, result: 'in_flight', ageMs: sinceFirst };
        if (begun && begun.result !== 'again' && (isEnd(begun, id) || askedAt >= commitsUntil)) return { ...begun, ageMs };
      } catch (error) {
        if (statementOutcomeOf(error) === 'unknown') commitsUntil = Math.max(commitsUntil, this.lastCommitOf(error));
      }
      await delay(Math.max(0, Math.min(pause, waitMs - sinceFirst())));
    }
    this.unconfirmed.inc();
    this.log.error(
      'payment_begin_unconfirmed',
      { paymentId: id },
      `Payment ${id}: may have begun, the database did not confirm; the caller received PENDING`,
    );
    return { result: 'unconfirmed', paymentId: id };
  }

  /**
   * The time, by the monotonic clock, after which an unanswered statement can no longer commit. PostgreSQL cancels the statement before the
   * client's timeout; its commit may wait for one more lock.
   */
  private lastCommitOf(error: unknown): number {
    const { maxStatementMs, lockTimeoutMs } = this.config.database;
    return sentAtOf(error) + maxStatementMs + lockTimeoutMs;
  }

  private refuse({ id }: BeginRequest, result: 'busy' | 'not_begun', reason: string): TimedBeginResult {
    this.notBegun.inc({ reason });
    return { result, paymentId: id, ageMs: stopwatch() };
  }
}

const isEnd = ({ result, paymentId }: BeginResult, id: string): boolean =>
  paymentId === id && (result === 'settled' || result === 'in_flight');
