import { fragment } from '../database/index.js';

/** An invoice as resolvers and pages use it, with its status by the database's clock. */
export interface InvoiceRow {
  readonly __typename: 'LnInvoice';
  readonly paymentHash: string;
  readonly accountId: string;
  readonly walletId: string;
  /** The node that created it: only that node can cancel it. */
  readonly nodeId: string;
  readonly paymentRequest: string;
  readonly paymentSecret: string;
  readonly preimage: string;
  readonly amountMsat: bigint;
  readonly memo: string | null;
  readonly externalId: string;
  /** False: another caller than the owner created it and chose `externalId`. */
  readonly externalIdByOwner: boolean;
  readonly status: InvoiceStatus;
  readonly cancelled: boolean;
  readonly expiresAt: Date;
  /** Until `expiresAt`, by the database's clock; negative when it is past. */
  readonly leftMs: number;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
}

export type InvoiceStatus = 'PENDING' | 'PAID' | 'EXPIRED';

declare module '../events/event-map.js' {
  interface EventMap {
    /** An invoice was paid or cancelled. The key is its payment hash. */
    'invoice.changed': {
      readonly paymentHash: string;
      readonly paymentRequest: string;
      readonly state: 'open' | 'paid' | 'cancelled';
      readonly preimage: string | null;
    };
  }
}

/** The columns of an {@link InvoiceRow}. The API has no status for a cancelled invoice: it is EXPIRED, because it cannot be paid. */
export const INVOICE_COLUMNS = fragment`'LnInvoice' AS "__typename", payment_hash AS "paymentHash", account_id AS "accountId", wallet_id AS "walletId", node_id AS "nodeId",
  payment_request AS "paymentRequest", payment_secret AS "paymentSecret", preimage, amount_msat AS "amountMsat", memo, external_id AS "externalId", by_owner AS "externalIdByOwner",
  CASE WHEN state = 'paid' THEN 'PAID' WHEN state = 'cancelled' OR expires_at <= now() THEN 'EXPIRED' ELSE 'PENDING' END AS status,
  state = 'cancelled' AS cancelled, expires_at AS "expiresAt", (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "leftMs", created_at AS "createdAt", paid_at AS "paidAt"`;
