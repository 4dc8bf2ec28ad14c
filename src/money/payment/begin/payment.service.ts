import { Injectable } from '@nestjs/common';
import { POLICY_UNAVAILABLE, type PaymentVeto, type Principal } from '../../../edge/auth/index.js';
import { deterministicUuid, isUuid, newId } from '../../../platform/kernel/uuid.js';
import type { TransactionRow } from '../../transaction/index.js';
import { PaymentPolicyCheck, type PaymentIntent } from './payment-policy.js';
import { PaymentBeginner, stopwatch, type TimedBeginResult, type UnconfirmedPayment } from './payment.beginner.js';
import { refused, type PaymentOutcome, type PaymentStart } from '../payment.outcome.js';
import { REFUSALS } from '../payment.refusals.js';
import { PaymentStore, type BeginRequest, type Initiator } from '../payment.store.js';
import { PaymentOutcomeWaiter } from '../end/payment.waiter.js';
import type { PaymentApprovalEntity } from '../payment-approval.entity.js';
import type { OnChainOrder } from '../rails/onchain.js';
import type { PaymentOrder } from '../rails/order.js';
import type { PaymentQuote, PaymentRail, RailName, RailPayer } from '../rails/rail.js';
import { PaymentRails } from '../rails/rails.js';

/** Payer wallet and acting principal. */
export interface Payer extends RailPayer {
  readonly principal: Principal;
  /**
   * Names the attempt: a retry with the same name moves no money again, and gets what has become of the first call. One name space for all
   * wallets: begin the name with yours (`loyalty:reward:<id>`). The name of another payment is refused as `attempt_reused`. Without a name
   * every call is a new payment.
   */
  readonly attempt?: string | undefined;
  /** True once the caller has disconnected and nothing of the request has begun: then a queued payment is not begun. */
  readonly isGone?: (() => boolean) | undefined;
  /** Its owner has approved the payment of this id, which must cost no more than was shown. @internal */
  readonly approved?: Pick<PaymentApprovalEntity, 'id' | 'amountMsat' | 'mostMsat'>;
  /** A page, which follows a pending payment, waits for `pageWaitMs` instead of `PAYMENT_WAIT_SECONDS`. */
  readonly isAtPage?: boolean;
}

/** Sends money; only this class defines the order of the steps. */
@Injectable()
export class PaymentService {
  constructor(
    private readonly beginner: PaymentBeginner,
    private readonly store: PaymentStore,
    private readonly waiter: PaymentOutcomeWaiter,
    private readonly policy: PaymentPolicyCheck,
    private readonly rails: PaymentRails,
  ) {}

  /**
   * Pays an invoice (BOLT11) or a bitcoin address, or moves money to another wallet of Sluice, at once and without a fee. The outcome is
   * `pending` if the end takes longer than `PAYMENT_WAIT_SECONDS`, and `queued` for an address. The order has an amount, in the currency of
   * the payer's wallet, unless the invoice states one or all is sent.
   */
  pay(payer: Payer, order: PaymentOrder): Promise<PaymentOutcome> {
    return this.ended(this.begin(payer, order));
  }

  /** Returns as soon as the payment has begun: the caller decides how to wait for the end. */
  async begin(payer: Payer, order: PaymentOrder): Promise<PaymentStart> {
    // A repeat would find another balance, fee or price.
    if ('address' in order) return (await this.findAgain(payer, order)) ?? this.start(this.rails.onChain, payer, order);
    if (!('paymentRequest' in order)) return this.start(this.rails.intraLedger, payer, order);
    const start = await this.start(this.rails.lightning, payer, order, order.payee);
    // A name that is lost changes nothing of the payment.
    const isMade = start.kind === 'begun' || start.kind === 'settled';
    if (order.payee !== undefined && isMade) await this.store.namePayee(start.transactionId, order.payee).catch(() => undefined);
    return start;
  }

  /** What has become of this attempt, if an earlier call has begun its payment. */
  async findEarlier({ attempt, walletId }: Payer): Promise<PaymentOutcome | undefined> {
    return this.findAgain({ attempt, walletId });
  }

  /** The key, app or session that began each of these payments. */
  listInitiators(paymentIds: readonly string[]): Promise<Map<string, Initiator>> {
    return paymentIds.length === 0 ? Promise.resolve(new Map<string, Initiator>()) : this.store.initiators(paymentIds);
  }

  /** The latest payments that these keys, grants or sessions have begun. */
  listByPrincipals(principalIds: readonly string[], limit: number): Promise<TransactionRow[]> {
    return this.store.listByPrincipals(principalIds, limit);
  }

  /** @param order refused if the payment is another one */
  private async findAgain(
    { attempt, walletId }: Pick<Payer, 'attempt' | 'walletId'>,
    order?: OnChainOrder,
  ): Promise<PaymentOutcome | undefined> {
    return attempt === undefined ? undefined : this.waiter.findOutcome(deterministicUuid(attempt), walletId, order);
  }

