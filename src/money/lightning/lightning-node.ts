import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { Metrics } from '../../platform/metrics/index.js';
import { CallGuard } from './call-guard.js';
import { LightningBackend } from './lightning-backend.js';
import type { FinalPayment, InvoiceSettlement, NodeInfo, PaymentRequest, PayResult, SettledPayment } from './lightning-messages.js';
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
type Answer<Call extends CallName> = Awaited<ReturnType<LightningBackend[Call]>>;
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
  private readonly askInfo = this.asking('info', STATUS);
  readonly createInvoice = this.asking('createInvoice', STATUS);
  readonly cancelInvoice = this.asking('cancelInvoice', WORD, 'cancel_invoice');
  readonly lookupInvoice = this.asking('lookupInvoice', STATUS);
  readonly lookupPayment = this.asking('lookupPayment', STATUS);
  readonly lookupPaymentAnew = this.asking('lookupPaymentAnew', { ...STATUS, unsupported: STATUS.unknown }, 'delivery_proof');
  readonly latestPaymentIndex = this.asking('latestPaymentIndex', WORD, 'payment_index');
  readonly listPayments = this.asking('listPayments', STATUS, 'payment_list');
  readonly probeFee = this.asking('probeFee', STATUS, 'fee_probe');
  readonly channelBalance = this.asking('channelBalance', STATUS, 'channel_balance');

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
    this.lastInfo = await this.askInfo();
    return this.lastInfo;
  }

  /** The answer of the latest call of `info`, which the health check repeats every few seconds: for callers that may not cost a call. */
  get latestInfo(): NodeInfo {
    return this.lastInfo;
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

  invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    return this.guard.follow('invoiceSettlements', () => this.backend.invoiceSettlements(afterIndex, signal), signal);
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return this.guard.follow('paymentOutcomes', () => this.backend.paymentOutcomes(signal), signal);
  }

  /** A method of the port: `unsupported`, without a call, if the back end does not declare the capability. */
  private asking<Call extends CallName>(
    call: Call,
    answers: { readonly unknown: Answer<Call>; readonly unsupported: unknown },
    capability?: LightningCapability,
  ): LightningBackend[Call] {
    const ask = (...args: unknown[]): Promise<Answer<Call>> => {
      if (capability && !this.capabilities.has(capability)) return Promise.resolve(answers.unsupported as Answer<Call>);
      const work = this.backend[call] as (...given: unknown[]) => Promise<Answer<Call>>;
      return this.guard.ask(call, () => work.apply(this.backend, args), answers);
    };
    return ask as LightningBackend[Call];
  }
}
