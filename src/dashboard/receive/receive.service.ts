import { Injectable } from '@nestjs/common';
import { InvoiceService, type InvoiceRow } from '../../money/invoice/index.js';
import { HEX_32, inAnyCase } from '../../platform/kernel/form.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import { bitcoin, PageError } from '../../edge/page/index.js';
import { PriceService } from '../../money/price/index.js';
import { HistoryService } from '../../money/transaction/index.js';
import { AccountService, walletOf, type AccountRow } from '../../money/wallet/index.js';
import { satsToRequest, worthNow } from '../activity/amount.js';
import { PAGE_ROWS, pageLinks, pageRequestIn, rowsOnPage } from '../activity/page-links.js';
import { paths } from '../paths.js';
import type { InvoiceLine, InvoicesModel } from './invoices.view.js';
import type { InvoiceModel, ReceiveState } from './invoice.view.js';
import type { ReceiveForm } from './receive.view.js';

export type ReceivingOutcome =
  { readonly kind: 'made'; readonly paymentHash: string } | { readonly kind: 'mistaken'; readonly form: ReceiveForm };

@Injectable()
export class ReceivePageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
    private readonly history: HistoryService,
    private readonly prices: PriceService,
  ) {}

  get hasPrice(): boolean {
    return this.prices.quote !== undefined;
  }

  async create(userId: string, typed: Pick<ReceiveForm, 'amount' | 'unit' | 'memo'>): Promise<ReceivingOutcome> {
    const sats = satsToRequest(typed, this.prices.centsPerBtc);
    const errors: ReceiveForm['errors'] = {
      ...(typeof sats === 'string' && { amount: sats }),
      ...(Buffer.byteLength(typed.memo) > MEMO_BYTES && {
        memo: `Use at most ${MEMO_BYTES} bytes: shorten the text or remove emoji.`,
      }),
    };
    if (typeof sats === 'string' || errors.memo !== undefined) return { kind: 'mistaken', form: { ...typed, errors } };
    const { id: walletId } = walletOf(await this.accounts.getOfUser(userId), 'BTC');
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
      about: invoice.amountMsat === null ? null : worthNow(invoice.amountMsat, 'BTC', account, this.prices.quote),
      memo: invoice.memo,
      expiresAt: invoice.expiresAt,
      state: await this.stateOf(account, invoice),
    };
  }

  /** @throws PageError for a cursor that does not belong to this list */
  async list(userId: string, query: Readonly<Record<string, unknown>>): Promise<Omit<InvoicesModel, 'frame'>> {
    const pageRequest = pageRequestIn(query, isHash);
    const { id: accountId, wallets } = await this.accounts.getOfUser(userId);
    const rows = await this.invoices.list({ accountId, walletIds: wallets.map(({ id }) => id) }, pageRequest);
    const page = rowsOnPage(rows, pageRequest);
    const positions = page.map(({ createdAt, paymentHash }) => ({ createdAt, id: paymentHash }));
    return { invoices: page.map(lineOf), ...pageLinks(paths.invoices, positions, rows.length > PAGE_ROWS, pageRequest) };
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

  private async stateOf(account: AccountRow, invoice: InvoiceRow): Promise<ReceiveState> {
    const kind = stateOf(invoice);
    if (kind !== 'paid') return { kind };
    const receipt = (await this.history.listByHash(invoice.walletId, invoice.paymentHash)).find(({ direction }) => direction === 'RECEIVE');
    const { posted, held } = walletOf(account, 'BTC');
    return {
      kind: 'paid',
      amount: bitcoin(receipt?.amount ?? invoice.amountMsat ?? 0n),
      at: invoice.paidAt ?? invoice.createdAt,
      balance: bitcoin(posted - held),
      transactionId: receipt?.id ?? '',
    };
  }
}

function stateOf({ cancelled, status, leftMs }: InvoiceRow): ReceiveState['kind'] {
  if (cancelled) return 'cancelled';
  if (status === 'EXPIRED') return 'expired';
  if (status === 'PAID') return 'paid';
  return leftMs > 0 ? 'waiting' : 'closing';
}

const lineOf = (invoice: InvoiceRow): InvoiceLine => ({
  paymentHash: invoice.paymentHash,
  memo: invoice.memo,
  amount: invoice.amountMsat === null ? null : bitcoin(invoice.amountMsat),
  createdAt: invoice.createdAt,
  state: stateOf(invoice),
});

const isHash = (text: string): boolean => inAnyCase(HEX_32).test(text);
