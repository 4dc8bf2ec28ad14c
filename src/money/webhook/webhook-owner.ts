/** Each owner of webhooks has a share of the attempts, and a bound of what waits. */
export interface WebhookOwner {
  readonly id: string;
  readonly isAnonymous: boolean;
}

/** Webhooks of invoices that wait, of one owner. Those beyond it are not sent. */
const MAX_WAITING_OF_OWNER = { known: 10_000, anonymous: 1_000 } as const;
/** Callers without a credential that have any: an attacker may have thousands of addresses. */
const MAX_ANONYMOUS_OWNERS = 1_000;

/** `owners` is null for any number. */
export interface WaitingBounds {
  readonly webhooks: number;
  readonly owners: number | null;
}

/** Half as many webhooks of expired invoices may wait: they cost their caller nothing, and must not displace those of paid ones. */
export function waitingBoundsOf({ isAnonymous }: WebhookOwner, isLater: boolean): WaitingBounds {
  const share = isLater ? 2 : 1;
  return isAnonymous
    ? { webhooks: MAX_WAITING_OF_OWNER.anonymous / share, owners: MAX_ANONYMOUS_OWNERS / share }
    : { webhooks: MAX_WAITING_OF_OWNER.known / share, owners: null };
}
