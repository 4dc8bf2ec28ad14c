import { int, PaymentWait, Setting } from '../../platform/config/index.js';

const DAY = 86_400;

export class IdempotencySettings extends PaymentWait {
  static readonly title = 'Idempotency keys';

  @Setting('how long Sluice stores the answer to a mutation with an idempotency key')
  @int(60, 30 * DAY)
  IDEMPOTENCY_SECONDS = DAY;
}
