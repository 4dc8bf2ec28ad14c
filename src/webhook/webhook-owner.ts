/** Who wanted the webhook of an invoice. Each owner has a share of the attempts, and a bound of what waits. */
export interface WebhookOwner {
  readonly id: string;
  /** A caller without a credential. */
  readonly isAnonymous: boolean;
}

/** Webhooks of invoices that wait, of one owner. Those beyond it are not sent. */
const MAX_WAITING = { known: 10_000, anonymous: 1_000 } as const;

/** Of invoices that have expired, half as many may wait: they cost their caller nothing, and must not displace those of paid ones. */
export function maxWaitingOf({ isAnonymous }: WebhookOwner, isLater: boolean): number {
  const max = isAnonymous ? MAX_WAITING.anonymous : MAX_WAITING.known;
  return isLater ? max / 2 : max;
}
