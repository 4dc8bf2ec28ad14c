import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Events } from '../events/index.js';
import { Clock } from '../kernel/clock.js';
import { HistoryService, type TransactionRecord } from '../wallet/index.js';
import type { PaymentOutcome, SendFailure } from './payment.outcome.js';

/** How a payment ended. */
type Ending = Extract<PaymentOutcome, { kind: 'settled' | 'failed' }>;

/** Waits for the ends of payments, wherever they are heard of: in this process or, by their events, in another. */
@Injectable()
export class PaymentWatch {
  private readonly ends = new EventEmitter().setMaxListeners(0);

  constructor(
    private readonly config: Config,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly history: HistoryService,
  ) {}

  /**
   * The end of a payment that has just begun, or `pending` when it takes longer than a caller waits. Listens from the call on.
   * @param waitedMs how long its caller has waited already
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
        (record) => {
          if (record.id === paymentId && record.status !== 'PENDING') answer(endingOf(record));
        },
        accountId,
      );
      const cancel = this.clock.timeout(Math.max(0, this.config.payment.waitMs - waitedMs), () => void this.look(paymentId).then(answer));
    });
  }

  /** What the row says: the event of an end may be held up, behind a transaction of anybody's. */
  private async look(paymentId: string): Promise<PaymentOutcome> {
    const row = await this.history.findById(paymentId).catch(() => null);
    return row && row.status !== 'PENDING' ? endingOf(row) : { kind: 'pending', transactionId: paymentId };
  }

  /** This process has booked the end: whoever waits here need not wait for its event, which may be held up. */
  tell(ending: Ending): void {
    this.ends.emit(ending.transactionId, ending);
  }
}

const endingOf = ({ id, status, failure }: Pick<TransactionRecord, 'id' | 'status' | 'failure'>): Ending =>
  status === 'SUCCESS'
    ? { kind: 'settled', transactionId: id }
    : { kind: 'failed', transactionId: id, reason: (failure ?? 'error') as SendFailure };
