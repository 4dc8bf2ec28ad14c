import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import { CallGuard, type CallName } from './call-guard.js';
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

const UNKNOWN = { status: 'unknown' } as const;
const UNSUPPORTED = { status: 'unsupported' } as const;
const NOT_SENT = { status: 'not_sent' } as const;

/**
 * The back end as the core calls it: enforces the port's contract, whatever the adapter does (see `CallGuard`). It refuses at the start an
 * adapter that was made for another version of the port, or that lacks what Sluice needs of each, and never calls a method of a capability
 * that the adapter does not declare.
 */
@Injectable()
export class LightningNode implements LightningBackend {
  private readonly guard: CallGuard;
  private lastInfo: NodeInfo = UNKNOWN;

  /** @throws Error with a sentence for the operator */
  constructor(
    private readonly backend: LightningBackend,
    private readonly settings: LightningSettings,
    clock: Clock,
    metrics: Metrics,
  ) {
    checkBackend(backend);
    this.guard = new CallGuard(settings, clock, metrics);
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
    this.lastInfo = await this.guard.ask<NodeInfo>('info', () => this.backend.info(), { unknown: UNKNOWN });
    return this.lastInfo;
  }

  /** The answer of the latest call of `info`, which the health check repeats every few seconds: for callers that may not cost a call. */
  get latestInfo(): NodeInfo {
    return this.lastInfo;
  }

  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    return this.guard.ask<CreatedInvoice>('createInvoice', () => this.backend.createInvoice(request), { unknown: UNKNOWN });
  }

  cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    return this.askIf<CancelledInvoice>(
      'cancel_invoice',
      'unsupported',
      'cancelInvoice',
      () => this.backend.cancelInvoice(paymentHash),
      'unknown',
    );
  }

  lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    return this.guard.ask<InvoiceState>('lookupInvoice', () => this.backend.lookupInvoice(paymentHash), { unknown: UNKNOWN });
  }

  /**
   * Calls nothing, and returns `not_sent`, without the capability `fee_limit`.
   * @param payer the account that pays: it may not have more payments in progress than slots are free for the others
   * @param settledLate called if the node reports the payment as settled after the deadline
   */
  pay(request: PaymentRequest, payer?: string, settledLate?: (settled: SettledPayment) => void): Promise<PayResult> {
    if (!this.capabilities.has('fee_limit')) return Promise.resolve(NOT_SENT);
    return this.guard.ask<PayResult>('pay', () => this.backend.pay(request), {
      unknown: UNKNOWN,
      refused: NOT_SENT,
      payer,
      deadlineMs: request.timeoutSeconds * 1000 + this.settings.callMs,
      late: (answer) => answer.status === 'settled' && settledLate?.(answer),
    });
  }

  lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    return this.guard.ask<PaymentStatus>('lookupPayment', () => this.backend.lookupPayment(paymentHash), { unknown: UNKNOWN });
  }

  latestPaymentIndex(): Promise<PaymentIndex> {
    return this.askIf<PaymentIndex>(
      'payment_index',
      'unsupported',
      'latestPaymentIndex',
      () => this.backend.latestPaymentIndex(),
      'unknown',
    );
  }

  listPayments(afterIndex: bigint, limit: number): Promise<PaymentPage> {
    const list = (): Promise<PaymentPage> => this.backend.listPayments(afterIndex, limit);
    return this.askIf<PaymentPage>('payment_list', UNSUPPORTED, 'listPayments', list, UNKNOWN);
  }

  probeFee(request: FeeProbeRequest): Promise<FeeProbe> {
    return this.askIf<FeeProbe>('fee_probe', UNSUPPORTED, 'probeFee', () => this.backend.probeFee(request), UNKNOWN);
  }

  channelBalance(): Promise<ChannelBalance> {
    return this.askIf<ChannelBalance>('channel_balance', UNSUPPORTED, 'channelBalance', () => this.backend.channelBalance(), UNKNOWN);
  }

  invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    return this.guard.follow('invoiceSettlements', () => this.backend.invoiceSettlements(afterIndex, signal), signal);
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return this.guard.follow('paymentOutcomes', () => this.backend.paymentOutcomes(signal), signal);
  }

  /** `unsupported`, without a call, if the back end does not declare the capability. */
  private askIf<Answer>(
    capability: LightningCapability,
    unsupported: Answer,
    call: CallName,
    work: () => Promise<Answer>,
    unknown: Answer,
  ): Promise<Answer> {
    return this.capabilities.has(capability) ? this.guard.ask(call, work, { unknown }) : Promise.resolve(unsupported);
  }
}
