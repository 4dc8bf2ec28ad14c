import type { Clock } from '../../../platform/kernel/clock.js';
import { HEX_32 } from '../../../platform/kernel/form.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { randomBytes } from '../../../platform/kernel/random.js';
import { Bolt11Error, encodeInvoice } from '../bolt11/index.js';
import type * as port from '../lightning-messages.js';
import { MIN_FINAL_CLTV_EXPIRY_DELTA, type NodeKey, type SimulatorStore } from './simulator.store.js';

const MAX_EXPIRY_SECONDS = 2 ** 31 - 1;
const INVALID = { status: 'refused', reason: 'invalid' } as const;
const DUPLICATE = { status: 'refused', reason: 'duplicate' } as const;

export class SimulatorInvoices {
  constructor(
    private readonly store: SimulatorStore,
    private readonly clock: Clock,
    private readonly key: NodeKey,
  ) {}

  async create(request: port.InvoiceRequest): Promise<port.CreatedInvoice> {
    const { preimage, amountMsat, expirySeconds } = request;
    if (!HEX_32.test(preimage)) return INVALID;
    const [paymentHash, paymentSecret] = [paymentHashOf(preimage), randomBytes(32).toString('hex')];
    const paymentRequest = this.write(request, paymentHash, paymentSecret);
    if (paymentRequest === undefined) return INVALID;
    const invoice = { paymentHash, paymentRequest, preimage, amountMsat, ageSeconds: 0, expirySeconds, faults: {} };
    if (!(await this.store.ourInvoices.submit(invoice))) return DUPLICATE;
    return { status: 'created', nodeId: this.key.nodeId, paymentHash, paymentRequest, paymentSecret };
  }

  async cancel(paymentHash: string): Promise<port.CancelledInvoice> {
    const state = await this.store.cancellations.submit(paymentHash);
    return state === null ? 'not_found' : state === 'settled' ? 'settled' : 'cancelled';
  }

  async find(paymentHash: string): Promise<port.InvoiceState> {
    const row = await this.store.findInvoice(paymentHash);
    if (!row) return { status: 'not_found' };
    const { state, payment_request: paymentRequest, settle_index: settleIndex, amount_msat: amountMsat } = row;
    if (state === 'open') return { status: 'open', paymentRequest };
    if (state === 'cancelled') return { status: 'cancelled' };
    return settleIndex === null || amountMsat === null ? { status: 'unknown' } : { status: 'settled', settleIndex, amountMsat };
  }

  private write(request: port.InvoiceRequest, paymentHash: string, paymentSecret: string): string | undefined {
    const { amountMsat, description, descriptionHash, expirySeconds } = request;
    if (!Number.isInteger(expirySeconds) || expirySeconds <= 0 || expirySeconds > MAX_EXPIRY_SECONDS) return undefined;
    const invoice = { network: this.store.network, amountMsat, description, descriptionHash, expirySeconds, paymentHash, paymentSecret };
    const createdAtSeconds = Math.floor(this.clock.now() / 1000);
    try {
      return encodeInvoice({ ...invoice, createdAtSeconds, minFinalCltvExpiryDelta: MIN_FINAL_CLTV_EXPIRY_DELTA }, this.key.privateKey);
    } catch (error) {
      if (error instanceof Bolt11Error) return undefined;
      throw error;
    }
  }
}
