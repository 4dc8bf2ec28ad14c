import { int, Setting } from '../../platform/config/index.js';

export class LightningSettings {
  static readonly title = 'Lightning node';

  @Setting(
    'how long the node may take to answer a call; a call of `pay` may take `PAYMENT_WAIT_SECONDS` more. After that the answer counts as unknown',
  )
  @int(1, 300)
  LIGHTNING_CALL_SECONDS = 15;

  /** Calls of one kind that wait for the node's answer; beyond them the result is unknown at once. */
  callsInProgress = 1_000;

  /** The same for payments; beyond them Sluice does not send a payment and releases its money at once. */
  paymentsInProgress = 5_000;

  get callMs(): number {
    return this.LIGHTNING_CALL_SECONDS * 1000;
  }
}
