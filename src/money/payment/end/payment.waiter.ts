import { Injectable } from '@nestjs/common';
import { Events } from '../../../platform/events/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { satsOfMsat } from '../../../platform/kernel/money.js';
import { HistoryService, type TransactionRow } from '../../transaction/index.js';
import { refused, type PaymentEnd, type PaymentOutcome, type SendFailure } from '../payment.outcome.js';
import { ApprovalStore } from '../approval.store.js';
import { PaymentSettings } from '../payment.settings.js';
import type { OnChainOrder } from '../rails/onchain.js';

interface WaitingCaller {
  readonly waitedMs: number;
  readonly isAtPage: boolean | undefined;
}

@Injectable()
export class PaymentOutcomeWaiter {
  constructor(
    private readonly settings: PaymentSettings,
    private readonly events: Events,
    private readonly clock: Clock,
    private readonly history: HistoryService,
    private readonly approvals: ApprovalStore,
  ) {}

  /**
   * Resolves to the end of a payment that has just begun, or to `pending` when the caller has waited long enough. Subscribes at once.
   * @param sent the end, if the rail has it; otherwise another process or the reconciler books it, and an event reports that
   * @param caller `waitedMs`: how long it has waited already
   */
  outcome(paymentId: string, accountId: string, sent: Promise<PaymentEnd | undefined>, caller: WaitingCaller): Promise<PaymentOutcome> {
    const { waitMs, pageWaitMs } = this.settings;
    const leftMs = (caller.isAtPage ? Math.min(waitMs, pageWaitMs) : waitMs) - caller.waitedMs;
    return new Promise((resolve) => {
      const answer = (outcome: PaymentOutcome): void => {
        off();
        cancel();
        resolve(outcome);
      };
      void sent.then((end) => end && answer(end));
      const off = this.events.on(
        'transaction.changed',
        (row) => {
          if (row.id === paymentId && row.status !== 'PENDING') answer(endingOf(row));
        },
        accountId,
      );
      const cancel = this.clock.timeout(Math.max(0, leftMs), () => void this.read(paymentId).then(answer));
    });
  }

  async findEnding(paymentId: string): Promise<PaymentOutcome | undefined> {
    const row = await this.history.findById(paymentId);
    return row && row.status !== 'PENDING' ? endingOf(row) : undefined;
  }

  /** The state of a payment; undefined if this wallet has made no such payment. @param order refused if the payment is another one */
  async findOutcome(paymentId: string, walletId: string, order?: OnChainOrder): Promise<PaymentOutcome | undefined> {
    const row = await this.history.findById(paymentId);
    if (row?.walletId !== walletId) return undefined;
    if (order && !isOf(order, row)) return refused('attempt_reused');
    if (row.status !== 'PENDING') return endingOf(row);
    return row.settlement === 'onchain' && row.approvalUntil === null ? { kind: 'queued', transactionId: row.id } : this.pending(row.id);
  }

  /** Of a payment that has not ended: whether its owner was asked. */
  async pending(paymentId: string): Promise<PaymentOutcome> {
    const approval = await this.approvals.find(paymentId).catch(() => undefined);
    return { kind: 'pending', transactionId: paymentId, ...(approval && { approval }) };
  }

  /** Reads the row, because another transaction may delay the event of the end. */
  private async read(paymentId: string): Promise<PaymentOutcome> {
    const ending = await this.findEnding(paymentId).catch(() => undefined);
    return ending ?? { kind: 'pending', transactionId: paymentId };
  }
}

/** Satoshis of a wallet in dollars have cost what their price was. Without an amount it was all that the wallet had. */
function isOf({ address, amountSats, amountCents }: OnChainOrder, { amount, fee, currency, ...row }: TransactionRow): boolean {
  const paid = -amount - fee;
  const isAmount =
    amountCents === undefined
      ? amountSats === undefined || currency === 'USD' || amountSats === satsOfMsat(paid)
      : amountCents === Number(paid);
  return isAmount && row.address?.toLowerCase() === address.toLowerCase();
}

const endingOf = ({ id, status, failure }: Pick<TransactionRow, 'id' | 'status' | 'failure'>): PaymentEnd =>
  status === 'SUCCESS'
    ? { kind: 'settled', transactionId: id }
    : { kind: 'failed', transactionId: id, reason: (failure ?? 'error') as SendFailure };
