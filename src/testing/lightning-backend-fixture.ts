import { randomBytes } from 'node:crypto';
import type { Network } from '../platform/config/index.js';
import { decodeInvoice, type Bolt11Invoice, type LightningBackend, type PaymentRequest } from '../money/lightning/index.js';

/** How another node ends a payment that it holds. */
export interface HeldInvoice {
  readonly paymentRequest: string;
  settle(): Promise<void>;
  fail(): Promise<void>;
}

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
  /** An invoice of another node whose payment stays in flight until the test ends it. */
  hold(amountMsat: bigint): Promise<HeldInvoice>;
  /** An invoice of another node to which the cheapest route costs exactly `feeMsat`, at least 1. */
  expensiveInvoice(amountMsat: bigint): Promise<{ readonly paymentRequest: string; readonly feeMsat: bigint }>;
  /** Cuts the connection between the back end and its node, which continues. Resolves when no call can reach the node. */
  disconnect(): Promise<void>;
  /** Resolves when `info` is ready again. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

/** Defines a Jest test of a fixture. */
export type ContractTest = (title: string, test: (fixture: LightningBackendFixture, backend: LightningBackend) => Promise<void>) => void;

export const SATS = 1_000n;
export const newPreimage = (): string => randomBytes(32).toString('hex');

export function invoiceOf(paymentRequest: string): Bolt11Invoice {
  const decoded = decodeInvoice(paymentRequest);
  if (!decoded.ok) throw new Error(decoded.message);
  return decoded.invoice;
}

export const FEE_LIMIT_MSAT = 50n * SATS;

export function paymentOf(paymentRequest: string, amountMsat?: bigint): PaymentRequest {
  const invoice = invoiceOf(paymentRequest);
  return {
    paymentRequest,
    paymentHash: invoice.paymentHash,
    amountMsat: amountMsat ?? invoice.amountMsat ?? 0n,
    feeLimitMsat: FEE_LIMIT_MSAT,
    timeoutSeconds: 20,
  };
}

/** Collects a stream's items to its end, or up to and including the first that is `last`. */
export async function collect<T>(stream: AsyncIterable<T>, listening?: AbortController, last?: (item: T) => boolean): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) {
    items.push(item);
    if (last?.(item)) listening?.abort();
  }
  return items;
}
