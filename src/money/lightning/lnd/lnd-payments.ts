import { HEX_32 } from '../../../platform/kernel/form.js';
import { paymentHashOf } from '../../../platform/kernel/payment-hash.js';
import { Log } from '../../../platform/logging/index.js';
import { decodeInvoice, type RouteHop } from '../bolt11/index.js';
import type * as port from '../lightning-messages.js';
import { isPayable } from '../lightning-port.js';
import type { LndHopHint, LndPayment, LndStreamCalls } from './lnd-calls.js';
import { isAlreadyKnown, isExpired, isNotFound, isRefusal, wordsOf, type LndConnection } from './lnd-connection.js';

const UNKNOWN = { status: 'unknown' } as const;
const NOT_SENT = { status: 'not_sent' } as const;

/** LND looks for routes this long. What it has sent by then stays in flight. */
const ATTEMPT_SECONDS = 60;
const MAX_PARTS = 16;

const FAILURES: Readonly<Record<string, port.PaymentFailure>> = {
  FAILURE_REASON_TIMEOUT: 'timeout',
  FAILURE_REASON_NO_ROUTE: 'no_route',
  FAILURE_REASON_INSUFFICIENT_BALANCE: 'insufficient_liquidity',
  FAILURE_REASON_INCORRECT_PAYMENT_DETAILS: 'rejected',
};

export class LndPayments {
  private readonly log = new Log('Lnd');

  constructor(
    private readonly connection: LndConnection,
    private readonly callMs: number,
  ) {}

  /** @param ourConnection the number of a connection that leads to the node that payments are pinned to */
  async pay(request: port.PaymentRequest, ourConnection: () => Promise<number | undefined>): Promise<port.PayResult> {
    const { number } = this.connection;
    const { paymentHash, paymentRequest, amountMsat, feeLimitMsat } = request;
    const decoded = decodeInvoice(paymentRequest);
    if (!isPayable(request) || !decoded.ok || decoded.invoice.paymentHash !== paymentHash) return { status: 'failed', reason: 'rejected' };
    const sendsAmount = decoded.invoice.amountMsat === null;
    if (!sendsAmount && decoded.invoice.amountMsat !== amountMsat) return { status: 'failed', reason: 'rejected' };
    // A request that is sent without a connection waits in the library, and may reach the node after this call.
    if (number === undefined || number !== (await ourConnection())) return NOT_SENT;
    const payment = {
      payment_request: paymentRequest,
      amt_msat: sendsAmount ? String(amountMsat) : '0',
      // LND takes an absent limit for 0, and 0 for "no fee".
      fee_limit_msat: String(feeLimitMsat),
      timeout_seconds: ATTEMPT_SECONDS,
      max_parts: MAX_PARTS,
    };
    const outcome = await this.send(payment, request, number);
    if (outcome.status === 'unknown' && request.onDisconnected) void this.connection.ended(number).then(request.onDisconnected);
    return outcome;
  }

  private async send(
    payment: LndStreamCalls['routerrpc.Router/SendPaymentV2'][0],
    { paymentHash, timeoutSeconds, isLate, onInFlight }: port.PaymentRequest,
    number: number,
  ): Promise<port.PayResult> {
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    let isWritten = false;
    // The library may write a call by a later connection than the one that was ready.
    const mayWrite = (): boolean => (isWritten = this.connection.number === number && !isLate?.());
    try {
      for await (const progress of this.connection.stream('routerrpc.Router/SendPaymentV2', payment, timeout, mayWrite)) {
        if (progress.payment_hash !== paymentHash) return UNKNOWN;
        const end = this.endOf(progress, paymentHash);
        if (end) return end;
        onInFlight?.();
      }
      return isWritten ? UNKNOWN : NOT_SENT;
    } catch (error) {
      if (!isWritten) return NOT_SENT;
      // Sluice sends a payment once, and the library repeats no call: another program has sent this hash.
      return isAlreadyKnown(error) ? { status: 'not_sent', isKnown: true } : await this.afterError(error, paymentHash, number);
    }
  }

  /**
   * LND registers a payment before it sends anything. So one that it has refused itself, and does not know afterwards, was never begun; what it
   * knows as failed is an earlier attempt. That proves nothing by another connection: the request may still be on its way by the first.
   */
  private async afterError(error: unknown, paymentHash: string, number: number): Promise<port.PayResult> {
    if (!isRefusal(error)) return UNKNOWN;
    const { status } = await this.find(paymentHash);
    if ((status !== 'not_found' && status !== 'failed') || this.connection.number !== number) return UNKNOWN;
    this.log.warn('lightning_payment_refused', { paymentHash }, `LND refused a payment before it began: ${wordsOf(error)}`);
    return isExpired(error) ? { status: 'failed', reason: 'expired' } : NOT_SENT;
  }

  async find(paymentHash: string): Promise<port.PaymentStatus> {
    if (!HEX_32.test(paymentHash)) return { status: 'not_found' };
    // A stream has no deadline of its own: a payment may be in flight for days.
    const deadline = AbortSignal.timeout(this.callMs);
    const request = { payment_hash: Buffer.from(paymentHash, 'hex'), no_inflight_updates: false };
    const updates = this.connection.stream('routerrpc.Router/TrackPaymentV2', request, deadline);
    try {
      const { value: update } = await updates.next();
      if (update?.payment_hash !== paymentHash) return UNKNOWN;
      return this.endOf(update, paymentHash) ?? { status: 'in_flight' };
    } catch (error) {
      return isNotFound(error) ? { status: 'not_found' } : UNKNOWN;
    } finally {
      await updates.return();
    }
  }

