import type { PaymentIndex, PaymentStatus } from '../lightning/index.js';

/** What the node that was asked to pay says about it now. */
export interface NodeEvidence {
  /** `none`: no node took part. `other_node`: the node that was asked is not connected. */
  readonly status: PaymentStatus['status'] | 'other_node' | 'none';
  /** What the route cost, of a settled one. */
  readonly feeMsat: bigint | null;
  /** Whether the node's preimage matches the payment hash; null: it has none. */
  readonly isPreimageValid: boolean | null;
  readonly reason: string | null;
  readonly paymentIndex: PaymentIndex;
  /** The index has not gone down since the payment was sent, so that "not found" may be believed. */
  readonly isIndexUnbroken: boolean;
}
