import { Get, Param, Post, Query } from '@nestjs/common';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { bitcoin, PageError, PageForm, type Form } from '../../edge/page/index.js';
import { InvoiceService, type InvoiceRow } from '../../money/invoice/index.js';
import { PayOfferService } from '../../money/lnurl/index.js';
import { PriceService } from '../../money/price/index.js';
import { HistoryService } from '../../money/transaction/index.js';
import { AccountService, walletOf, type AccountRow } from '../../money/wallet/index.js';
import { HEX_32, inAnyCase } from '../../platform/kernel/form.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import { satsToRequest, typedAmountIn, worthNow } from '../activity/amount.js';
import { PAGE_ROWS, pageLinks, pageRequestIn, rowsOnPage } from '../activity/page-links.js';
import { paths } from '../paths.js';
import { DashboardPages, type Answer, type Redirect, type Screen } from '../screen.js';
import { invoicePage, invoicesPage, type ReceiveState } from './invoice.view.js';
import { emptyReceiveForm, receivePage, type ReceiveForm } from './receive.view.js';

@DashboardPages('/receive')
export class ReceiveController {
  constructor(
    private readonly offers: PayOfferService,
    private readonly accounts: AccountService,
    private readonly invoices: InvoiceService,
    private readonly history: HistoryService,
    private readonly prices: PriceService,
  ) {}

  @Get()
  form(@CurrentVisitor() visitor: Visitor): Screen {
    return this.formScreen(visitor, emptyReceiveForm, 200);
  }

  @Post()
  async create(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form): Promise<Answer> {
    const typed = { ...typedAmountIn(form), memo: form.text('memo') };
    const sats = satsToRequest(typed, this.prices.centsPerBtc);
    const errors: ReceiveForm['errors'] = {
      ...(typeof sats === 'string' && { amount: sats }),
      ...(Buffer.byteLength(typed.memo) > MEMO_BYTES && {
        memo: `Use at most ${MEMO_BYTES} bytes: shorten the text or remove emoji.`,
      }),
    };
    if (typeof sats === 'string' || errors.memo !== undefined) return this.formScreen(visitor, { ...typed, errors }, 422);
    const userId = visitor.user.id;
    const { id: walletId } = walletOf(await this.accounts.getOfUser(userId), 'BTC');
    const outcome = await this.invoices.create({ walletId, userId, amountSats: Number(sats), memo: typed.memo });
    if (outcome.kind === 'created') return { seeOther: paths.invoice(outcome.invoice.paymentHash) };
    throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
  }

  @Get('invoices')
  async list(@Query() query: Readonly<Record<string, unknown>>, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const pageRequest = pageRequestIn(query, isHash);
    const { id: accountId, wallets } = await this.accounts.getOfUser(user.id);
    const rows = await this.invoices.list({ accountId, walletIds: wallets.map(({ id }) => id) }, pageRequest);
    const page = rowsOnPage(rows, pageRequest);
    const positions = page.map(({ createdAt, paymentHash }) => ({ createdAt, id: paymentHash }));
    const links = pageLinks(paths.invoices, positions, rows.length > PAGE_ROWS, pageRequest);
    const invoices = page.map((invoice) => ({ ...invoice, state: stateOf(invoice) }));
    return { draw: (frame) => invoicesPage({ frame, invoices, ...links }), live: true };
  }

  @Get(':hash')
  async invoice(@Param('hash') hash: string, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const account = await this.accounts.getOfUser(user.id);
    const invoice = isHash(hash) ? await this.invoices.findByHash(hash) : null;
    if (invoice?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    const about = invoice.amountMsat === null ? null : worthNow(invoice.amountMsat, 'BTC', account, this.prices.quote);
    const state = await this.stateOf(account, invoice);
    return { draw: (frame) => invoicePage({ ...invoice, about, state, frame }), live: true };
  }

  /** Cancelling an invoice that is paid, or another person's, changes nothing: its page shows its state. */
  @Post(':hash/cancel')
  async cancel(@Param('hash') hash: string, @CurrentVisitor() { user }: Visitor): Promise<Redirect> {
    if (!isHash(hash)) throw new PageError({ kind: 'error', error: 'missing' });
    const invoice = await this.invoices.findByHash(hash);
    if (invoice) await this.invoices.cancel(user.id, invoice.walletId, hash);
    return { seeOther: paths.invoice(hash) };
  }

  private formScreen({ user: { username } }: Visitor, form: ReceiveForm, status: number): Screen {
    const model = { form, username, lnurl: this.offers.lnurlOf(username), hasPrice: this.prices.quote !== undefined };
    return { draw: (frame) => receivePage({ ...model, frame }), status };
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

const isHash = (text: string): boolean => inAnyCase(HEX_32).test(text);
