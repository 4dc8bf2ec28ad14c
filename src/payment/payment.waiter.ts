import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Events } from '../events/index.js';
import { Clock } from '../kernel/clock.js';
import { HistoryService, type TransactionRow } from '../transaction/index.js';
import type { PaymentOutcome, SendFailure } from './payment.outcome.js';

/** How a payment ended. */
type Ending = Extract<PaymentOutcome, { kind: 'settled' | 'failed' }>;

/** Waits for the ends of payments, whether this process books them or another one publishes them as events. */
@Injectable()
export class PaymentOutcomeWaiter {
  private readonly ends = new EventEmitter().setMaxListeners(0);

  constructor(
    private readonly config: Config,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly history: HistoryService,
  ) {}

  /**
   * Resolves to the end of a payment that has just begun, or to `pending` when the caller has waited long enough. Subscribes at once.
   * @param waitedMs how long the caller has waited already
   */
  outcome(paymentId: string, accountId: string, waitedMs: number): Promise<PaymentOutcome> {
    return new Promise((resolve) => {
      const answer = (outcome: PaymentOutcome): void => {
        this.ends.off(paymentId, answer);
        off();
        cancel();
        resolve(outcome);
      };
      this.ends.once(paymentId, answer);
      const off = this.events.on(
        'transaction.changed',
        (row) => {
          if (row.id === paymentId && row.status !== 'PENDING') answer(endingOf(row));
        },
        accountId,
      );
      const cancel = this.clock.timeout(Math.max(0, this.config.payment.waitMs - waitedMs), () => void this.read(paymentId).then(answer));
    });
  }

  /** Undefined if there is no such payment, or it has not ended. */
  async findEnding(paymentId: string): Promise<PaymentOutcome | undefined> {
    const row = await this.history.findById(paymentId);
    return row && row.status !== 'PENDING' ? endingOf(row) : undefined;
  }

  /** Reads the row, because another transaction may delay the event of the end. */
  private async read(paymentId: string): Promise<PaymentOutcome> {
    const ending = await this.findEnding(paymentId).catch(() => undefined);
    return ending ?? { kind: 'pending', transactionId: paymentId };
  }

  /** Notifies the callers that wait in this process of an end that it has booked, because the event may be delayed. */
  notify(ending: Ending): void {
    this.ends.emit(ending.transactionId, ending);
  }
}

const endingOf = ({ id, status, failure }: Pick<TransactionRow, 'id' | 'status' | 'failure'>): Ending =>
  status === 'SUCCESS'
    ? { kind: 'settled', transactionId: id }
    : { kind: 'failed', transactionId: id, reason: (failure ?? 'error') as SendFailure };
