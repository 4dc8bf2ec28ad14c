import { Injectable } from '@nestjs/common';
import { Config } from '../config/index.js';
import { Events } from '../events/index.js';
import { Clock } from '../kernel/clock.js';
import type { TransactionRecord } from '../wallet/index.js';
import type { PaymentOutcome, SendFailure } from './payment.outcome.js';

/** Waits for the ends of payments, wherever they are heard of: in this process or another. */
@Injectable()
export class PaymentWatch {
  constructor(
    private readonly config: Config,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  /** The end of a payment that has just begun, or `pending` when it takes longer than a caller waits. Listens from the call on. */
  outcome(paymentId: string, accountId: string): Promise<PaymentOutcome> {
    return new Promise((resolve) => {
      const answer = (outcome: PaymentOutcome): void => {
        off();
        cancel();
        resolve(outcome);
      };
      const off = this.events.on(
        'transaction.changed',
        (record) => {
          if (record.id === paymentId && record.status !== 'PENDING') answer(outcomeOf(record));
        },
        accountId,
      );
      const cancel = this.clock.timeout(this.config.payment.waitMs, () => answer({ kind: 'pending', transactionId: paymentId }));
    });
  }
}

const outcomeOf = ({ id, status, failure }: TransactionRecord): PaymentOutcome =>
  status === 'SUCCESS'
    ? { kind: 'settled', transactionId: id }
    : { kind: 'failed', transactionId: id, reason: (failure ?? 'error') as SendFailure };
