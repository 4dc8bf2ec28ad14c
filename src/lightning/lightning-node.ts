import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Config } from '../config/index.js';
import { Clock } from '../kernel/clock.js';
import { unlessAborted } from '../kernel/unless-aborted.js';
import { Log, LogInterval } from '../logging/index.js';
import { Metrics } from '../metrics/index.js';
import {
  LightningBackend,
  type CancelledInvoice,
  type ChannelBalance,
  type CreatedInvoice,
  type FinalPayment,
  type InvoiceRequest,
  type InvoiceSettlement,
  type InvoiceState,
  type NodeInfo,
  type PaymentIndex,
  type PaymentPage,
  type PaymentRequest,
  type PaymentStatus,
  type PayResult,
  type SettledPayment,
} from './lightning-backend.js';

const UNKNOWN = { status: 'unknown' } as const;
const UNSUPPORTED = { status: 'unsupported' } as const;
const NOT_SENT = { status: 'not_sent' } as const;

const CALLS = [
  'info',
  'createInvoice',
  'cancelInvoice',
  'lookupInvoice',
  'pay',
  'lookupPayment',
  'latestPaymentIndex',
  'listPayments',
  'channelBalance',
] as const;
type CallName = (typeof CALLS)[number];
type StreamName = 'invoiceSettlements' | 'paymentOutcomes';
type Fault = 'late' | 'threw' | 'crowded';

interface CallOptions<Answer> {
  /** The result if the node does not answer. */
  readonly unknown: Answer;
  /** The result if too many calls are in progress, so that the back end was not called. */
  readonly refused?: Answer;
  readonly deadlineMs?: number;
  /** The payer in whose share of the limit the call counts. */
  readonly payer?: string | undefined;
  /** Receives an answer that arrives after the deadline. */
  readonly late?: (answer: Answer) => void;
}

/**
 * The back end as the core calls it: enforces the port's contract, whatever the adapter does. Every call has a deadline, an exception
 * counts as unknown, a stream ends on its signal, and the calls in progress are limited. A call past its deadline no longer counts against
 * the limit, because an adapter that never answers would otherwise shut out a node that has recovered.
 */
@Injectable()
export class LightningNode implements LightningBackend {
  private readonly log = new Log(LightningNode.name);
  private readonly inProgress = Object.fromEntries(CALLS.map((call) => [call, 0])) as Record<CallName, number>;
  /** Payments in progress, by payer. */
  private readonly byPayer = new Map<string, number>();
  private readonly faults: Counter<'call' | 'fault'>;
  /** Each kind of fault of each call is logged once an interval, because a hanging node is one problem; every fault is counted. */
  private readonly faultLog = new LogInterval(10_000);

  constructor(
    private readonly backend: LightningBackend,
    private readonly config: Config,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    metrics.labelledGauge('sluice_lightning_calls_in_progress', 'Calls that the node has not answered yet', 'call', () => this.inProgress);
    const help = 'Calls of the back end that were late (past the deadline), threw, or were not made because too many were in progress';
    this.faults = metrics.counter('sluice_lightning_call_faults_total', help, ['call', 'fault']);
  }

  get nodeId(): string {
    return this.backend.nodeId;
  }

  info(): Promise<NodeInfo> {
    return this.ask<NodeInfo>('info', () => this.backend.info(), { unknown: UNKNOWN });
  }

  createInvoice(request: InvoiceRequest): Promise<CreatedInvoice> {
    return this.ask<CreatedInvoice>('createInvoice', () => this.backend.createInvoice(request), { unknown: UNKNOWN });
  }

  cancelInvoice(paymentHash: string): Promise<CancelledInvoice> {
    return this.ask<CancelledInvoice>('cancelInvoice', () => this.backend.cancelInvoice(paymentHash), { unknown: 'unknown' });
  }

  lookupInvoice(paymentHash: string): Promise<InvoiceState> {
    return this.ask<InvoiceState>('lookupInvoice', () => this.backend.lookupInvoice(paymentHash), { unknown: UNKNOWN });
  }

  /**
   * @param payer the account that pays: it may not have more payments in progress than slots are free for the others
   * @param settledLate called if the node reports the payment as settled after the deadline
   */
  pay(request: PaymentRequest, payer?: string, settledLate?: (settled: SettledPayment) => void): Promise<PayResult> {
    return this.ask<PayResult>('pay', () => this.backend.pay(request), {
      unknown: UNKNOWN,
      refused: NOT_SENT,
      payer,
      deadlineMs: request.timeoutSeconds * 1000 + this.config.lightning.callMs,
      late: (answer) => answer.status === 'settled' && settledLate?.(answer),
    });
  }

