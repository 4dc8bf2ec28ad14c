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

  @Setting(
    'the same where the sender is gone (its call ended with its connection, or its process gave no sign of life for two minutes), between two such answers over connections that were opened after that. Only for back ends with `delivery_proof`, as LND; at least 5, because what the sender wrote may be on its way for minutes',
  )
  @int(5, 1_440)
  PAYMENT_NOT_FOUND_MINUTES = 10;

  /** A process whose database session has ended may live for this long without a sign of life: a failover ends the sessions of all. */
  dispatcherSilentSeconds = 120;

  /** How long an account waits for its turn to pay an invoice that another one is paying. */
  lineMs = 5_000;

  reconcileIntervalMs = 1_000;

  /** How long a page waits for the end of a payment: then it shows the payment as pending, and follows it. */
  pageWaitMs = 2_000;

  /** How long failed payments are asked about again, at start and once an hour. */
  recheckDays = 14;

  /** @param isAnew over connections that were opened after the sender was gone */
  notFoundSecondsIf(isAnew: boolean): number {
    return isAnew ? Math.min(this.PAYMENT_NOT_FOUND_MINUTES * 60, this.notFoundSeconds) : this.notFoundSeconds;
  }

  get notFoundSeconds(): number {
    return this.PAYMENT_NOT_FOUND_HOURS * 3_600;
  }
}
