import { Injectable } from '@nestjs/common';
import { InvoiceService, type InvoiceRow } from '../../invoice/index.js';
import { HEX_32, inAnyCase } from '../../kernel/form.js';
import { MAX_SATS, SATS_PER_BTC } from '../../kernel/money.js';
import { MEMO_BYTES } from '../../kernel/text.js';
import { bitcoin, PageError, readAmount } from '../../page/index.js';
import { PriceService } from '../../price/index.js';
import { HistoryService } from '../../transaction/index.js';
import { AccountService, type AccountRow } from '../../wallet/index.js';
import { worth } from '../activity/amount.js';
import type { InvoiceModel, ReceiveState } from './invoice.view.js';
import type { ReceiveForm } from './receive.view.js';

export type ReceivingOutcome =
  { readonly kind: 'made'; readonly paymentHash: string } | { readonly kind: 'mistaken'; readonly form: ReceiveForm };

/** Creates invoices from what a person typed, shows and cancels them. */
@Injectable()
export class ReceivePageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
    private readonly history: HistoryService,
    private readonly prices: PriceService,
  ) {}

  async create(userId: string, typed: Pick<ReceiveForm, 'amount' | 'unit' | 'memo'>): Promise<ReceivingOutcome> {
    const sats = this.satsOf(typed);
    const errors: ReceiveForm['errors'] = {
      ...(typeof sats === 'string' && { amount: sats }),
      ...(Buffer.byteLength(typed.memo) > MEMO_BYTES && {
        memo: `Use at most ${MEMO_BYTES} bytes: shorten the text or remove emoji.`,
      }),
    };
    if (typeof sats === 'string' || errors.memo !== undefined) return { kind: 'mistaken', form: { ...typed, errors } };
    const { wallets } = await this.accounts.getOfUser(userId);
    const walletId = wallets.find(({ currency }) => currency === 'BTC')?.id ?? '';
    const outcome = await this.invoices.create({ walletId, userId, amountSats: Number(sats), memo: typed.memo });
    if (outcome.kind === 'created') return { kind: 'made', paymentHash: outcome.invoice.paymentHash };
    throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
  }

  /** @throws PageError unless it is an invoice of this person */
  async invoice(userId: string, paymentHash: string): Promise<Omit<InvoiceModel, 'frame'>> {
    const account = await this.accounts.getOfUser(userId);
    const invoice = await this.findByHash(paymentHash);
    if (invoice?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    return {
      paymentHash: invoice.paymentHash,
      request: invoice.paymentRequest,
      amount: invoice.amountMsat === null ? null : bitcoin(invoice.amountMsat),
      about: invoice.amountMsat === null ? null : worth(invoice.amountMsat, 'BTC', this.prices.centsPerBtc),
      memo: invoice.memo,
      expiresAt: invoice.expiresAt,
      state: await this.stateOf(account, invoice),
    };
  }

  /** Cancelling an invoice that is paid, or another person's, changes nothing: its page shows its state. */
  async cancel(userId: string, paymentHash: string): Promise<void> {
    if (!isHash(paymentHash)) throw new PageError({ kind: 'error', error: 'missing' });
    const invoice = await this.findByHash(paymentHash);
    if (invoice) await this.invoices.cancel(userId, invoice.walletId, paymentHash);
  }

  private async findByHash(paymentHash: string): Promise<InvoiceRow | null> {
    return isHash(paymentHash) ? this.invoices.findByHash(paymentHash) : null;
  }

  private async stateOf({ wallets }: AccountRow, invoice: InvoiceRow): Promise<ReceiveState> {
    if (invoice.cancelled) return { kind: 'cancelled' };
    if (invoice.status === 'EXPIRED') return { kind: 'expired' };
    if (invoice.status === 'PENDING') return { kind: invoice.leftMs > 0 ? 'waiting' : 'closing' };
    const receipt = (await this.history.listByHash(invoice.walletId, invoice.paymentHash)).find(({ direction }) => direction === 'RECEIVE');
    const wallet = wallets.find(({ currency }) => currency === 'BTC');
    return {
      kind: 'paid',
      amount: bitcoin(receipt?.amount ?? invoice.amountMsat ?? 0n),
      at: invoice.paidAt ?? invoice.createdAt,
      balance: bitcoin((wallet?.posted ?? 0n) - (wallet?.held ?? 0n)),
      transactionId: receipt?.id ?? '',
    };
  }

  /** Whole satoshis, or the fault as a sentence. Dollars are converted at the current price, rounded up. */
  private satsOf({ amount, unit }: Pick<ReceiveForm, 'amount' | 'unit'>): bigint | string {
    const reading = readAmount(amount, unit);
    if (reading.kind === 'refused') return reading.reason;
    const price = this.prices.centsPerBtc;
    if (unit !== 'sats' && price === null) return 'No price is available now. Enter the amount in sats.';
    const sats =
      reading.kind === 'empty'
        ? 0n
        : price === null || unit === 'sats'
          ? reading.value
          : (reading.value * SATS_PER_BTC + price - 1n) / price;
    if (sats === 0n) return 'Enter an amount of at least 1 sat.';
    return sats > MAX_SATS ? 'That amount is too large.' : sats;
  }
}

const isHash = (text: string): boolean => inAnyCase(HEX_32).test(text);
