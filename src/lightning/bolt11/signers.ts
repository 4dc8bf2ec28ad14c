import { hash } from 'node:crypto';
import { BoundedMap } from '../../kernel/bounded-map.js';

/** What is paid inside the house is mostly paid within minutes of its making. About 150 bytes each. */
const MOST = 50_000;

/** Who signed which invoice, by the invoice's digest. */
const signers = new BoundedMap<string, string>(MOST);
const keyOf = (paymentRequest: string): string => hash('sha256', paymentRequest, 'base64');

/** The node that signed this invoice, if that was found out before: checking a signature is most of the work of reading an invoice. */
export const knownSigner = (paymentRequest: string): string | undefined => signers.get(keyOf(paymentRequest));

/**
 * Spares the check of a signature that was seen to be valid, or that our own node has just made.
 * @param paymentRequest in lower case
 */
export function rememberSigner(paymentRequest: string, nodeId: string): void {
  signers.set(keyOf(paymentRequest), nodeId);
}