  /**
   * Quote, begin, send, settle. One statement holds or moves the money; then, with no transaction open, the rail sends; one statement ends
   * the payment, and the rail returns how.
   */
  private async start<Order extends PaymentOrder, Quote extends PaymentQuote>(
    rail: PaymentRail<Order, Quote>,
    payer: Payer,
    order: Order,
    payee?: string,
  ): Promise<PaymentStart> {
    if (payer.attempt === '') throw new TypeError('The name of a payment attempt is empty: payments of different purposes would be one');
    if (payer.memo?.includes('\0')) throw new TypeError('The memo of a payment has a NUL character, which PostgreSQL does not store');
    if (!isUuid(payer.walletId)) return refused('unknown_wallet');
    const waitedMs = stopwatch();
    const quote = await rail.quote(payer, order);
    // A retry may come when there is no price any more.
    if (quote.kind === 'refused') return (REFUSALS[quote.reason].retry ? await this.findEarlier(payer) : undefined) ?? quote;
    if (payer.approved && costsMore(payer.approved, quote)) return refused('costs_more');
    const request = requestOf(payer, quote);
    const veto = await this.policy.findVeto(intentOf(rail.name, payer, quote, payee));
    // A policy that refuses a retry says nothing about the first call, which may have moved money.
    if (veto) return (await this.findEarlier(payer)) ?? vetoed(veto);

    const send = async (begun: TimedBeginResult | UnconfirmedPayment): Promise<PaymentStart> => {
      if (begun.result === 'settled') rail.settledAtOnce?.(quote);
      // The function reports an attempt that has failed before as refused: a retry gets the response of the first call.
      const ended = begun.result === 'refused' && payer.attempt !== undefined && (await this.waiter.findEnding(request.id));
      if (ended) return ended;
      if (begun.result === 'needs_approval') return this.policy.approvals.ask({ ...payer, order, request, payee: quote.payee });
      this.policy.noteLimit(payer.principal, begun.result);
      if (rail.isQueued && (begun.result === 'in_flight' || begun.result === 'pending'))
        return { kind: 'queued', transactionId: begun.paymentId };
      // A repeat finds its own payment: until that has ended, its answer says so if the owner was asked.
      if (begun.result === 'pending' && payer.attempt !== undefined) return this.waiter.pending(begun.paymentId);
      if (begun.result !== 'in_flight' || !rail.send || quote.accountId === null) return outcomeOf(begun);

      const { id, userId, amountMsat, feeLimitMsat } = request;
      const sent = rail.send({ id, userId, amountMsat, feeLimitMsat }, quote, begun.ageMs);
      return {
        kind: 'begun',
        transactionId: id,
        end: this.waiter.outcome(id, quote.accountId, sent, { waitedMs: waitedMs(), isAtPage: payer.isAtPage }),
      };
    };
    const begun = await this.beginner.begin(request);
    if (begun.result !== 'unanswered') return send(begun);
    return { kind: 'begun', transactionId: request.id, end: this.ended(begun.again.then(send)) };
  }

  private async ended(starting: Promise<PaymentStart>): Promise<PaymentOutcome> {
    const start = await starting;
    return start.kind === 'begun' ? start.end : start;
  }
}

/** What was ordered in cents costs these, and the fee. */
const costsMore = ({ amountMsat, mostMsat }: NonNullable<Payer['approved']>, quote: PaymentQuote): boolean =>
  quote.amountCents === null ? quote.amountMsat + quote.feeLimitMsat > mostMsat : quote.feeLimitMsat > mostMsat - amountMsat;

const vetoed = (veto: PaymentVeto): PaymentOutcome =>
  veto === POLICY_UNAVAILABLE ? refused('not_begun') : { kind: 'vetoed', code: veto.code, message: veto.message };

const requestOf = ({ userId, walletId, principal, attempt, approved, isGone }: Payer, quote: PaymentQuote): BeginRequest => ({
  ...quote,
  id: approved?.id ?? (attempt === undefined ? newId() : deterministicUuid(attempt)),
  isGone,
  userId,
  walletId,
  principalId: principal.id,
  clientId: principal.clientId ?? principal.createdBy ?? null,
});

function intentOf(rail: RailName, { principal, walletId }: Payer, quote: PaymentQuote, name?: string): PaymentIntent {
  const { amountMsat, feeLimitMsat, payee, paymentHash, memo } = quote;
  const lnAddress = name?.includes('@') ? name : null;
  return { principal, walletId, rail, amountMsat, feeLimitMsat, payee, lnAddress, paymentHash, memo };
}

function outcomeOf(begun: TimedBeginResult | UnconfirmedPayment): PaymentOutcome {
  const { paymentId: transactionId } = begun;
  switch (begun.result) {
    case 'settled':
    case 'already_paid':
    case 'pending':
    case 'unconfirmed':
      return { kind: begun.result, transactionId };
    case 'in_flight':
    case 'needs_approval':
      return { kind: 'pending', transactionId };
    default:
      return { kind: 'refused', reason: begun.result, ...(begun.limitCents && { limitCents: begun.limitCents }) };
  }
}
