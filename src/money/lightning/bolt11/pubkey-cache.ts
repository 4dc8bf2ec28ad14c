import { hash } from 'node:crypto';
import { BoundedMap } from '../../../platform/kernel/bounded-map.js';

/** Most internal payments follow within minutes after the invoice was created. About 150 bytes each. */
const MAX_PUBKEYS = 50_000;

/** The signer of each invoice, by the invoice's digest. */
const pubkeyCache = new BoundedMap<string, string>(MAX_PUBKEYS);
const keyOf = (paymentRequest: string): string => hash('sha256', paymentRequest, 'base64');

/** The node that signed this invoice, if cached: verifying the signature is most of the work of decoding an invoice. */
export const cachedPubkey = (paymentRequest: string): string | undefined => pubkeyCache.get(keyOf(paymentRequest));

/**
 * Caches the signer of a verified signature, or of one that our own node has just made, to save its verification.
 * @param paymentRequest in lower case
 */
export function cachePubkey(paymentRequest: string, nodeId: string): void {
  pubkeyCache.set(keyOf(paymentRequest), nodeId);
}
