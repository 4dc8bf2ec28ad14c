import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { FailedPayment, SettledPayment } from '../lightning/index.js';
import { PaymentStore } from './payment.store.js';

/** A payment that the node has spoken about finally. */
export interface InFlight {
  readonly id: string;
  readonly paymentHash: string;
}

/** The one way in which a payment in flight ends, whoever heard of its end: the caller, the stream or the reconciler. */
@Injectable()
export class PaymentFinisher {
  private readonly log = new Logger(PaymentFinisher.name);

  constructor(private readonly store: PaymentStore) {}

  /** @returns false when the node's word cannot be true: the payment stays in flight, and somebody has to look */
  async finish(
    { id, paymentHash }: InFlight,
    outcome: SettledPayment | FailedPayment | { status: 'failed'; reason: 'never_sent' },
  ): Promise<boolean> {
    if (outcome.status === 'failed') {
      await this.store.finish({ id, state: 'failed', feeMsat: 0n, preimage: null, failure: outcome.reason });
      return true;
    }
    if (createHash('sha256').update(Buffer.from(outcome.preimage, 'hex')).digest('hex') !== paymentHash) {
      this.log.error(`The node says that payment ${id} is settled, with a preimage that does not fit its hash`);
      return false;
    }
    await this.store.finish({ id, state: 'settled', feeMsat: outcome.feeMsat, preimage: outcome.preimage, failure: null });
    return true;
  }
}