  async latestIndex(): Promise<port.PaymentIndex> {
    const { payments } = await this.connection.call('lnrpc.Lightning/ListPayments', {
      include_incomplete: true,
      max_payments: '1',
      reversed: true,
    });
    return BigInt(payments.at(-1)?.payment_index ?? 0);
  }

  async page(afterIndex: bigint, limit: number): Promise<port.PaymentPage> {
    const { payments } = await this.connection.call('lnrpc.Lightning/ListPayments', {
      include_incomplete: true,
      index_offset: String(afterIndex),
      max_payments: String(limit),
      reversed: false,
    });
    return { status: 'known', payments: payments.map(listed) };
  }

  async channelBalance(): Promise<port.ChannelBalance> {
    const balances = await this.connection.call('lnrpc.Lightning/ChannelBalance', {});
    const { local_balance: local, remote_balance: remote, unsettled_local_balance: unsettled } = balances;
    const msatOf = (amount: { readonly msat: string } | null): bigint => BigInt(amount?.msat ?? 0);
    return { status: 'known', localMsat: msatOf(local), remoteMsat: msatOf(remote), inFlightMsat: msatOf(unsettled) };
  }

  async *outcomes(signal: AbortSignal): AsyncGenerator<port.FinalPayment> {
    for await (const progress of this.connection.stream('routerrpc.Router/TrackPayments', { no_inflight_updates: true }, signal)) {
      const end = this.endOf(progress, progress.payment_hash);
      if (end) yield { ...end, paymentHash: progress.payment_hash };
    }
  }

  /** Undefined while the payment is in flight, and for an end that proves nothing. */
  private endOf(update: LndPayment, paymentHash: string): port.SettledPayment | port.FailedPayment | undefined {
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

const STATES: Readonly<Record<string, port.NodePayment['state']>> = { SUCCEEDED: 'settled', FAILED: 'failed' };

const listed = (payment: LndPayment): port.NodePayment => ({
  index: BigInt(payment.payment_index),
  paymentHash: payment.payment_hash,
  state: STATES[payment.status] ?? 'in_flight',
  amountMsat: BigInt(payment.value_msat),
  feeMsat: BigInt(payment.fee_msat),
  createdAt: new Date(Number(BigInt(payment.creation_time_ns) / 1_000_000n)),
});

const NO_ROUTE = { status: 'no_route' } as const;
/** LND gives these refusals no code. */
const WITHOUT_ROUTE = /unable to find a path to destination|insufficient local balance/;

/**
 * Asks LND for a route in its graph, with what it has learnt from payments. Nothing is sent: `EstimateRouteFee` with an invoice sends HTLCs,
 * which lock money for up to a minute and are listed as payments; with a destination it takes whole satoshis, and knows neither the hints of
 * the invoice nor a limit.
 */
export async function probeFee(connection: LndConnection, request: port.FeeProbeRequest): Promise<port.FeeProbe> {
  const { paymentRequest, amountMsat, feeLimitMsat } = request;
  const decoded = decodeInvoice(paymentRequest);
  if (!decoded.ok || !isPayable(request) || (decoded.invoice.amountMsat ?? amountMsat) !== amountMsat) return NO_ROUTE;
  const { payeeNodeId, minFinalCltvExpiryDelta, routeHints } = decoded.invoice;
  try {
    const { routes } = await connection.call('lnrpc.Lightning/QueryRoutes', {
      pub_key: payeeNodeId,
      amt_msat: String(amountMsat),
      final_cltv_delta: minFinalCltvExpiryDelta,
      fee_limit: { fixed_msat: String(feeLimitMsat) },
      use_mission_control: true,
      route_hints: routeHints.map((hops) => ({ hop_hints: hops.map(hintOf) })),
    });
    const fees = routes.map(({ total_fees_msat: fee }) => BigInt(fee)).filter((fee) => fee <= feeLimitMsat);
    const [first] = fees;
    return first === undefined ? NO_ROUTE : { status: 'known', feeMsat: fees.reduce((least, fee) => (fee < least ? fee : least), first) };
  } catch (error) {
    if (isRefusal(error) && WITHOUT_ROUTE.test(wordsOf(error))) return NO_ROUTE;
    throw error;
  }
}

const hintOf = ({ nodeId, shortChannelId, feeBaseMsat, feePpm, cltvExpiryDelta }: RouteHop): LndHopHint => ({
  node_id: nodeId,
  chan_id: String(channelNumberOf(shortChannelId)),
  fee_base_msat: feeBaseMsat,
  fee_proportional_millionths: feePpm,
  cltv_expiry_delta: cltvExpiryDelta,
});

/** `589390x3312x1` as LND numbers channels: 24 bits of the block, 24 of the transaction, 16 of the output. */
function channelNumberOf(shortChannelId: string): bigint {
  const [block = 0n, transaction = 0n, output = 0n] = shortChannelId.split('x').map(BigInt);
  return (block << 40n) | (transaction << 16n) | output;
}
