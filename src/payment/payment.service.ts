import { Injectable } from '@nestjs/common';
import type { GqlContext, Principal } from '../auth/index.js';
import { Config } from '../config/index.js';
import { msatOfSats, satsCeil, type Msat } from '../kernel/money.js';
import { deterministicUuid, newId } from '../kernel/uuid.js';
import { decodeInvoice, type Bolt11Invoice } from '../lightning/index.js';
import type { TransactionRow } from '../transaction/index.js';
import { AccountService } from '../wallet/index.js';
import type { BeginRequest, TimedBeginResult, UnconfirmedPayment } from './payment.beginner.js';
import { PaymentDispatcher } from './payment.dispatcher.js';
import type { PaymentOutcome, PaymentRefusal } from './payment.outcome.js';
import { PaymentStore, type Initiator } from './payment.store.js';
import { PaymentOutcomeWaiter } from './payment.waiter.js';
import { stopwatch } from './stopwatch.js';

/** Payer wallet and acting principal. */
export interface Payer {
  readonly userId: string;
  readonly walletId: string;
  readonly memo?: string | null | undefined;
  readonly principal: Principal;
  /** Names the attempt: a retry with the same name moves no money again. Without it every call is a new payment. */
  readonly attempt?: string | undefined;
  /** The request's slot in the limit on work in progress, released while the caller only waits for the outcome. */
  readonly work?: GqlContext['work'];
  /** True once the caller has disconnected and nothing of the request has begun: then a queued payment is not begun. */
  readonly isGone?: (() => boolean) | undefined;
}

const refused = (reason: PaymentRefusal): PaymentOutcome => ({ kind: 'refused', reason });

/** Sends money; only this class defines the order of the steps. */
@Injectable()
export class PaymentService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountService,
    private readonly store: PaymentStore,
    private readonly waiter: PaymentOutcomeWaiter,
    private readonly dispatcher: PaymentDispatcher,
  ) {}

  /**
   * Pays a BOLT11 invoice from a wallet. One statement holds or moves the money; then, with no transaction open, the dispatcher asks the
   * node; one statement ends the payment. The outcome is `pending` if the end takes longer than `PAYMENT_WAIT_SECONDS`.
   */
  async payInvoice(payer: Payer, paymentRequest: string): Promise<PaymentOutcome> {
    const waitedMs = stopwatch();
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return refused('undecodable_invoice');
    const { invoice } = decoded;
    if (invoice.network !== this.config.network) return refused('wrong_network');
    if (invoice.amountMsat === null) return refused('no_amount');
    const wallet = await this.accounts.findWallet(payer.walletId);
    if (wallet?.userId !== payer.userId) return refused('unknown_wallet');

    const beginning = this.beginningOf(payer, invoice, invoice.amountMsat);
    const begun = await this.store.begin(beginning);
    if (begun.result === 'settled') this.dispatcher.closeNodesCopy(invoice);
    // The function reports an attempt that has failed before as refused: a retry gets the response of the first call.
    const ended = begun.result === 'refused' && payer.attempt !== undefined && (await this.waiter.findEnding(beginning.id));
    if (ended) return ended;
    if (begun.result !== 'in_flight') return outcomeOf(begun);

    const ending = this.waiter.outcome(beginning.id, wallet.accountId, waitedMs());
    const { id, userId, amountMsat, feeLimitMsat } = beginning;
    this.dispatcher.dispatch(
      { id, userId, amountMsat, feeLimitMsat, paymentHash: invoice.paymentHash, paymentRequest: invoice.paymentRequest },
      begun.ageMs,
    );
    return payer.work ? payer.work.waitFor(ending) : ending;
  }

  /** Moves money between two wallets of Sluice, at once and without a fee, in one statement. */
  async sendIntraLedger(payer: Payer, recipientWalletId: string, amountSats: number): Promise<PaymentOutcome> {
    if (amountSats <= 0) return refused('invalid_amount');
    const begun = await this.store.begin({
      ...partsOf(payer),
      recipientWalletId,
      paymentHash: null,
      paymentRequest: null,
      expiresAt: null,
      amountMsat: msatOfSats(amountSats),
      feeLimitMsat: 0n,
      memo: payer.memo || null,
      nodeId: null,
      toUs: false,
    });
    return outcomeOf(begun);
  }

  /** The key, app or session that began each of these payments. */
  listInitiators(paymentIds: readonly string[]): Promise<Map<string, Initiator>> {
    return paymentIds.length === 0 ? Promise.resolve(new Map<string, Initiator>()) : this.store.initiators(paymentIds);
  }

  /** The latest payments that these keys, grants or sessions have begun. */
  listByPrincipals(principalIds: readonly string[], limit: number): Promise<TransactionRow[]> {
    return this.store.listByPrincipals(principalIds, limit);
  }

  /** The larger of a share of the amount and a fixed sum, in whole satoshis: held beside the amount, and passed to the node. */
  feeLimitOf(amountMsat: Msat): Msat {
    const { feeLimitPpm, feeLimitMinSats } = this.config.payment;
    const share = (amountMsat * BigInt(feeLimitPpm)) / 1_000_000n;
    const wholeShare = msatOfSats(satsCeil(share));
    const least = msatOfSats(feeLimitMinSats);
    return wholeShare > least ? wholeShare : least;
  }

  private beginningOf(payer: Payer, invoice: Bolt11Invoice, amountMsat: Msat): BeginRequest {
    return {
      ...partsOf(payer),
      recipientWalletId: null,
      paymentHash: invoice.paymentHash,
      paymentRequest: invoice.paymentRequest,
      expiresAt: invoice.expiresAt,
      amountMsat,
      feeLimitMsat: this.feeLimitOf(amountMsat),
      memo: payer.memo || invoice.description || null,
      nodeId: this.dispatcher.nodeId,
      toUs: invoice.payeeNodeId === this.dispatcher.nodeId,
    };
  }
}

const partsOf = ({
  userId,
  walletId,
  principal,
  attempt,
  isGone,
  work,
}: Payer): Pick<BeginRequest, 'id' | 'isGone' | 'work' | 'userId' | 'walletId' | 'principalId' | 'clientId'> => ({
  id: attempt === undefined ? newId() : deterministicUuid(attempt),
  isGone,
  work,
  userId,
  walletId,
  principalId: principal.id,
  clientId: principal.clientId ?? null,
});

function outcomeOf({ result, paymentId: transactionId }: TimedBeginResult | UnconfirmedPayment): PaymentOutcome {
  switch (result) {
    case 'settled':
    case 'already_paid':
    case 'pending':
    case 'unconfirmed':
      return { kind: result, transactionId };
    case 'in_flight':
      return { kind: 'pending', transactionId };
    default:
      return refused(result);
  }
}
