import type { Faults } from './faults.js';

/** The two simulated nodes. Each pays the other's invoices. */
export type NodeName = 'ours' | 'outside';

export interface NodeKey {
  readonly privateKey: Buffer;
  readonly nodeId: string;
}

export interface InvoiceToAdd {
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly preimage: string;
  readonly amountMsat: bigint | null;
  readonly ageSeconds: number;
  readonly expirySeconds: number;
  readonly faults: Faults;
}

export interface PaymentToSend {
  readonly paymentHash: string;
  readonly paymentRequest: string;
  /** Null: the amount of the invoice. */
  readonly amountMsat: bigint | null;
  /** Null for the outside, whose fees are not simulated. */
  readonly feeLimitMsat: bigint | null;
  readonly faults: Faults;
}

/** The latest attempt to pay a hash, and why this one was refused at once. Without any attempt, its columns are null. */
export interface SentRow {
  readonly refusal: string | null;
  readonly begun: boolean;
  readonly state: 'in_flight' | 'settled' | 'failed' | null;
  readonly amount_msat: bigint | null;
  readonly fee_msat: bigint | null;
  readonly reason: string | null;
  readonly preimage: string | null;
  readonly final_index: bigint | null;
  readonly faults: Faults | null;
}

export interface PaymentRow {
  readonly payment_hash: string;
  readonly state: 'in_flight' | 'settled' | 'failed';
  readonly fee_msat: bigint;
  readonly reason: string | null;
  readonly preimage: string | null;
}

export interface FinalRow extends PaymentRow {
  readonly id: bigint;
  readonly amount_msat: bigint;
  readonly final_at: Date;
  readonly final_index: bigint;
  readonly faults: Faults;
}

export interface SimulatedInvoice {
  readonly state: 'open' | 'accepted' | 'settled' | 'cancelled';
  readonly payment_request: string;
  readonly settle_index: bigint | null;
  readonly amount_msat: bigint | null;
}
