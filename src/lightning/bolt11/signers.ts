/** Longer invoices are rare, and are checked each time: what strangers send must not fill the memory. */
const LONGEST = 1_024;
const MOST = 10_000;

/** Who signed which invoice, the latest last. */
const signers = new Map<string, string>();

/** The node that signed this invoice, if that was found out before: checking a signature is most of the work of reading an invoice. */
export const knownSigner = (paymentRequest: string): string | undefined => signers.get(paymentRequest);

/**
 * Spares the check of a signature that was seen to be valid, or that our own node has just made.
 * @param paymentRequest in lower case
 */
export function rememberSigner(paymentRequest: string, nodeId: string): void {
  if (paymentRequest.length > LONGEST || signers.has(paymentRequest)) return;
  if (signers.size >= MOST) signers.delete(signers.keys().next().value ?? '');
  signers.set(paymentRequest, nodeId);
}
