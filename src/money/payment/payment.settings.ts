import { hours, int, PaymentWait, Setting } from '../../platform/config/index.js';

export class PaymentSettings extends PaymentWait {
  static readonly title = 'Payments';

  @Setting('most that a route may cost, in millionths of the amount …')
  @int(0, 100_000)
  FEE_LIMIT_PPM = 5_000;

  @Setting('… or this, if it is more')
  @int(0, 1_000_000)
  FEE_LIMIT_MIN_SATS = 10;

  @Setting('how old a payment is when the reconciler first asks the node about it')
  @int(0, 3_600)
  RECONCILE_AFTER_SECONDS = 3;

  @Setting(
    'how long a process may take to dispatch a payment to the node. If a payment was not dispatched, the reconciler releases it only after this time and after the node has reported "not found" twice',
  )
  @int(1, 3_600)
  PAYMENT_LEASE_SECONDS = 15;

  @Setting(
    'how long the node must report that it does not know a payment that was dispatched, before Sluice releases the money: 24, in demo mode a minute; a fraction is allowed. A short time releases what a slow request may still pay',
    { production: 24 },
  )
  @hours()
  PAYMENT_NOT_FOUND_HOURS = 1 / 60;

  reconcileIntervalMs = 1_000;

  /** How long a page waits for the end of a payment: then it shows the payment as pending, and follows it. */
  pageWaitMs = 2_000;

  /** How long failed payments are asked about again, at start and once an hour. */
  recheckDays = 14;

  get notFoundSeconds(): number {
    return this.PAYMENT_NOT_FOUND_HOURS * 3_600;
  }
}
