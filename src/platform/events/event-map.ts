/**
 * Every event that may be published, by topic. Modules add theirs:
 * `declare module './event-map.js' { interface EventMap { 'invoice.paid': { paymentHash: string } } }`
 */
export interface EventMap {
  /** A credential was revoked. The key is a principal's id, or `user:<id>` or `client:<id>` for every credential of the user or client. */
  'credential.revoked': Record<string, never>;
  /** One secret of a credential ends then, by the database's clock. The key is `secret:<SHA-256 in hexadecimal digits>`. */
  'credential.ends': { readonly atMs: number };
}

export type Topic = keyof EventMap;
