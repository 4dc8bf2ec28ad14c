import { HEX_32 } from '../../../platform/kernel/form.js';
import { MAX_AMOUNT_MSAT } from '../../../platform/kernel/money.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import type * as port from '../lightning-messages.js';
import type { LndInvoice, LndInvoiceRequest } from './lnd-calls.js';
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
    if (!isValid(request) || !HEX_32.test(request.preimage)) return INVALID;
    try {
      const made = await this.connection.call('lnrpc.Lightning/AddInvoice', {
        ...this.requestOf(request),
        r_preimage: hexBytes(request.preimage),
      });
      const [paymentHash, paymentSecret] = [made.r_hash.toString('hex'), made.payment_addr.toString('hex')];
      return { status: 'created', nodeId, paymentHash, paymentRequest: made.payment_request, paymentSecret };
    } catch (error) {
      if (isDuplicate(error)) return DUPLICATE;
      throw error;
    }
  }

  async createHold(request: port.HoldInvoiceRequest, nodeId: string): Promise<port.CreatedInvoice> {
    const { paymentHash } = request;
    if (!isValid(request) || !HEX_32.test(paymentHash)) return INVALID;
    try {
      const made = await this.connection.call('invoicesrpc.Invoices/AddHoldInvoice', {
        ...this.requestOf(request),
        hash: hexBytes(paymentHash),
      });
      const paymentSecret = made.payment_addr.toString('hex');
      return { status: 'created', nodeId, paymentHash, paymentRequest: made.payment_request, paymentSecret };
    } catch (error) {
      if (isDuplicate(error)) return DUPLICATE;
      throw error;
    }
  }

  /** LND answers once it has stored that the payment is settled. Its refusals have no codes: the invoice itself says why. */
  async settleHold(preimage: string): Promise<port.SettledHoldInvoice> {
    if (!HEX_32.test(preimage)) return 'not_found';
    try {
      await this.connection.call('invoicesrpc.Invoices/SettleInvoice', { preimage: hexBytes(preimage) });
      return 'settled';
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { status } = await this.find(paymentHashOf(preimage));
      if (status === 'open') return 'not_accepted';
      // Refused although it waits: by what LND does not say.
      return status === 'accepted' ? 'unknown' : status;
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
      return status === 'open' || status === 'accepted' ? 'unknown' : status;
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

  private requestOf({ amountMsat, expirySeconds, description = '', descriptionHash }: Described): LndInvoiceRequest {
    return {
      value_msat: String(amountMsat ?? 0n),
      expiry: String(expirySeconds),
      private: this.withRouteHints,
      ...(descriptionHash === undefined ? { memo: description } : { description_hash: hexBytes(descriptionHash) }),
    };
  }
}

function stateOf(invoice: LndInvoice): port.InvoiceState {
  if (invoice.state === 'CANCELED') return { status: 'cancelled' };
  if (invoice.state === 'SETTLED')
    return { status: 'settled', settleIndex: BigInt(invoice.settle_index), amountMsat: BigInt(invoice.amt_paid_msat) };
  const { payment_request: paymentRequest } = invoice;
  if (invoice.state === 'OPEN') return { status: 'open', paymentRequest };
  const waiting = invoice.htlcs.filter(({ state }) => state === 'ACCEPTED');
  return { status: 'accepted', paymentRequest, amountMsat: waiting.reduce((sum, { amt_msat: part }) => sum + BigInt(part), 0n) };
}

type Described = Omit<port.InvoiceRequest, 'preimage'>;

function isValid({ amountMsat, description = '', descriptionHash, expirySeconds }: Described): boolean {
  const validAmount = amountMsat === null || (amountMsat > 0n && amountMsat <= MAX_AMOUNT_MSAT);
  const validText = descriptionHash === undefined ? Buffer.byteLength(description) <= MAX_DESCRIPTION_BYTES : HEX_32.test(descriptionHash);
  return validAmount && validText && Number.isInteger(expirySeconds) && expirySeconds > 0 && expirySeconds <= MAX_EXPIRY_SECONDS;
}
