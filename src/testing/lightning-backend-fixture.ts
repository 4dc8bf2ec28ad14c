import { createHash, randomBytes } from 'node:crypto';
import type { Network } from '../config/index.js';
import { decodeInvoice, type Bolt11Invoice, type LightningBackend } from '../lightning/index.js';

/** A node under test, and a counterpart at the other end of its channels. */
export interface LightningBackendFixture {
  readonly backend: LightningBackend;
  readonly network: Network;
  /** An invoice of another node that the node can pay. */
  invoiceOfOther(amountMsat: bigint | null): Promise<string>;
  /** A valid invoice of another node that the node cannot pay: no route leads there. */
  invoiceOutOfReach(amountMsat: bigint): Promise<string>;
  /** Another node pays an invoice of the node under test; resolves when it is paid, to false when it cannot be. */
  payFromOutside(paymentRequest: string, amountMsat?: bigint): Promise<boolean>;
  close(): Promise<void>;
}

export const SATS = 1_000n;
export const sha256 = (hex: string): string => createHash('sha256').update(hex, 'hex').digest('hex');
export const newPreimage = (): string => randomBytes(32).toString('hex');

export function invoiceOf(paymentRequest: string): Bolt11Invoice {
  const decoded = decodeInvoice(paymentRequest);
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.invoice;
}

/** Collects a stream's items, up to and including the first that is `last`. */
export async function collect<T>(stream: AsyncIterable<T>, listening: AbortController, last: (item: T) => boolean): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) {
    items.push(item);
    if (last(item)) listening.abort();
  }
  return items;
}
