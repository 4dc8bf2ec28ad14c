import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import { CallGuard } from './call-guard.js';
import { LightningBackend } from './lightning-backend.js';
import type {
  CancelledInvoice,
  ChannelBalance,
  CreatedInvoice,
  FeeProbe,
  FeeProbeRequest,
  FinalPayment,
  InvoiceRequest,
  InvoiceSettlement,
  InvoiceState,
  NodeInfo,
  PayResult,
  PaymentIndex,
  PaymentPage,
  PaymentRequest,
  PaymentStatus,
  SettledPayment,
} from './lightning-messages.js';
import { checkBackend, type LIGHTNING_PORT_VERSION, type LightningCapability } from './lightning-port.js';
import { LightningSettings } from './lightning.settings.js';

const CALLS = [
  'info',
  'createInvoice',
  'cancelInvoice',
  'lookupInvoice',
  'pay',
  'lookupPayment',
  'lookupPaymentAnew',
  'latestPaymentIndex',
  'listPayments',
  'probeFee',
  'channelBalance',
] as const;
type CallName = (typeof CALLS)[number];
const PORT = { component: 'LightningNode', name: 'lightning', event: 'lightning_call_fault', calls: CALLS } as const;
const NOT_SENT = { status: 'not_sent' } as const;
/** The answers of the port where the node gives none, in its two forms. */
const STATUS = { unknown: { status: 'unknown' }, unsupported: { status: 'unsupported' } } as const;
const WORD = { unknown: 'unknown', unsupported: 'unsupported' } as const;

/**
 * The back end as the core calls it: enforces the port's contract, whatever the adapter does (see `CallGuard`). It refuses at the start an
 * adapter that was made for another version of the port, or that lacks what Sluice needs of each, and never calls a method of a capability
 * that the adapter does not declare.
 */
@Injectable()
export class LightningNode implements LightningBackend {
  private readonly guard: CallGuard<CallName>;
  private lastInfo: NodeInfo = STATUS.unknown;

  /** @throws Error with a sentence for the operator */
  constructor(
    private readonly backend: LightningBackend,
    private readonly settings: LightningSettings,
    clock: Clock,
    metrics: Metrics,
  ) {
    checkBackend(backend);
    this.guard = new CallGuard(PORT, settings, clock, metrics);
  }

  get portVersion(): typeof LIGHTNING_PORT_VERSION {
    return this.backend.portVersion;
  }

  get capabilities(): ReadonlySet<LightningCapability> {
    return this.backend.capabilities;
  }

  get nodeId(): string {
    return this.backend.nodeId;
  }

  async info(): Promise<NodeInfo> {
    this.lastInfo = await this.ask('info', STATUS, []);
    return this.lastInfo;
  }

  /** The answer of the latest call of `info`, which the health check repeats every few seconds: for callers that may not cost a call. */
  get latestInfo(): NodeInfo {
    return this.lastInfo;
  }

  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    return this.ask('createInvoice', STATUS, [request]);
  }

  cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    return this.ask('cancelInvoice', WORD, [paymentHash], 'cancel_invoice');
  }

  lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    return this.ask('lookupInvoice', STATUS, [paymentHash]);
  }

  /**
   * Calls nothing, and returns `not_sent`, without the capability `fee_limit`.
   * @param payer the account that pays: it may not have more payments in progress than slots are free for the others
   * @param settledLate called if the node reports the payment as settled after the deadline
   */
  pay(request: PaymentRequest, payer?: string, settledLate?: (settled: SettledPayment) => void): Promise<PayResult> {
    if (!this.capabilities.has('fee_limit')) return Promise.resolve(NOT_SENT);
    return this.guard.ask<PayResult>('pay', () => this.backend.pay(request), {
      unknown: STATUS.unknown,
      refused: NOT_SENT,
      payer,
      deadlineMs: request.timeoutSeconds * 1000 + this.settings.callMs,
      late: (answer) => answer.status === 'settled' && settledLate?.(answer),
    });
  }

  lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    return this.ask('lookupPayment', STATUS, [paymentHash]);
  }

  lookupPaymentAnew(paymentHash: string): Promise<PaymentStatus> {
    return this.ask('lookupPaymentAnew', { ...STATUS, unsupported: STATUS.unknown }, [paymentHash], 'delivery_proof');
  }

  latestPaymentIndex(): Promise<PaymentIndex> {
    return this.ask('latestPaymentIndex', WORD, [], 'payment_index');
  }

  listPayments(afterIndex: bigint, limit: number): Promise<PaymentPage> {
    return this.ask('listPayments', STATUS, [afterIndex, limit], 'payment_list');
  }

  probeFee(request: FeeProbeRequest): Promise<FeeProbe> {
    return this.ask('probeFee', STATUS, [request], 'fee_probe');
  }

  channelBalance(): Promise<ChannelBalance> {
    return this.ask('channelBalance', STATUS, [], 'channel_balance');
  }

  invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    return this.guard.follow('invoiceSettlements', () => this.backend.invoiceSettlements(afterIndex, signal), signal);
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return this.guard.follow('paymentOutcomes', () => this.backend.paymentOutcomes(signal), signal);
  }

  /** `unsupported`, without a call, if the back end does not declare the capability. */
  private ask<Call extends CallName, Answer = Awaited<ReturnType<LightningBackend[Call]>>>(
    call: Call,
    answers: { readonly unknown: Answer; readonly unsupported: unknown },
    args: Parameters<LightningBackend[Call]>,
    capability?: LightningCapability,
  ): Promise<Answer> {
    if (capability && !this.capabilities.has(capability)) return Promise.resolve(answers.unsupported as Answer);
    const work = this.backend[call] as (...given: readonly unknown[]) => Promise<Answer>;
    return this.guard.ask(call, () => work.apply(this.backend, args), answers);
  }
}
