import { HEX_32 } from '../../../platform/kernel/form.js';
import { MAX_AMOUNT_MSAT } from '../../../platform/kernel/money.js';
import type * as port from '../lightning-messages.js';
import type { LndInvoice } from './lnd-calls.js';
import { isDuplicate, isNotFound, isRefusal, type LndConnection } from './lnd-connection.js';

const MAX_DESCRIPTION_BYTES = 639;
/** LND's own limit: a year. */
const MAX_EXPIRY_SECONDS = 31_536_000;
const INVALID = { status: 'refused', reason: 'invalid' } as const;
const DUPLICATE = { status: 'refused', reason: 'duplicate' } as const;

const hexBytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** LND's invoices. Throws what leaves an answer unknown. */
export class LndInvoices {
  constructor(
    private readonly connection: LndConnection,
    private readonly withRouteHints: boolean,
  ) {}

  async create(request: port.InvoiceRequest, nodeId: string): Promise<port.CreatedInvoice> {
    if (!isValid(request)) return INVALID;
    const { amountMsat, expirySeconds, description = '', descriptionHash, preimage } = request;
    try {
      const made = await this.connection.call('lnrpc.Lightning/AddInvoice', {
        r_preimage: hexBytes(preimage),
        value_msat: String(amountMsat ?? 0n),
        expiry: String(expirySeconds),
        private: this.withRouteHints,
        ...(descriptionHash === undefined ? { memo: description } : { description_hash: hexBytes(descriptionHash) }),
      });
      const [paymentHash, paymentSecret] = [made.r_hash.toString('hex'), made.payment_addr.toString('hex')];
      return { status: 'created', nodeId, paymentHash, paymentRequest: made.payment_request, paymentSecret };
    } catch (error) {
      if (isDuplicate(error)) return DUPLICATE;
      throw error;
    }
  }

  async cancel(paymentHash: string): Promise<port.CancelledInvoice> {
    if (!HEX_32.test(paymentHash)) return 'not_found';
    try {
      await this.connection.call('invoicesrpc.Invoices/CancelInvoice', { payment_hash: hexBytes(paymentHash) });
      return 'cancelled';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { status } = await this.find(paymentHash);
      return status === 'open' ? 'unknown' : status;
    }
  }

  async find(paymentHash: string): Promise<port.InvoiceState> {
    if (!HEX_32.test(paymentHash)) return { status: 'not_found' };
    try {
      return stateOf(await this.connection.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash: hexBytes(paymentHash) }));
    } catch (error) {
      if (isNotFound(error)) return { status: 'not_found' };
      throw error;
    }
  }
}

function stateOf(invoice: LndInvoice): port.InvoiceState {
  if (invoice.state === 'CANCELED') return { status: 'cancelled' };
  if (invoice.state === 'SETTLED')
    return { status: 'settled', settleIndex: BigInt(invoice.settle_index), amountMsat: BigInt(invoice.amt_paid_msat) };
  return { status: 'open', paymentRequest: invoice.payment_request };
}

function isValid({ amountMsat, description = '', descriptionHash, expirySeconds, preimage }: port.InvoiceRequest): boolean {
  const validAmount = amountMsat === null || (amountMsat > 0n && amountMsat <= MAX_AMOUNT_MSAT);
  const validText = descriptionHash === undefined ? Buffer.byteLength(description) <= MAX_DESCRIPTION_BYTES : HEX_32.test(descriptionHash);
  const validExpiry = Number.isInteger(expirySeconds) && expirySeconds > 0 && expirySeconds <= MAX_EXPIRY_SECONDS;
  return validAmount && validText && validExpiry && HEX_32.test(preimage);
}
