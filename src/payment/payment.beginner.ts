import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { GqlContext } from '../auth/index.js';
import type { Config } from '../config/index.js';
import { fateOf, isLockTimeout, Lane, NotTaken, sentAtOf, WaryLane } from '../database/index.js';
import type { Metrics } from '../metrics/index.js';
import type { PaymentRefusal } from './payment.outcome.js';
import { stopwatch } from './stopwatch.js';

/** One wish to pay, as the database judges it. Exactly one of `paymentHash` and `recipientWalletId` is there. */
export interface PaymentBeginning {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly recipientWalletId: string | null;
  readonly paymentHash: string | null;
  readonly paymentRequest: string | null;
  readonly expiresAt: Date | null;
  readonly amountMsat: bigint;
  readonly feeLimitMsat: bigint;
  readonly memo: string | null;
  readonly principalId: string;
  readonly clientId: string | null;
  /** The node that is asked to pay, if any has to be. */
  readonly nodeId: string | null;
  /** The invoice names that node as the payee. */
  readonly toUs: boolean;
}

/** The refusals that are found out before the database is asked. */
type EarlyRefusal = 'undecodable_invoice' | 'wrong_network' | 'no_amount' | 'invalid_amount';

/** How the database is asked to begin payments. */
export interface BeginManner {
  /** What another transaction has locked is answered `busy`, without a wait. */
  readonly skipLocked?: boolean;
  /** On a new connection. */
  readonly anew?: boolean;
}

export type BeginResult = 'settled' | 'in_flight' | 'already_paid' | 'pending' | Exclude<PaymentRefusal, EarlyRefusal>;

export interface Begun {
  readonly result: BeginResult;
  readonly payment_id: string;
}

/** The same hash came twice in one batch: the second is to ask again. */
export interface Clash {
  readonly result: 'again';
  readonly payment_id: string;
}

/** A wish to pay, and what its caller thinks of it. */
export interface Attempt extends PaymentBeginning {
  /** The caller is gone and nothing of the request has begun: do not begin it. */
  readonly isGone?: (() => boolean) | undefined;
  /** The caller's place among all that is worked on, given back while it only waits. */
  readonly work?: GqlContext['work'];
}

/** The verdict of the database. */
export interface Beginning extends Begun {
  /** How long ago, at least, the payment was begun. */
  readonly ageMs: () => number;
}

/** No verdict in the time that a caller waits: whether the payment has begun is not known. */
export interface Unconfirmed {
  readonly result: 'unconfirmed';
  readonly payment_id: string;
}

const BATCH = 128;
const REPEATS_AT_ONCE = 4;
const MOST_WAITING = 5_000;
/** A batch may send the second payment of one hash round again. More rounds than this only a flood can cause. */
const MOST_ROUNDS = 10;
/** What is locked is tried again after each of these; together they are as long as a statement would wait for a lock. */
const PAUSES_MS = [25, 50, 100, 200, 400, 800, 1_000];
const FIRST_REPEAT_MS = 50;
const LONGEST_REPEAT_MS = 1_000;

/** The one way in which a payment begins: asks the database until it has said what became of this attempt. */
export class PaymentBeginner {
  private readonly log = new Logger(PaymentBeginner.name);
  private readonly lane: WaryLane<Attempt, Begun | Clash>;
  /** Of attempts whose first answer was lost. */
  private readonly repeats: Lane<Attempt, Begun | Clash>;
  private readonly lost;
  private readonly unconfirmed;
  private readonly notBegun;

  constructor(
    begin: (batch: readonly Attempt[], manner: BeginManner) => Promise<readonly (Begun | Clash)[]>,
    private readonly config: Config,
    metrics: Metrics,
  ) {
    const options = { max: BATCH, mostWaiting: MOST_WAITING, longestWaitMs: config.payment.waitMs };
    const isDropped = ({ isGone }: Attempt): boolean => isGone?.() ?? false;
    const isLocked = ({ result }: Begun | Clash): boolean => result === 'busy';
    this.lane = new WaryLane((batch, skipLocked) => begin(batch, { skipLocked }), {
      ...options,
      isDropped,
      isLocked,
      keyOf: ({ id }) => id,
      pausesMs: PAUSES_MS,
    });
    this.repeats = new Lane((batch) => begin(batch, { anew: true }), { ...options, workers: REPEATS_AT_ONCE });
    const lanes = [this.lane, this.repeats];
    metrics.gauge('sluice_payment_batch_age_seconds', 'Age of the oldest payment that waits to begin or is being begun', () =>
      Math.max(...lanes.map(({ ageMs }) => ageMs / 1000)),
    );
    metrics.gauge('sluice_payment_queue_length', 'Payments that wait for a batch in which they begin', () =>
      lanes.reduce((sum, { waiting }) => sum + waiting, 0),
    );
    this.lost = metrics.counter('sluice_payment_answers_lost_total', 'Payments whose first call of the database was not answered');
    this.unconfirmed = metrics.counter('sluice_payments_unconfirmed_total', 'Payments that callers were told of without a verdict');
    this.notBegun = metrics.counter('sluice_payments_not_begun_total', 'Payments that were refused for want of the database', ['reason']);
  }

