import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, on, once } from 'node:events';
import { Injectable } from '@nestjs/common';
import {
  Config,
  decodeInvoice,
  encodeInvoice,
  LightningBackend,
  type Bolt11Invoice,
  type CancelledInvoice,
  type CreatedInvoice,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type LightningCapability,
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

const UNKNOWN = { status: 'unknown' } as const;
const FEE_MSAT = 1_000n;

const hex32 = (): string => randomBytes(32).toString('hex');
const sha256 = (hex: string): string => createHash('sha256').update(hex, 'hex').digest('hex');
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

export function decoded(paymentRequest: string): Bolt11Invoice {
  const answer = decodeInvoice(paymentRequest);
  if (!answer.ok) throw new Error(answer.message);
  return answer.invoice;
}

/** A node in memory, with the peer that it is connected to. */
@Injectable()
export class AcmeBackend extends LightningBackend {
  /** The version that it was made for. The number itself: the constant of a later Sluice would be another one. */
  readonly portVersion = 1;
  /** It estimates no fees, lists no payments, and has no channels. */
  readonly capabilities: ReadonlySet<LightningCapability> = new Set([
    'own_preimage',
    'settle_index',
    'fee_limit',
    'cancel_invoice',
    'payment_index',
  ] as const);
  readonly nodeId: string;
  private readonly privateKey = randomBytes(32);
  private readonly invoices = new Map<string, OwnInvoice>();
  private readonly settlements: InvoiceSettlement[] = [];
  private readonly preimagesOfOthers = new Map<string, string>();
  private readonly held = new Set<string>();
  private readonly payments = new Map<string, FinalPayment | 'in_flight'>();
  private readonly bus = new EventEmitter().setMaxListeners(0);
  /** The connection to the node: aborted when it breaks. */
  private connection = new AbortController();

  /** Dependencies are injected as in any other class. */
  constructor(private readonly config: Config) {
    super();
    const facts = { network: config.network, amountMsat: null, createdAtSeconds: nowSeconds() };
    this.nodeId = decoded(encodeInvoice({ ...facts, paymentHash: hex32(), paymentSecret: hex32() }, this.privateKey)).payeeNodeId;
  }

  async info(): Promise<NodeInfo> {
    if (this.isCut) return UNKNOWN;
    return { status: 'ready', nodeId: this.nodeId, network: this.config.network, alias: 'acme' };
  }

  async createInvoice({ preimage, ...request }: InvoiceRequest): Promise<CreatedInvoice> {
    const { amountMsat, expirySeconds } = request;
    if (this.isCut) return UNKNOWN;
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

  override async cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    const own = this.invoices.get(paymentHash);
    if (this.isCut) return 'unknown';
    if (!own) return 'not_found';
    if (own.state === 'settled') return 'settled';
    own.state = 'cancelled';
    return 'cancelled';
  }

  async lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    const own = this.invoices.get(paymentHash);
    if (this.isCut) return UNKNOWN;
    if (!own) return { status: 'not_found' };
    if (own.state === 'open') return { status: 'open', paymentRequest: own.invoice.paymentRequest };
    if (!own.settlement) return { status: 'cancelled' };
    const { settleIndex, amountMsat } = own.settlement;
    return { status: 'settled', settleIndex, amountMsat };
  }

  async pay({ paymentRequest, paymentHash, amountMsat, feeLimitMsat, timeoutSeconds, onInFlight }: PaymentRequest): Promise<PayResult> {
    if (this.isCut) return { status: 'not_sent' };
    if (amountMsat <= 0n || (decoded(paymentRequest).amountMsat ?? amountMsat) !== amountMsat)
      return { status: 'failed', reason: 'rejected' };
    const earlier = this.payments.get(paymentHash);
    if (earlier === undefined || (earlier !== 'in_flight' && earlier.status === 'failed')) this.begin(paymentHash, feeLimitMsat);
    if (this.payments.get(paymentHash) === 'in_flight') {
      onInFlight?.();
      // The caller leaves after its time, or when the connection breaks; the payment stays in flight.
      // Not AbortSignal.timeout(): inside of AbortSignal.any() its memory may be reclaimed before its time.
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), timeoutSeconds * 1_000);
      await once(this.bus, paymentHash, { signal: this.untilCut(late.signal) }).catch(() => undefined);
      clearTimeout(timer);
    }
    const status = await this.lookupPayment(paymentHash);
    return status.status === 'settled' || status.status === 'failed' ? status : UNKNOWN;
  }

  async lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    const payment = this.payments.get(paymentHash);
    if (this.isCut) return UNKNOWN;
    if (payment === 'in_flight') return { status: 'in_flight' };
    return payment ? outcomeOf(payment) : { status: 'not_found' };
  }

  override async latestPaymentIndex(): Promise<PaymentIndex> {
    return this.isCut ? 'unknown' : BigInt(this.payments.size);
  }

  async *invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    if (this.isCut) return;
    const next = follow<InvoiceSettlement>(this.bus, 'settlement', this.untilCut(signal));
    for (const settlement of this.settlements.filter(({ settleIndex }) => settleIndex > afterIndex)) yield settlement;
    yield* next;
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return follow<FinalPayment>(this.bus, 'payment', this.untilCut(signal));
  }

  /** Breaks the connection to the node; `reconnect` makes another. */
  disconnect(): void {
    this.connection.abort();
  }

  reconnect(): void {
    this.connection = new AbortController();
  }

  /** Another node pays. @returns whether it could pay */
  async payFromOutside(paymentRequest: string, amountMsat?: bigint): Promise<boolean> {
    const { paymentHash, amountMsat: asked } = decoded(paymentRequest);
    const own = this.invoices.get(paymentHash);
    if (own?.state !== 'open' || (asked !== null && amountMsat !== undefined && amountMsat < asked)) return false;
    own.state = 'settled';
    const settleIndex = BigInt(this.settlements.length + 1);
    own.settlement = { settleIndex, paymentHash, amountMsat: amountMsat ?? asked ?? 0n, settledAt: new Date() };
    this.settlements.push(own.settlement);
    this.bus.emit('settlement', own.settlement);
    return true;
  }

  /** @param route whether this node has a route there, and the other node ends the payment by itself */
  invoiceOfOther(amountMsat: bigint | null, route: 'open' | 'none' | 'held' = 'open'): string {
    const preimage = hex32();
    const paymentHash = sha256(preimage);
    if (route !== 'none') this.preimagesOfOthers.set(paymentHash, preimage);
    if (route === 'held') this.held.add(paymentHash);
    const facts = { network: this.config.network, amountMsat, createdAtSeconds: nowSeconds(), paymentHash, paymentSecret: hex32() };
    return encodeInvoice({ ...facts, description: '' }, randomBytes(32));
  }

  /** An invoice whose payment stays in flight until `settle` or `fail`. */
  hold(amountMsat: bigint): { paymentRequest: string; settle: () => Promise<void>; fail: () => Promise<void> } {
    const paymentRequest = this.invoiceOfOther(amountMsat, 'held');
    const { paymentHash } = decoded(paymentRequest);
    const preimage = this.preimagesOfOthers.get(paymentHash) ?? '';
    return {
      paymentRequest,
      settle: async () => this.end({ status: 'settled', preimage, feeMsat: FEE_MSAT, paymentHash }),
      fail: async () => this.end({ status: 'failed', reason: 'rejected', paymentHash }),
    };
  }

  /** An invoice, and what the route to it costs. */
  expensiveInvoice(amountMsat: bigint): { paymentRequest: string; feeMsat: bigint } {
    return { paymentRequest: this.invoiceOfOther(amountMsat), feeMsat: FEE_MSAT };
  }

  private get isCut(): boolean {
    return this.connection.signal.aborted;
  }

  private untilCut(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.connection.signal]);
  }

  private begin(paymentHash: string, feeLimitMsat: bigint): void {
    const preimage = this.preimagesOfOthers.get(paymentHash);
    if (preimage === undefined || feeLimitMsat < FEE_MSAT) return this.end({ status: 'failed', reason: 'no_route', paymentHash });
    if (this.held.has(paymentHash)) this.payments.set(paymentHash, 'in_flight');
    else this.end({ status: 'settled', preimage, feeMsat: FEE_MSAT, paymentHash });
  }

  private end(payment: FinalPayment): void {
    this.held.delete(payment.paymentHash);
    this.payments.set(payment.paymentHash, payment);
    this.bus.emit('payment', payment);
    this.bus.emit(payment.paymentHash);
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
