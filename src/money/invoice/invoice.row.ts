import { columns, fragment, type RowOf } from '../../platform/database/index.js';
import { InvoiceEntity } from './invoice.entity.js';

const STORED = columns(InvoiceEntity).except(
  'descriptionHash',
  'centsPerBtc',
  'state',
  'settledVia',
  'closedAt',
  'nextLookAt',
  'webhookUrl',
  'webhookOwnerId',
  'webhookIsAnonymous',
  'byLnurl',
);

/** An invoice as resolvers and pages use it, with its status by the database's clock. */
export interface InvoiceRow extends RowOf<typeof STORED> {
  /** `LnNoAmountInvoice`: `amountMsat` is null, because the payer chooses it. */
  readonly __typename: 'LnInvoice' | 'LnNoAmountInvoice';
  readonly status: InvoiceStatus;
  readonly cancelled: boolean;
  /** An LNURL callback created it: anyone with its hash may ask for its state (LUD-21). */
  readonly isOfLnurl: boolean;
  /** Until `expiresAt`, by the database's clock; negative when it is past. */
  readonly leftMs: number;
}

export type InvoiceStatus = 'PENDING' | 'PAID' | 'EXPIRED';

export interface InvoiceList {
  readonly accountId: string;
  readonly walletIds: readonly string[];
  /** Includes invoices that others created on the owner's behalf and that ended unpaid. */
  readonly includeExpiredByOthers?: boolean | null | undefined;
}

declare module '../../platform/events/event-map.js' {
  interface EventMap {
    /** An invoice was paid or cancelled, or the node has confirmed that it expired unpaid. The key is its payment hash. */
    'invoice.changed': { readonly state: 'paid' | 'cancelled' | 'expired' };
    /** The same, of an invoice whose creator wants a webhook. */
    'invoice.webhook': { readonly state: 'paid' | 'cancelled' | 'expired' };
  }
}

/**
 * The columns of an {@link InvoiceRow}. EXPIRED is final: an invoice past its expiry is PENDING until the node has confirmed that nothing
 * can pay it (`closed_at`), because a payment may be on its way. The API has no status for a cancelled invoice: it is EXPIRED too.
 */
export const INVOICE_COLUMNS = fragment`CASE WHEN amount_msat IS NULL THEN 'LnNoAmountInvoice' ELSE 'LnInvoice' END AS "__typename", ${STORED.of('invoice')},
  CASE WHEN state = 'paid' THEN 'PAID' WHEN state = 'cancelled' OR closed_at IS NOT NULL THEN 'EXPIRED' ELSE 'PENDING' END AS status,
  state = 'cancelled' AS cancelled, coalesce(by_lnurl, NOT by_owner AND description_hash IS NOT NULL) AS "isOfLnurl",
  (extract(epoch FROM expires_at - now()) * 1000)::float8 AS "leftMs"`;