  lookupPayment(paymentHash: string): Promise<PaymentStatus> {
    return this.ask<PaymentStatus>('lookupPayment', () => this.backend.lookupPayment(paymentHash), { unknown: UNKNOWN });
  }

  latestPaymentIndex(): Promise<PaymentIndex> {
    return this.ask<PaymentIndex>('latestPaymentIndex', () => this.backend.latestPaymentIndex(), { unknown: 'unknown' });
  }

  listPayments(afterIndex: bigint, limit: number): Promise<PaymentPage> {
    return this.ask<PaymentPage>('listPayments', async () => (await this.backend.listPayments?.(afterIndex, limit)) ?? UNSUPPORTED, {
      unknown: UNKNOWN,
    });
  }

  channelBalance(): Promise<ChannelBalance> {
    return this.ask<ChannelBalance>('channelBalance', async () => (await this.backend.channelBalance?.()) ?? UNSUPPORTED, {
      unknown: UNKNOWN,
    });
  }

  invoiceSettlements(afterIndex: bigint, signal: AbortSignal): AsyncIterable<InvoiceSettlement> {
    return this.follow('invoiceSettlements', () => this.backend.invoiceSettlements(afterIndex, signal), signal);
  }

  paymentOutcomes(signal: AbortSignal): AsyncIterable<FinalPayment> {
    return this.follow('paymentOutcomes', () => this.backend.paymentOutcomes(signal), signal);
  }

  private ask<Answer>(call: CallName, work: () => Promise<Answer>, options: CallOptions<Answer>): Promise<Answer> {
    const { unknown, refused = unknown, deadlineMs = this.config.lightning.callMs, late, payer } = options;
    if (!this.hasSlot(call, payer)) return Promise.resolve(refused);
    this.count(call, payer, 1);
    return new Promise((resolve) => {
      let open = true;
      const answer = (value: Answer): void => {
        if (!open) return late?.(value);
        open = false;
        cancelTimeout();
        this.count(call, payer, -1);
        resolve(value);
      };
      const cancelTimeout = this.clock.timeout(deadlineMs, () => {
        this.fault(call, 'late', `no answer within ${deadlineMs / 1000} s, the result is unknown`);
        answer(unknown);
      });
      answered(work).then(answer, (error: unknown) => {
        this.fault(call, 'threw', `threw, which the port forbids, the result is unknown: ${wordsOf(error)}`);
        answer(unknown);
      });
    });
  }

  /** Ends on the signal even if the back end does not, and never throws. Silence is no fault: there may be no events. */
  private async *follow<Item>(stream: StreamName, open: () => AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
    let items: AsyncIterator<Item> | undefined;
    try {
      items = open()[Symbol.asyncIterator]();
      while (!signal.aborted) {
        const next = await unlessAborted(items.next(), signal);
        if (!next || next.done) return;
        yield next.value;
      }
    } catch (error) {
      this.fault(stream, 'threw', `the stream threw, which the port forbids, and counts as interrupted: ${wordsOf(error)}`);
    } finally {
      // Not awaited: a stream that hangs would hang here too.
      items?.return?.().catch(() => undefined);
    }
  }

  /** A payer with n payments in progress needs n + 1 free slots, so that several busy payers still leave some to the others. */
  private hasSlot(call: CallName, payer?: string): boolean {
    const all = this.inProgress[call];
    const own = (payer !== undefined && this.byPayer.get(payer)) || 0;
    if (own < this.maxOf(call) - all) return true;
    this.fault(call, 'crowded', `${all} are in progress${own > 0 ? `, ${own} of user ${payer}` : ''}, this one was not made`);
    return false;
  }

  private count(call: CallName, payer: string | undefined, by: 1 | -1): void {
    this.inProgress[call] += by;
    if (payer === undefined) return;
    const own = (this.byPayer.get(payer) ?? 0) + by;
    if (own > 0) this.byPayer.set(payer, own);
    else this.byPayer.delete(payer);
  }

  private maxOf(call: CallName): number {
    return call === 'pay' ? this.config.lightning.paymentsInProgress : this.config.lightning.callsInProgress;
  }

  private fault(call: CallName | StreamName, fault: Fault, words: string): void {
    this.faults.inc({ call, fault });
    if (this.faultLog.isOver(`${call} ${fault}`, this.clock.now()))
      this.log.warn('lightning_call_fault', { call, fault }, `Lightning back end, ${call}: ${words}`);
  }
}

/** Rejects also on a synchronous throw, and on a missing answer. */
async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const answer = (await work()) as Answer | null | undefined;
  if (answer === undefined || answer === null) throw new Error('it answered nothing');
  return answer;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
