import type { ErrorCode, Problem, Result } from '../../edge/graphql/index.js';
import { URL_REFUSALS } from '../webhook/index.js';
import type { InvoiceCancellation, InvoiceCreation } from './invoice.service.js';
import type { InvoiceRow } from './invoice.row.js';

type Refusal = readonly [ErrorCode, message: string, argument?: string];

const problem = ([code, message, argument]: Refusal): Problem => ({ code, message, path: argument ? ['input', argument] : null });

/** The argument `walletId` has another name where the caller is not the recipient. */
const CREATION_REFUSALS: Readonly<Record<Exclude<InvoiceCreation['kind'], 'created' | 'vetoed' | 'webhook_refused'>, Refusal>> = {
  invalid_amount: ['INVALID_INPUT', 'A valid satoshi amount is required', 'amount'],
  invalid_cents: ['INVALID_INPUT', 'A valid usd amount is required', 'amount'],
  amount_too_small: ['INVALID_INPUT', 'The amount is worth less than a cent', 'amount'],
  no_price: ['PRICE_UNAVAILABLE', 'There is no price of dollars to be trusted now. Please try again later.'],
  dealer_limit: ['DEALER_LIMIT', 'This server accepts no more dollars at present. Please try again later.'],
  too_much_open: ['DEALER_LIMIT', 'Too many dollars of open invoices. Please try again in two minutes, or a smaller amount.'],
  unknown_wallet: ['NOT_FOUND', 'Wallet not found', 'walletId'],
  wrong_currency: ['INVALID_INPUT', "Unsupported operation for wallet's currency.", 'walletId'],
  external_id_taken: ['INVALID_INPUT', 'An invoice with this externalId already exists', 'externalId'],
  node_unavailable: ['LND_OFFLINE', 'Invoices are temporarily unavailable. Please try again.'],
};

const CANCELLATION_REFUSALS: Readonly<Record<Exclude<InvoiceCancellation['kind'], 'cancelled'>, Refusal>> = {
  already_paid: ['INVALID_INPUT', 'The invoice is already paid or being paid', 'paymentHash'],
  unknown_wallet: ['NOT_FOUND', 'Wallet not found', 'walletId'],
  unknown_invoice: ['NOT_FOUND', 'Invoice not found in this wallet', 'paymentHash'],
  node_unavailable: ['LND_OFFLINE', 'The Lightning node is unreachable, so the invoice can still be paid. Please try again.'],
  unsupported: [
    'LIGHTNING_UNSUPPORTED',
    'The Lightning node of this server cannot cancel invoices; this one can be paid until it expires.',
  ],
};

export interface CreatedInvoicePayload {
  readonly errors: readonly Problem[];
  readonly invoice: InvoiceRow | null;
}

export function creationPayload(outcome: InvoiceCreation, walletArgument: 'walletId' | 'recipientWalletId'): CreatedInvoicePayload {
  if (outcome.kind === 'created') return { errors: [], invoice: outcome.invoice };
  if (outcome.kind === 'vetoed') return { errors: [{ code: outcome.code, message: outcome.message, path: null }], invoice: null };
  const [code, message, argument]: Refusal =
    outcome.kind === 'webhook_refused'
      ? ['ENDPOINT_URL_REFUSED', URL_REFUSALS[outcome.reason], 'webhookUrl']
      : CREATION_REFUSALS[outcome.kind];
  return { errors: [problem([code, message, argument === 'walletId' ? walletArgument : argument])], invoice: null };
}

export const cancellationPayload = ({ kind }: InvoiceCancellation): Result<'Mutation', 'lnInvoiceCancel'> =>
  kind === 'cancelled' ? { errors: [], success: true } : { errors: [problem(CANCELLATION_REFUSALS[kind])], success: false };
