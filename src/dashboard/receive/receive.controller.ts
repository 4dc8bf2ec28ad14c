import { Get, Param, Post, Query } from '@nestjs/common';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { bitcoin, dollars, PageError, PageForm, readAmount, type Form, type Money } from '../../edge/page/index.js';
import { InvoiceService, type InvoiceAmount, type InvoiceCreation, type InvoiceRow } from '../../money/invoice/index.js';
import { PayOfferService } from '../../money/lnurl/index.js';
import { PriceService } from '../../money/price/index.js';
import { HistoryService } from '../../money/transaction/index.js';
import { AccountService, walletOf, type AccountRow, type Currency } from '../../money/wallet/index.js';
import { HEX_32, inAnyCase } from '../../platform/kernel/form.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import { availableIn, currencyIn, moneyOf, satsToRequest, typedAmountIn, worthNow, worthThen } from '../activity/amount.js';
import { PAGE_ROWS, pageLinks, pageRequestIn, rowsOnPage } from '../activity/page-links.js';
import { paths } from '../paths.js';
import { DashboardPages, type Answer, type Redirect, type Screen } from '../screen.js';
import { invoicePage, invoicesPage, type ReceiveState } from './invoice.view.js';
import { emptyReceiveForm, receivePage, type ReceiveForm } from './receive.view.js';

const REFUSALS: Partial<Record<InvoiceCreation['kind'], string>> = {
  no_price: 'No price is available now. Receive into your Bitcoin wallet.',
  amount_too_small: 'Enter an amount that is worth at least $0.01.',
  invalid_cents: 'That amount is too large.',
  too_much_open: 'Your open invoices ask for too many dollars. Try again in two minutes.',
  dealer_limit: 'This server accepts no more dollars now. Receive into your Bitcoin wallet.',
};

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
    const typed = { ...typedAmountIn(form), memo: form.text('memo'), wallet: currencyIn(form) };
    const amount = this.amountOf(typed);
    const errors: ReceiveForm['errors'] = {
      ...(typeof amount === 'string' && { amount }),
      ...(Buffer.byteLength(typed.memo) > MEMO_BYTES && {
        memo: `Use at most ${MEMO_BYTES} bytes: shorten the text or remove emoji.`,
      }),
    };
    if (typeof amount === 'string' || errors.memo !== undefined) return this.formScreen(visitor, { ...typed, errors }, 422);
    const userId = visitor.user.id;
    const { id: walletId } = walletOf(await this.accounts.getOfUser(userId), typed.wallet);
    const outcome = await this.invoices.create({
      walletId,
      principal: visitor.principal,
      userId,
      memo: typed.memo,
      currency: typed.wallet,
      ...amount,
    });
    if (outcome.kind === 'created') return { seeOther: paths.invoice(outcome.invoice.paymentHash) };
    const refused = outcome.kind === 'vetoed' ? outcome.message : REFUSALS[outcome.kind];
    if (refused !== undefined) return this.formScreen(visitor, { ...typed, errors: { amount: refused } }, 422);
    throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
  }

  /** Dollars that a wallet in dollars asks for stay dollars; every other amount is one of satoshis. */
  private amountOf(typed: ReceiveForm | Omit<ReceiveForm, 'errors'>): InvoiceAmount | string {
    const sats = satsToRequest(typed, this.prices.centsPerBtc);
    if (typeof sats === 'string') return sats;
    const reading = readAmount(typed.amount, typed.unit);
    if (typed.wallet === 'BTC' || typed.unit === 'sats' || reading.kind !== 'amount') return { amountSats: Number(sats) };
    return { amountSats: null, amountCents: Number(reading.value) };
  }

  @Get('invoices')
  async list(@Query() query: Readonly<Record<string, unknown>>, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const pageRequest = pageRequestIn(query, isHash);
    const { id: accountId, wallets } = await this.accounts.getOfUser(user.id);
    const rows = await this.invoices.list({ accountId, walletIds: wallets.map(({ id }) => id) }, pageRequest);
    const page = rowsOnPage(rows, pageRequest);
    const positions = page.map(({ createdAt, paymentHash }) => ({ createdAt, id: paymentHash }));
    const links = pageLinks(paths.invoices, positions, rows.length > PAGE_ROWS, pageRequest);
    const invoices = page.map((invoice) => ({ ...invoice, amount: amountOf(invoice), state: stateOf(invoice) }));
    return { draw: (frame) => invoicesPage({ frame, invoices, ...links }), live: true };
  }

  @Get(':hash')
  async invoice(@Param('hash') hash: string, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const invoice = isHash(hash) ? await this.invoices.findByHash(hash) : null;
    // After the invoice: the new balance of a paid one includes it.
    const account = await this.accounts.getOfUser(user.id);
    if (invoice?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    const wallet = account.wallets.find(({ id }) => id === invoice.walletId)?.currency ?? 'BTC';
    const amount = amountOf(invoice);
    // The payer pays satoshis: those of an invoice in dollars are fixed.
    const inSats = invoice.amountMsat === null ? null : worthNow(invoice.amountMsat, 'BTC', account, this.prices.quote);
    const about = amount?.currency === 'USD' ? bitcoin(invoice.amountMsat ?? 0n) : inSats;
    const state = await this.stateOf(account, invoice, wallet);
    return { draw: (frame) => invoicePage({ ...invoice, wallet, amount, about, state, frame }), live: true };
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
    const model = {
      form,
      username,
      lnurl: this.offers.lnurlOf(username),
      hasSource: this.prices.hasSource,
      hasPrice: this.prices.quote !== undefined,
    };
    return { draw: (frame) => receivePage({ ...model, frame }), status };
  }

  private async stateOf(account: AccountRow, invoice: InvoiceRow, wallet: Currency): Promise<ReceiveState> {
    const kind = stateOf(invoice);
    if (kind !== 'paid') return { kind };
    const receipt = (await this.history.listByHash(invoice.walletId, invoice.paymentHash)).find(({ direction }) => direction === 'RECEIVE');
    return {
      kind: 'paid',
      amount: receipt ? moneyOf(receipt.amount, receipt.currency) : (amountOf(invoice) ?? bitcoin(0n)),
      about: receipt ? worthThen(receipt.amount, receipt) : null,
      at: invoice.paidAt ?? invoice.createdAt,
      balance: moneyOf(availableIn(account, wallet), wallet),
      transactionId: receipt?.id ?? '',
    };
  }
}

const amountOf = ({ amountMsat, amountCents }: InvoiceRow): Money | null =>
  amountCents !== null ? dollars(amountCents) : amountMsat === null ? null : bitcoin(amountMsat);

function stateOf({ cancelled, status, leftMs }: InvoiceRow): ReceiveState['kind'] {
  if (cancelled) return 'cancelled';
  if (status === 'EXPIRED') return 'expired';
  if (status === 'PAID') return 'paid';
  return leftMs > 0 ? 'waiting' : 'closing';
}

const isHash = (text: string): boolean => inAnyCase(HEX_32).test(text);
