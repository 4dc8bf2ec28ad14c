import { Injectable } from '@nestjs/common';
import { msatOfSats } from '../../platform/kernel/money.js';
import { decodeInvoice } from '../../money/lightning/index.js';
import { FeeProbeService, REFUSALS, type FeeProbeOutcome } from '../../money/payment/index.js';
import { DealerService, msatOfBillNow, type BillNow } from '../../money/price/index.js';
import { HistoryService, type TransactionRow } from '../../money/transaction/index.js';
import { walletOf, type AccountFlow, type AccountRow } from '../../money/wallet/index.js';
import type { ReviewModel } from './send.view.js';
import type { SendTarget } from './send-target.service.js';

type Fee = Pick<ReviewModel, 'feeMsat' | 'feeLimitMsat' | 'hasNoRoute'>;
export interface Quote {
  readonly kind: 'quote';
  readonly fee: Fee;
  readonly flow: AccountFlow;
  /** Of an invoice into dollars of this server. */
  readonly billNow?: BillNow | undefined;
}
export interface QuoteRefusal {
  readonly kind: 'refused';
  readonly text: string;
  /** The transaction by which the account has paid the invoice, or is paying it. */
  readonly paidBy?: string;
}

export const NO_FEE: Fee = { feeMsat: 0n, feeLimitMsat: 0n, hasNoRoute: false };

@Injectable()
export class SendQuoteService {
  constructor(
    private readonly probes: FeeProbeService,
    private readonly history: HistoryService,
    private readonly dealer: DealerService,
  ) {}

  /** True once the invoice costs more than it did. A refusal is the payment's. */
  hasRisen({ bill, isOwn, costMsat }: BillNow): boolean {
    const now = msatOfBillNow(bill, isOwn, this.dealer.rate, costMsat);
    return typeof now === 'bigint' && now > costMsat;
  }

  async quote(account: AccountRow, target: SendTarget): Promise<Quote | QuoteRefusal> {
    if (target.kind === 'wallet') return { kind: 'quote', fee: NO_FEE, flow: 'internal_send' };
    const { paymentRequest, amountSats } = target;
    const before = await this.paidBefore(account, paymentRequest);
    if (before) return { kind: 'refused', text: paidText(before), paidBy: before.id };
    const payer = { userId: account.userId, walletId: walletOf(account, 'BTC').id };
    return quoteIn(await this.probes.probe(payer, { paymentRequest, amountSats }), account);
  }

  /** An invoice is paid once: the confirmation of another payment would lead to the earlier one, as if it had been paid again. */
  private async paidBefore(account: AccountRow, paymentRequest: string): Promise<TransactionRow | undefined> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return undefined;
    const { paymentHash } = decoded.invoice;
    const found = await Promise.all(account.wallets.map(({ id }) => this.history.listByHash(id, paymentHash)));
    return found.flat().find(({ direction, status }) => direction === 'SEND' && status !== 'FAILURE');
  }
}

const paidText = ({ status }: TransactionRow): string =>
  status === 'PENDING' ? 'You are paying this invoice already.' : 'You have paid this invoice already.';

function quoteIn(probe: FeeProbeOutcome, account: AccountRow): Quote | QuoteRefusal {
  if (probe.kind === 'refused') return { kind: 'refused', text: REFUSALS[probe.reason].page };
  const feeLimitMsat = msatOfSats(probe.limit);
  if (probe.kind === 'no_route')
    return { kind: 'quote', fee: { feeMsat: feeLimitMsat, feeLimitMsat, hasNoRoute: true }, flow: 'withdrawal' };
  const { fee, ownWalletId, billNow } = probe;
  const isOwn = account.wallets.some(({ id }) => id === ownWalletId);
  const flow = ownWalletId === undefined ? 'withdrawal' : isOwn ? 'convert' : 'internal_send';
  // What it costs is the amount, and there is no fee beside it.
  if (billNow) return { kind: 'quote', fee: NO_FEE, flow, billNow };
  return { kind: 'quote', fee: { feeMsat: msatOfSats(fee), feeLimitMsat, hasNoRoute: false }, flow };
}
