import { HEX_32 } from '../../../platform/kernel/form.js';
import { MAX_AMOUNT_MSAT } from '../../../platform/kernel/money.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import type * as port from '../lightning-messages.js';
import type { LndInvoice, LndInvoiceRequest } from './lnd-calls.js';
import { isDuplicate, isNotFound, isRefusal, type LndConnection } from './lnd-connection.js';

const MAX_DESCRIPTION_BYTES = 639;
/** LND's own limit: a year. */
const MAX_EXPIRY_SECONDS = 31_536_000;

interface MadeInvoice {
  readonly paymentHash: string;
  readonly payment_request: string;
  readonly payment_addr: Buffer;
}

const hexBytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** LND's invoices. Throws what leaves an answer unknown. */
export class LndInvoices {
  constructor(
    private readonly connection: LndConnection,
    private readonly withRouteHints: boolean,
  ) {}

  create(request: port.InvoiceRequest, nodeId: string): Promise<port.CreatedInvoice> {
    return this.issue(request, request.preimage, nodeId, async (invoice, preimage) => {
      const made = await this.connection.call('lnrpc.Lightning/AddInvoice', { ...invoice, r_preimage: preimage });
      return { ...made, paymentHash: made.r_hash.toString('hex') };
    });
  }

  createHold(request: port.HoldInvoiceRequest, nodeId: string): Promise<port.CreatedInvoice> {
    const { paymentHash } = request;
    return this.issue(request, paymentHash, nodeId, async (invoice, hash) => {
      const made = await this.connection.call('invoicesrpc.Invoices/AddHoldInvoice', { ...invoice, hash });
      return { ...made, paymentHash };
    });
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

  /** @param hex the preimage, or the hash of one that is not known yet */
  private async issue(
    request: Described,
    hex: string,
    nodeId: string,
    make: (invoice: LndInvoiceRequest, bytes: Buffer) => Promise<MadeInvoice>,
  ): Promise<port.CreatedInvoice> {
    const { amountMsat, expirySeconds, description = '', descriptionHash } = request;
    if (!isValid(request) || !HEX_32.test(hex)) return { status: 'refused', reason: 'invalid' };
    const invoice = {
      value_msat: String(amountMsat ?? 0n),
      expiry: String(expirySeconds),
      private: this.withRouteHints,
      ...(descriptionHash === undefined ? { memo: description } : { description_hash: hexBytes(descriptionHash) }),
    };
    try {
      const { paymentHash, payment_request: paymentRequest, payment_addr: secret } = await make(invoice, hexBytes(hex));
      return { status: 'created', nodeId, paymentHash, paymentRequest, paymentSecret: secret.toString('hex') };
    } catch (error) {
      if (isDuplicate(error)) return { status: 'refused', reason: 'duplicate' };
      throw error;
    }
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
