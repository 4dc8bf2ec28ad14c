import { Get, Param, Post, Query } from '@nestjs/common';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageError, PageForm, readAmount, type Form } from '../../edge/page/index.js';
import { InvoiceService, type InvoiceAmount, type InvoiceCreation } from '../../money/invoice/index.js';
import { PayOfferService } from '../../money/lnurl/index.js';
import { PriceService } from '../../money/price/index.js';
import { AccountService, walletOf } from '../../money/wallet/index.js';
import { MEMO_BYTES } from '../../platform/kernel/text.js';
import { currencyIn, satsToRequest, typedAmountIn } from '../activity/amount.js';
import { PAGE_ROWS, pageLinks, pageRequestIn, rowsOnPage } from '../activity/page-links.js';
import { paths } from '../paths.js';
import { DashboardPages, type Answer, type Redirect, type Screen } from '../screen.js';
import { InvoicePageService, amountOf, isHash, stateOf } from './invoice.service.js';
import { invoicePage, invoicesPage } from './invoice.view.js';
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
    private readonly pages: InvoicePageService,
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
    return { draw: (frame) => invoicesPage({ frame, invoices, ...links }) };
  }

  @Get(':hash')
  async invoice(@Param('hash') hash: string, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const model = await this.pages.find(user, hash);
    return { draw: (frame) => invoicePage({ ...model, frame }), live: true };
  }

  /** The latest address of the invoice's wallet, which has one from now on. */
  @Post(':hash/address')
  async address(@Param('hash') hash: string, @CurrentVisitor() { user }: Visitor): Promise<Redirect> {
    await this.pages.showAddress(user.id, hash);
    return { seeOther: paths.invoice(hash) };
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
      hasAddresses: this.pages.hasAddresses,
    };
    return { draw: (frame) => receivePage({ ...model, frame }), status };
  }
}
