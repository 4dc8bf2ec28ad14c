/**
 * Every event that may be published, by topic. Owners add theirs:
 * `declare module '../events/event-map.js' { interface EventMap { 'invoice.paid': { paymentHash: string } } }`
 */
export interface EventMap {
  /** Something may no longer be used. The key is a principal's id, or `user:<id>` or `client:<id>` for all that hangs on a person or an app. */
  'credential.revoked': Record<string, never>;
}

export type Topic = keyof EventMap;
