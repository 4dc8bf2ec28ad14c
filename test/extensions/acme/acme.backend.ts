import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import { Injectable } from '@nestjs/common';
import {
  Config,
  decodeInvoice,
  encodeInvoice,
  type Bolt11Invoice,
  type CancelledInvoice,
  type CreatedInvoice,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type LightningBackend,
  type NodeInfo,
  type PaymentIndex,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
} from '../../../src/index.js';

interface OwnInvoice {
  readonly invoice: Bolt11Invoice;
  state: 'open' | 'settled' | 'cancelled';
  settlement?: InvoiceSettlement;
}

const hex32 = (): string => randomBytes(32).toString('hex');
const sha256 = (hex: string): string => createHash('sha256').update(hex, 'hex').digest('hex');
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

export function decoded(paymentRequest: string): Bolt11Invoice {
  const answer = decodeInvoice(paymentRequest);
  if (!answer.ok) throw new Error(answer.message);
  return answer.invoice;
}

/** A node in memory, with the peer that it is connected to: as small as the port allows. */
@Injectable()
export class AcmeBackend implements LightningBackend {
  readonly nodeId: string;
  private readonly privateKey = randomBytes(32);
  private readonly invoices = new Map<string, OwnInvoice>();
  private readonly settlements: InvoiceSettlement[] = [];
  private readonly preimagesOfOthers = new Map<string, string>();
  private readonly payments = new Map<string, FinalPayment>();
  private readonly bus = new EventEmitter().setMaxListeners(0);

  /** Dependencies are injected as in any other class. */
  constructor(private readonly config: Config) {
    const facts = { network: config.network, amountMsat: null, createdAtSeconds: nowSeconds() };
    this.nodeId = decoded(encodeInvoice({ ...facts, paymentHash: hex32(), paymentSecret: hex32() }, this.privateKey)).payeeNodeId;
  }

  async info(): Promise<NodeInfo> {
    return { status: 'ready', nodeId: this.nodeId, network: this.config.network, alias: 'acme' };
  }

  async createInvoice({ preimage, ...request }: InvoiceRequest): Promise<CreatedInvoice> {
    const { amountMsat, expirySeconds } = request;
    if ((amountMsat !== null && amountMsat <= 0n) || expirySeconds <= 0 || !/^[0-9a-f]{64}$/.test(preimage)) return refused('invalid');
    const paymentHash = sha256(preimage);
    if (this.invoices.has(paymentHash)) return refused('duplicate');
    const facts = { network: this.config.network, createdAtSeconds: nowSeconds(), paymentHash, paymentSecret: hex32() };
    try {
      const invoice = decoded(encodeInvoice({ ...request, ...facts }, this.privateKey));
      this.invoices.set(paymentHash, { invoice, state: 'open' });
      const { paymentRequest, paymentSecret } = invoice;
      return { status: 'created', nodeId: this.nodeId, paymentHash, paymentRequest, paymentSecret: paymentSecret ?? '' };
    } catch {
      return refused('invalid');
    }
  }

  async cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    const own = this.invoices.get(paymentHash);
    if (!own) return 'not_found';
    if (own.state === 'settled') return 'settled';
    own.state = 'cancelled';
    return 'cancelled';
  }

  async lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    const own = this.invoices.get(paymentHash);
    if (!own) return { status: 'not_found' };
    if (own.state === 'open') return { status: 'open', paymentRequest: own.invoice.paymentRequest };
    if (!own.settlement) return { status: 'cancelled' };
    const { settleIndex, amountMsat } = own.settlement;
    return { status: 'settled', settleIndex, amountMsat };
  }

  async pay({ paymentHash }: PaymentRequest): Promise<PayResult> {
    const earlier = this.payments.get(paymentHash);
    if (earlier?.status === 'settled') return outcomeOf(earlier);
    const preimage = this.preimagesOfOthers.get(paymentHash);
    const payment: FinalPayment =
      preimage === undefined
        ? { status: 'failed', reason: 'no_route', paymentHash }
        : { status: 'settled', preimage, feeMsat: 1_000n, paymentHash };
    this.payments.set(paymentHash, payment);
    this.bus.emit('payment', payment);
    return outcomeOf(payment);
  }

  async lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    const payment = this.payments.get(paymentHash);
    return payment ? outcomeOf(payment) : { status: 'not_found' };
  }

  async latestPaymentIndex(): Promise<PaymentIndex> {
    return BigInt(this.payments.size);
  }

  async *invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    const next = follow<InvoiceSettlement>(this.bus, 'settlement', signal);
    for (const settlement of this.settlements.filter(({ settleIndex }) => settleIndex > afterIndex)) yield settlement;
    yield* next;
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return follow<FinalPayment>(this.bus, 'payment', signal);
  }

  /** Another node pays. @returns whether it could pay */
  async payFromOutside(paymentRequest: string, amountMsat?: bigint): Promise<boolean> {
    const { paymentHash, amountMsat: asked } = decoded(paymentRequest);
    const own = this.invoices.get(paymentHash);
    if (own?.state !== 'open') return false;
    own.state = 'settled';
    const settleIndex = BigInt(this.settlements.length + 1);
    own.settlement = { settleIndex, paymentHash, amountMsat: amountMsat ?? asked ?? 0n, settledAt: new Date() };
    this.settlements.push(own.settlement);
    this.bus.emit('settlement', own.settlement);
    return true;
  }

  /** @param reachable whether this node has a route there */
  invoiceOfOther(amountMsat: bigint | null, reachable = true): string {
    const preimage = hex32();
    const paymentHash = sha256(preimage);
    if (reachable) this.preimagesOfOthers.set(paymentHash, preimage);
    const facts = { network: this.config.network, amountMsat, createdAtSeconds: nowSeconds(), paymentHash, paymentSecret: hex32() };
    return encodeInvoice({ ...facts, description: '' }, randomBytes(32));
  }
}

const refused = (reason: 'duplicate' | 'invalid'): CreatedInvoice => ({ status: 'refused', reason });
const outcomeOf = ({ paymentHash: _hash, ...outcome }: FinalPayment): PayResult & PaymentStatus => outcome;

/** Listens from the call on, not from the first `next()`; ends when `signal` aborts, and never throws. */
function follow<T>(bus: EventEmitter, name: string, signal: AbortSignal): AsyncIterable<T> {
  const events = signal.aborted ? undefined : on(bus, name, { signal });
  return (async function* () {
    try {
      for await (const [event] of events ?? []) yield event as T;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  })();
}
