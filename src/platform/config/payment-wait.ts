import { int } from './rules.js';
import { Setting } from './setting.js';

/** A base of settings: payments, and the repeats of their requests, wait equally long. */
export class PaymentWait {
  @Setting('how long a caller waits for the end of a payment; then the answer is `PENDING`')
  @int(1, 300)
  PAYMENT_WAIT_SECONDS = 30;

  get waitMs(): number {
    return this.PAYMENT_WAIT_SECONDS * 1000;
  }
}
