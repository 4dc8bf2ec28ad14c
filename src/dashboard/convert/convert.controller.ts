import type { Visitor } from '../../edge/auth/index.js';
import { msatOfSats, MSAT_PER_SAT } from '../../platform/kernel/money.js';
import { moneyText, readAmount, type Form, type Money } from '../../edge/page/index.js';
import { PaymentService, type PaymentOrder } from '../../money/payment/index.js';
import { centsWorth, DealerService, PriceService, wholeMsatOf } from '../../money/price/index.js';
import { walletOf, type AccountFlow, type AccountRow, type Currency } from '../../money/wallet/index.js';
import { PayerAccounts } from '../account/payer-accounts.js';
import { walletName } from '../activity/activity.view.js';
import { availableIn, moneyOf, spentIn, typedAmountIn, type TypedAmount } from '../activity/amount.js';
import { OrderPages, type Checked, type ReviewRequest, type TypedOrder } from '../order/order-pages.js';
import { SealedOrders, type Opened } from '../order/sealed-orders.js';
import { DashboardPages } from '../screen.js';
import {
  CONVERSION,
  conversionPage,
  convertPage,
  emptyConvertForm,
  type ConvertFault,
  type ConvertModel,
  type ConversionModel,
} from './convert.view.js';

/** A conversion between two wallets of one account, in satoshis and cents. */
interface ConvertOrder extends TypedOrder<TypedAmount> {
  readonly from: Currency;
  readonly gives: bigint;
  /** The amount that the person has seen: a confirmation converts at no worse price. */
  readonly gets: bigint;
}
type FormModel = Omit<ConvertModel, 'frame' | 'form'>;
type Model = Omit<ConversionModel, 'frame'>;

const MIN_AMOUNT = { BTC: '1 sat', USD: '$0.01' } as const;
const NO_PRICE = 'There is no price of dollars now. Try again later.';
const WORSE = 'The price has changed: you would get less than you have seen. Check the new amount, and confirm again.';
const SHORT = 'Your balance does not cover this amount any more.';
const otherOf = (currency: Currency): Currency => (currency === 'BTC' ? 'USD' : 'BTC');

@DashboardPages('/convert')
export class ConvertController extends OrderPages<ConvertOrder, TypedAmount, ConvertFault, FormModel, Model> {
  protected readonly name = 'page convert';
  protected readonly views = { kind: CONVERSION, empty: emptyConvertForm, form: convertPage, review: conversionPage };

  constructor(
    accounts: PayerAccounts,
    payments: PaymentService,
    orders: SealedOrders,
    private readonly dealer: DealerService,
    private readonly prices: PriceService,
  ) {
    super(accounts, payments, orders);
  }

  protected typedIn(form: Form): TypedAmount {
    return typedAmountIn(form);
  }

  protected async formModel({ user }: Visitor, refusing?: AccountFlow): Promise<FormModel> {
    const account = await this.accounts.getOfUser(user.id);
    const [sats, cents] = [wholeIn(account, 'BTC'), wholeIn(account, 'USD')];
    return {
      bitcoin: moneyIn('BTC', sats),
      bitcoinAbout: this.accounts.worth(sats * MSAT_PER_SAT, 'BTC', account),
      dollar: moneyIn('USD', cents),
      dollarAbout: this.accounts.worth(cents, 'USD', account),
      limits: await this.accounts.left(account, refusing === 'convert' ? [] : ['convert']),
      hasPrice: this.dealer.rate.bid !== null,
    };
  }

  protected async checked({ user }: Visitor, typed: TypedAmount): Promise<Checked<ConvertFault>> {
    const from = typed.unit === 'USD' ? 'USD' : 'BTC';
    const reading = readAmount(typed.amount, typed.unit);
    if (reading.kind === 'refused') return { kind: 'fault', text: reading.reason };
    const gives = reading.kind === 'empty' ? 0n : reading.value;
    if (gives === 0n) return { kind: 'fault', text: `Enter an amount of at least ${MIN_AMOUNT[from]}.` };
    const gets = this.exchanged(from, gives);
    if (gets === null) return { kind: 'fault', text: NO_PRICE };
    if (gets === 0n) return { kind: 'fault', text: `That is worth less than ${MIN_AMOUNT[otherOf(from)]}. Enter a larger amount.` };
    const account = await this.accounts.getOfUser(user.id);
    const available = wholeIn(account, from);
    if (available === 0n) return { kind: 'fault', text: `Your ${walletName(from)} is empty.` };
    if (gives > available)
      return { kind: 'fault', text: `Your ${walletName(from)} has ${moneyText(moneyIn(from, available))}. Enter no more than that.` };
    const beyond = await this.accounts.limitRefusal(account, 'convert', spentIn(from, minorOf(from, gives)));
    if (beyond !== null) return { kind: 'fault', text: beyond, flow: 'convert' };
    return { kind: 'ready', order: this.seal(user.id, { from, gives, gets, typed }) };
  }

  protected async modelOf(account: AccountRow, order: Opened<ConvertOrder>, { refusal }: ReviewRequest): Promise<Model> {
    const { from, gives, typed } = order;
    const { bid, ask } = this.dealer.rate;
    const now = this.exchanged(from, gives);
    const left = wholeIn(account, from) - gives;
    const short = left < 0n ? SHORT : await this.accounts.limitRefusal(account, 'convert', spentIn(from, minorOf(from, gives)));
    const gets = now ?? order.gets;
    return {
      order: this.seal(account.userId, { from, gives, gets, typed }, order.id),
      from,
      gives: moneyIn(from, gives),
      gets: moneyIn(otherOf(from), gets),
      // A person who reads dollars sees them on the page already.
      givesAbout: account.displayCurrency === 'USD' ? null : this.accounts.worth(minorOf(from, gives), from, account),
      rateCents: from === 'BTC' ? bid : ask,
      marketCents: this.prices.centsPerBtc,
      left: moneyIn(from, left),
      isPossible: now !== null && now > 0n && short === null,
      error: now === null ? NO_PRICE : (short ?? refusal ?? (this.isWorse(order) ? WORSE : null)),
    };
  }

  protected sourceOf({ from }: ConvertOrder): { currency: Currency; memo: null } {
    return { currency: from, memo: null };
  }

  protected isWorse({ from, gives, gets }: ConvertOrder): boolean {
    const now = this.exchanged(from, gives);
    return now !== null && now < gets;
  }

  protected paymentOf(account: AccountRow, { from, gives }: ConvertOrder): PaymentOrder {
    const recipientWalletId = walletOf(account, otherOf(from)).id;
    return from === 'BTC' ? { recipientWalletId, amountSats: Number(gives) } : { recipientWalletId, amountCents: Number(gives) };
  }

  /** The amount that the other wallet gets now, in cents or satoshis, as the exchange rounds it; null without a price. */
  private exchanged(from: Currency, gives: bigint): bigint | null {
    const { bid, ask } = this.dealer.rate;
    if (bid === null || ask === null) return null;
    return from === 'BTC' ? centsWorth(msatOfSats(gives), bid) : wholeMsatOf(gives, ask) / MSAT_PER_SAT;
  }
}

const minorOf = (currency: Currency, amount: bigint): bigint => (currency === 'BTC' ? msatOfSats(amount) : amount);
const moneyIn = (currency: Currency, amount: bigint): Money => moneyOf(minorOf(currency, amount), currency);

/** In satoshis or cents. */
const wholeIn = (account: AccountRow, currency: Currency): bigint =>
  availableIn(account, currency) / (currency === 'BTC' ? MSAT_PER_SAT : 1n);
