import type { Clock } from '../../../platform/kernel/clock.js';
import { HEX_32 } from '../../../platform/kernel/form.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { randomBytes } from '../../../platform/kernel/random.js';
import { Bolt11Error, encodeInvoice } from '../bolt11/index.js';
import type * as port from '../lightning-messages.js';
import { MIN_FINAL_CLTV_EXPIRY_DELTA, type NodeKey, type SimulatorStore } from './simulator.store.js';

const MAX_EXPIRY_SECONDS = 2 ** 31 - 1;
const INVALID = { status: 'refused', reason: 'invalid' } as const;

export class SimulatorInvoices {
  constructor(
    private readonly store: SimulatorStore,
    private readonly clock: Clock,
    private readonly key: NodeKey,
  ) {}

  async create(request: port.InvoiceRequest): Promise<port.CreatedInvoice> {
    const { preimage, amountMsat, expirySeconds } = request;
    if (!HEX_32.test(preimage)) return INVALID;
    const paymentHash = paymentHashOf(preimage);
    return this.issue(request, paymentHash, (paymentRequest) =>
      this.store.ourInvoices.submit({ paymentHash, paymentRequest, preimage, amountMsat, ageSeconds: 0, expirySeconds, faults: {} }),
    );
  }

  async createHold(request: port.HoldInvoiceRequest): Promise<port.CreatedInvoice> {
    const { paymentHash, amountMsat, expirySeconds } = request;
    if (!HEX_32.test(paymentHash)) return INVALID;
    return this.issue(request, paymentHash, (paymentRequest) =>
      this.store.addHoldInvoice(paymentHash, paymentRequest, amountMsat, expirySeconds),
    );
  }

  async settleHold(preimage: string): Promise<port.SettledHoldInvoice> {
    if (!HEX_32.test(preimage)) return 'not_found';
    const state = await this.store.settleHold(paymentHashOf(preimage), preimage);
    if (state === null) return 'not_found';
    if (state === 'open') return 'not_accepted';
    // The call leaves no payment waiting.
    return state === 'accepted' ? 'unknown' : state;
  }

  /** The call leaves no invoice open. */
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
    if (state === 'accepted' && amountMsat !== null) return { status: 'accepted', paymentRequest, amountMsat };
    return settleIndex === null || amountMsat === null ? { status: 'unknown' } : { status: 'settled', settleIndex, amountMsat };
  }

  private async issue(
    { amountMsat, description, descriptionHash, expirySeconds }: Omit<port.InvoiceRequest, 'preimage'>,
    paymentHash: string,
    add: (paymentRequest: string) => Promise<boolean>,
  ): Promise<port.CreatedInvoice> {
    if (!Number.isInteger(expirySeconds) || expirySeconds <= 0 || expirySeconds > MAX_EXPIRY_SECONDS) return INVALID;
    const paymentSecret = randomBytes(32).toString('hex');
    const createdAtSeconds = Math.floor(this.clock.now() / 1000);
    const asked = { network: this.store.network, amountMsat, description, descriptionHash, expirySeconds, paymentHash, paymentSecret };
    const invoice = { ...asked, createdAtSeconds, minFinalCltvExpiryDelta: MIN_FINAL_CLTV_EXPIRY_DELTA };
    let paymentRequest: string;
    try {
      paymentRequest = encodeInvoice(invoice, this.key.privateKey);
    } catch (error) {
      if (error instanceof Bolt11Error) return INVALID;
      throw error;
    }
    const created = { status: 'created', nodeId: this.key.nodeId, paymentHash, paymentRequest, paymentSecret } as const;
    return (await add(paymentRequest)) ? created : { status: 'refused', reason: 'duplicate' };
  }
}
