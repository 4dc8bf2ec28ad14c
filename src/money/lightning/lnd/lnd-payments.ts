import { setTimeout as delay } from 'node:timers/promises';
import { HEX_32 } from '../../../platform/kernel/form.js';
import { MAX_AMOUNT_MSAT } from '../../../platform/kernel/money.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { Log } from '../../../platform/logging/index.js';
import { decodeInvoice } from '../bolt11/index.js';
import type {
  ChannelBalance,
  FailedPayment,
  FinalPayment,
  PaymentFailure,
  NodePayment,
  PaymentIndex,
  PaymentPage,
  PaymentRequest,
  PaymentStatus,
  PayResult,
  SettledPayment,
} from '../lightning-backend.js';
import type { LndPayment } from './lnd-calls.js';
import type { LndConnection } from './lnd-connection.js';
import { isAlreadyKnown, isExpired, isNotFound, isRefusal, wordsOf } from './lnd-errors.js';

const UNKNOWN = { status: 'unknown' } as const;
const NOT_SENT = { status: 'not_sent' } as const;

/** LND looks for routes this long. What it has sent by then stays in flight. */
const ATTEMPT_SECONDS = 60;
const MAX_PARTS = 16;

const FAILURES: Readonly<Record<string, PaymentFailure>> = {
  FAILURE_REASON_TIMEOUT: 'timeout',
  FAILURE_REASON_NO_ROUTE: 'no_route',
  FAILURE_REASON_INSUFFICIENT_BALANCE: 'insufficient_liquidity',
  FAILURE_REASON_INCORRECT_PAYMENT_DETAILS: 'rejected',
};

/** Payments by LND's router. */
export class LndPayments {
  private readonly log = new Log('Lnd');

  constructor(
    private readonly connection: LndConnection,
    /** The deadline of one look-up. */
    private readonly callMs: number,
  ) {}

  /** @param ourConnection the number of a connection that leads to the node that payments are pinned to */
  async pay(request: PaymentRequest, ourConnection: () => Promise<number | undefined>): Promise<PayResult> {
    const { paymentHash, paymentRequest, amountMsat, feeLimitMsat, timeoutSeconds } = request;
    const isPayable = amountMsat > 0n && amountMsat <= MAX_AMOUNT_MSAT && feeLimitMsat >= 0n && feeLimitMsat <= MAX_AMOUNT_MSAT;
    const decoded = decodeInvoice(paymentRequest);
    if (!isPayable || !decoded.ok || decoded.invoice.paymentHash !== paymentHash) return { status: 'failed', reason: 'rejected' };
    const sendsAmount = decoded.invoice.amountMsat === null;
    if (!sendsAmount && decoded.invoice.amountMsat !== amountMsat) return { status: 'failed', reason: 'rejected' };
    const number = await ourConnection();
    // A request that is sent without a connection waits in the library, and may reach the node after this call.
    if (number === undefined || number !== this.connection.number) return NOT_SENT;
    const waiting = new AbortController();
    const timeout = setTimeout(() => waiting.abort(), timeoutSeconds * 1000);
    try {
      const payment = {
        payment_request: paymentRequest,
        amt_msat: sendsAmount ? String(amountMsat) : '0',
        // LND takes an absent limit for 0, and 0 for "no fee".
        fee_limit_msat: String(feeLimitMsat),
        timeout_seconds: ATTEMPT_SECONDS,
        max_parts: MAX_PARTS,
      };
      for await (const progress of this.connection.stream('routerrpc.Router/SendPaymentV2', payment, waiting.signal)) {
        if (progress.payment_hash !== paymentHash) return UNKNOWN;
        const end = this.endOf(progress, paymentHash);
        if (end) return end;
        request.onInFlight?.();
      }
      return UNKNOWN;
    } catch (error) {
      return await this.afterError(error, paymentHash, number);
    } finally {
      clearTimeout(timeout);
    }
  }

  /**
   * LND registers a payment before it sends anything. So one that it has refused itself, and does not know afterwards, was never begun. That
   * proves nothing by another connection: the request may still be on its way by the first.
   */
  private async afterError(error: unknown, paymentHash: string, number: number): Promise<PayResult> {
    if (isAlreadyKnown(error)) {
      const found = await this.find(paymentHash);
      return found.status === 'settled' || found.status === 'failed' ? found : UNKNOWN;
    }
    if (!isRefusal(error)) return UNKNOWN;
    const found = await this.find(paymentHash);
    if (found.status !== 'not_found' || this.connection.number !== number) return UNKNOWN;
    this.log.warn('lightning_payment_refused', { paymentHash }, `LND refused a payment before it began: ${wordsOf(error)}`);
    return isExpired(error) ? { status: 'failed', reason: 'expired' } : NOT_SENT;
  }

