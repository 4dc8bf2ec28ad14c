import type { ErrorCode, Problem, Result } from '../../edge/graphql/index.js';
import { assertNever } from '../../platform/kernel/assert-never.js';
import { URL_REFUSALS } from '../webhook/index.js';
import type { InvoiceCancellation, InvoiceCreation } from './invoice.service.js';
import type { InvoiceRow } from './invoice.row.js';

const failed = (message: string, code: ErrorCode, path: readonly string[] | null = null): { errors: Problem[] } => ({
  errors: [{ message, code, path }],
});

export interface CreatedInvoicePayload {
  readonly errors: readonly Problem[];
  readonly invoice: InvoiceRow | null;
}

export function creationPayload(outcome: InvoiceCreation, walletArgument: 'walletId' | 'recipientWalletId'): CreatedInvoicePayload {
  switch (outcome.kind) {
    case 'created':
      return { errors: [], invoice: outcome.invoice };
    case 'invalid_amount':
      return { ...failed('A valid satoshi amount is required', 'INVALID_INPUT', ['input', 'amount']), invoice: null };
    case 'invalid_cents':
      return { ...failed('A valid usd amount is required', 'INVALID_INPUT', ['input', 'amount']), invoice: null };
    case 'amount_too_small':
      return { ...failed('The amount is worth less than a cent', 'INVALID_INPUT', ['input', 'amount']), invoice: null };
    case 'no_price':
      return { ...failed('There is no price of dollars to be trusted now. Please try again later.', 'PRICE_UNAVAILABLE'), invoice: null };
    case 'dealer_limit':
      return { ...failed('This server accepts no more dollars at present. Please try again later.', 'DEALER_LIMIT'), invoice: null };
    case 'unknown_wallet':
      return { ...failed('Wallet not found', 'NOT_FOUND', ['input', walletArgument]), invoice: null };
    case 'wrong_currency':
      return { ...failed("Unsupported operation for wallet's currency.", 'INVALID_INPUT', ['input', walletArgument]), invoice: null };
    case 'external_id_taken':
      return { ...failed('An invoice with this externalId already exists', 'INVALID_INPUT', ['input', 'externalId']), invoice: null };
    case 'webhook_refused':
      return { ...failed(URL_REFUSALS[outcome.reason], 'ENDPOINT_URL_REFUSED', ['input', 'webhookUrl']), invoice: null };
    case 'node_unavailable':
      return { ...failed('Invoices are temporarily unavailable. Please try again.', 'LND_OFFLINE'), invoice: null };
    default:
      return assertNever(outcome);
  }
}

export function cancellationPayload(outcome: InvoiceCancellation): Result<'Mutation', 'lnInvoiceCancel'> {
  switch (outcome.kind) {
    case 'cancelled':
      return { errors: [], success: true };
    case 'already_paid':
      return { ...failed('The invoice is already paid or being paid', 'INVALID_INPUT', ['input', 'paymentHash']), success: false };
    case 'unknown_wallet':
      return { ...failed('Wallet not found', 'NOT_FOUND', ['input', 'walletId']), success: false };
    case 'unknown_invoice':
      return { ...failed('Invoice not found in this wallet', 'NOT_FOUND', ['input', 'paymentHash']), success: false };
    case 'node_unavailable':
      return {
        ...failed('The Lightning node is unreachable, so the invoice can still be paid. Please try again.', 'LND_OFFLINE'),
        success: false,
      };
    case 'unsupported':
      return {
        ...failed(
          'The Lightning node of this server cannot cancel invoices; this one can be paid until it expires.',
          'LIGHTNING_UNSUPPORTED',
        ),
        success: false,
      };
    default:
      return assertNever(outcome);
  }
}