  /** @throws what the database says of an outage or a fault; nothing has begun then */
  async begin(attempt: Attempt): Promise<Beginning | Unconfirmed> {
    const ageMs = stopwatch();
    try {
      const asked = this.ask(attempt);
      return await (attempt.work?.inBatch(asked) ?? asked);
    } catch (error) {
      if (error instanceof NotTaken) return this.refuse(attempt, 'not_begun', error.reason);
      if (isLockTimeout(error)) return this.refuse(attempt, 'busy', 'locked');
      const fate = fateOf(error);
      if (fate === 'unknown') {
        const asked = this.askAgain(attempt, error, ageMs);
        return attempt.work ? attempt.work.waitFor(asked) : asked;
      }
      if (fate !== 'undone') throw error;
      this.log.warn(`Payment ${attempt.id} was not begun, the database undid the statement: ${(error as Error).message}`);
      return this.refuse(attempt, 'not_begun', 'undone');
    }
  }

  private async ask(attempt: Attempt): Promise<Beginning> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const ageMs = stopwatch();
      const begun = await this.judge(attempt);
      if (begun.result !== 'again') return { ...begun, ageMs };
    }
    return this.refuse(attempt, 'busy', 'crowd');
  }

  private async judge(attempt: Attempt): Promise<Begun | Clash> {
    const begun = await this.lane.submit(attempt);
    if (begun.result === 'busy') this.notBegun.inc({ reason: 'locked' });
    return begun;
  }

  /**
   * The first call may have begun it, or begin it later. So the question ends with a word about this very id; a refusal counts only when it
   * was asked for after the calls without an answer could not commit any more. A repeat waits for locks: what it would skip may be the
   * first call's.
   */
  private async askAgain(attempt: Attempt, first: unknown, sinceFirst: () => number): Promise<Beginning | Unconfirmed> {
    const { id } = attempt;
    const { waitMs } = this.config.payment;
    this.lost.inc();
    this.log.warn(`Payment ${id}: the answer of the database was lost, and is asked for again: ${(first as Error).message}`);
    let commitsUntil = this.lastCommitOf(first);
    for (let pause = FIRST_REPEAT_MS; sinceFirst() < waitMs; pause = Math.min(2 * pause, LONGEST_REPEAT_MS)) {
      const [askedAt, ageMs] = [performance.now(), stopwatch()];
      try {
        const begun = await within(waitMs - sinceFirst(), this.repeats.submit(attempt));
        // It was this attempt's own first call, or that of an earlier process: one dispatcher alone gets to send it.
        if (begun && begun.payment_id === id && begun.result === 'pending') return { ...begun, result: 'in_flight', ageMs: sinceFirst };
        if (begun && begun.result !== 'again' && (isEnd(begun, id) || askedAt >= commitsUntil)) return { ...begun, ageMs };
      } catch (error) {
        if (fateOf(error) === 'unknown') commitsUntil = Math.max(commitsUntil, this.lastCommitOf(error));
      }
      await delay(Math.max(0, Math.min(pause, waitMs - sinceFirst())));
    }
    this.unconfirmed.inc();
    this.log.error(`Payment ${id} may have begun: the database did not say. The caller was told PENDING, with this id`);
    return { result: 'unconfirmed', payment_id: id };
  }

  /**
   * From when on, by the steady clock, a statement that was not answered cannot commit any more. PostgreSQL ends it before the client's
   * patience ends; its commit may wait for one more lock.
   */
  private lastCommitOf(error: unknown): number {
    const { longestStatementMs, lockTimeoutMs } = this.config.database;
    return sentAtOf(error) + longestStatementMs + lockTimeoutMs;
  }

  private refuse({ id }: Attempt, result: 'busy' | 'not_begun', reason: string): Beginning {
    this.notBegun.inc({ reason });
    return { result, payment_id: id, ageMs: stopwatch() };
  }
}

const isEnd = ({ result, payment_id }: Begun, id: string): boolean => payment_id === id && (result === 'settled' || result === 'in_flight');

/** Undefined when it takes longer; what becomes of it then is for the history to tell. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  try {
    return await Promise.race([work, delay(ms, undefined, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}