  /** The state of the latest attempt. */
  async find(paymentHash: string): Promise<PaymentStatus> {
    if (!HEX_32.test(paymentHash)) return { status: 'not_found' };
    const listening = new AbortController();
    // A stream has no deadline of its own here: a payment may be in flight for days.
    const deadline = delay(this.callMs, undefined, { signal: listening.signal }).then(
      () => listening.abort(),
      () => undefined,
    );
    const request = { payment_hash: Buffer.from(paymentHash, 'hex'), no_inflight_updates: false };
    const updates = this.connection.stream('routerrpc.Router/TrackPaymentV2', request, listening.signal);
    try {
      const { value: update } = await updates.next();
      if (update?.payment_hash !== paymentHash) return UNKNOWN;
      return this.endOf(update, paymentHash) ?? { status: 'in_flight' };
    } catch (error) {
      return isNotFound(error) ? { status: 'not_found' } : UNKNOWN;
    } finally {
      listening.abort();
      await Promise.all([deadline, updates.return(undefined)]);
    }
  }

  async latestIndex(): Promise<PaymentIndex> {
    const { payments } = await this.connection.call('lnrpc.Lightning/ListPayments', {
      include_incomplete: true,
      max_payments: '1',
      reversed: true,
    });
    return BigInt(payments.at(-1)?.payment_index ?? 0);
  }

  async page(afterIndex: bigint, limit: number): Promise<PaymentPage> {
    const { payments } = await this.connection.call('lnrpc.Lightning/ListPayments', {
      include_incomplete: true,
      index_offset: String(afterIndex),
      max_payments: String(limit),
      reversed: false,
    });
    return { status: 'known', payments: payments.map(listed) };
  }

  async channelBalance(): Promise<ChannelBalance> {
    const {
      local_balance: local,
      remote_balance: remote,
      unsettled_local_balance: unsettled,
    } = await this.connection.call('lnrpc.Lightning/ChannelBalance', {});
    const msatOf = (amount: { readonly msat: string } | null): bigint => BigInt(amount?.msat ?? 0);
    return { status: 'known', localMsat: msatOf(local), remoteMsat: msatOf(remote), inFlightMsat: msatOf(unsettled) };
  }

  async *outcomes(signal: AbortSignal): AsyncGenerator<FinalPayment> {
    for await (const progress of this.connection.stream('routerrpc.Router/TrackPayments', { no_inflight_updates: true }, signal)) {
      const end = this.endOf(progress, progress.payment_hash);
      if (end) yield { ...end, paymentHash: progress.payment_hash };
    }
  }

  /** Undefined while the payment is in flight, and for an end that proves nothing. */
  private endOf(update: LndPayment, paymentHash: string): SettledPayment | FailedPayment | undefined {
    const { status, payment_preimage: preimage, fee_msat: fee, failure_reason: reason } = update;
    if (status === 'FAILED') return { status: 'failed', reason: FAILURES[reason] ?? 'error' };
    if (status !== 'SUCCEEDED') return undefined;
    if (HEX_32.test(preimage) && paymentHashOf(preimage) === paymentHash) return { status: 'settled', preimage, feeMsat: BigInt(fee) };
    this.log.error(
      'lightning_preimage_invalid',
      { paymentHash },
      `LND reports payment ${paymentHash} as settled without a valid preimage; it stays pending`,
    );
    return undefined;
  }
}

const STATES: Readonly<Record<string, NodePayment['state']>> = { SUCCEEDED: 'settled', FAILED: 'failed' };

const listed = (payment: LndPayment): NodePayment => ({
  index: BigInt(payment.payment_index),
  paymentHash: payment.payment_hash,
  state: STATES[payment.status] ?? 'in_flight',
  amountMsat: BigInt(payment.value_msat),
  feeMsat: BigInt(payment.fee_msat),
  createdAt: new Date(Number(BigInt(payment.creation_time_ns) / 1_000_000n)),
});
