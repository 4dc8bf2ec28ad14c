/** Who wanted the webhook of an invoice. Each owner has a share of the attempts, and a bound of what waits. */
export interface WebhookOwner {
  readonly id: string;
  /** A caller without a credential. */
  readonly isAnonymous: boolean;
}

/** Webhooks of invoices that wait, of one owner. Those beyond it are not sent. */
const MAX_WAITING_OF_OWNER = { known: 10_000, anonymous: 1_000 } as const;
/** Callers without a credential that have any: an attacker may have thousands of addresses. */
const MAX_ANONYMOUS_OWNERS = 1_000;

/** What may wait. `owners`: how many; null: any number. */
export interface WaitingBounds {
  readonly webhooks: number;
  readonly owners: number | null;
}

/** Of invoices that have expired, half as many may wait: they cost their caller nothing, and must not displace those of paid ones. */
export function waitingBoundsOf({ isAnonymous }: WebhookOwner, isLater: boolean): WaitingBounds {
  const share = isLater ? 2 : 1;
  return isAnonymous
    ? { webhooks: MAX_WAITING_OF_OWNER.anonymous / share, owners: MAX_ANONYMOUS_OWNERS / share }
    : { webhooks: MAX_WAITING_OF_OWNER.known / share, owners: null };
}
