import { Injectable } from '@nestjs/common';
import type { Visitor } from '../../auth/index.js';
import type { Work } from '../../http/index.js';
import { msatOfSats, MSAT_PER_SAT } from '../../kernel/money.js';
import { bitcoin, dollars, moneyText, PageError, readAmount, type HtmlValue, type Money } from '../../page/index.js';
import { PaymentService, type Payer } from '../../payment/index.js';
import { centsWorth, DealerService, PriceService, wholeMsatOf } from '../../price/index.js';
import type { AccountFlow, AccountRow, AccountSpent } from '../../wallet/index.js';
import { PayerAccounts } from '../account/payer-accounts.js';
import { walletName } from '../activity/activity.view.js';
import type { TypedAmount } from '../activity/amount.js';
import { ConvertOrders, type ConvertOrder } from './convert-orders.js';
import type { ConvertFault, ConvertModel } from './convert.view.js';
import type { ConversionModel } from './conversion.view.js';

export type Checked = { readonly kind: 'ready'; readonly order: string } | ({ readonly kind: 'fault' } & ConvertFault);
export type Reviewed =
  | { readonly kind: 'review'; readonly model: Omit<ConversionModel, 'frame'> }
  /** It is converted: the page of its transaction shows it. */
  | { readonly kind: 'begun'; readonly transactionId: string }
  /** It was not confirmed in time: nothing was converted. */
  | { readonly kind: 'over'; readonly typed: TypedAmount }
  /** It can't be read, or is not of this person. */
  | { readonly kind: 'unknown' };
type Currency = ConvertOrder['from'];

const MIN_AMOUNT = { BTC: '1 sat', USD: '$0.01' } as const;
const NO_PRICE = 'There is no price of dollars now. Try again later.';
const WORSE = 'The price has changed: you would get less than you have seen. Check the new amount, and confirm again.';
const SHORT = 'Your balance does not cover this amount any more.';
const otherOf = (currency: Currency): Currency => (currency === 'BTC' ? 'USD' : 'BTC');
/** @param amount in satoshis or cents */
const moneyIn = (currency: Currency, amount: bigint): Money => (currency === 'BTC' ? bitcoin(amount * MSAT_PER_SAT) : dollars(amount));

/** Converts between a person's own two wallets: shows what they get, and converts once. */
@Injectable()
export class ConvertPageService {
  constructor(
    private readonly accounts: PayerAccounts,
    private readonly payments: PaymentService,
    private readonly dealer: DealerService,
    private readonly prices: PriceService,
    private readonly orders: ConvertOrders,
  ) {}

  /** @param refusing the limit that an error of the form states already */
  async form({ user }: Visitor, refusing?: AccountFlow): Promise<Omit<ConvertModel, 'frame' | 'form'>> {
    const account = await this.accounts.getOfUser(user.id);
    const [sats, cents] = [availableIn(account, 'BTC'), availableIn(account, 'USD')];
    return {
      bitcoin: moneyIn('BTC', sats),
      bitcoinAbout: this.accounts.worth(sats * MSAT_PER_SAT, 'BTC', account),
      dollar: moneyIn('USD', cents),
      dollarAbout: this.accounts.worth(cents, 'USD', account),
      limits: await this.accounts.left(account, refusing === 'convert' ? [] : ['convert']),
      hasPrice: this.dealer.rate.bid !== null,
    };
  }

  async check({ user }: Visitor, typed: TypedAmount): Promise<Checked> {
    const from = typed.unit === 'USD' ? 'USD' : 'BTC';
    const reading = readAmount(typed.amount, typed.unit);
    if (reading.kind === 'refused') return { kind: 'fault', text: reading.reason };
    const gives = reading.kind === 'empty' ? 0n : reading.value;
    if (gives === 0n) return { kind: 'fault', text: `Enter an amount of at least ${MIN_AMOUNT[from]}.` };
    const gets = this.exchanged(from, gives);
    if (gets === null) return { kind: 'fault', text: NO_PRICE };
    if (gets === 0n) return { kind: 'fault', text: `That is worth less than ${MIN_AMOUNT[otherOf(from)]}. Enter a larger amount.` };
    const account = await this.accounts.getOfUser(user.id);
    const available = availableIn(account, from);
    if (available === 0n) return { kind: 'fault', text: `Your ${walletName(from)} is empty.` };
    if (gives > available)
      return { kind: 'fault', text: `Your ${walletName(from)} has ${moneyText(moneyIn(from, available))}. Enter no more than that.` };
    const beyond = await this.accounts.limitRefusal(account, 'convert', spentBy({ from, gives }));
    if (beyond !== null) return { kind: 'fault', text: beyond, flow: 'convert' };
    return { kind: 'ready', order: this.orders.seal(user.id, { from, gives, gets, typed }) };
  }

  /** What was typed, for the form to show it again. */
  typedIn({ user }: Visitor, sealed: string): TypedAmount | undefined {
    return this.orders.open(user.id, sealed)?.typed;
  }

  async review(visitor: Visitor, sealed: string, refusal: HtmlValue = null): Promise<Reviewed> {
    const order = this.orders.open(visitor.user.id, sealed);
    if (!order) return { kind: 'unknown' };
    const account = await this.accounts.getOfUser(visitor.user.id);
    const earlier = await this.payments.findEarlier(payerOf(visitor, account, order));
    if (earlier && 'transactionId' in earlier) return { kind: 'begun', transactionId: earlier.transactionId };
    if (order.isOver) return { kind: 'over', typed: order.typed };
    return { kind: 'review', model: await this.modelOf(visitor, account, order, refusal) };
  }

  /** Converts, or returns what an earlier confirmation has converted. At a price that is worse than the one that was seen, it asks again. */
  async confirm(visitor: Visitor, sealed: string, work: Work): Promise<Reviewed> {
    const order = this.orders.open(visitor.user.id, sealed);
    const reviewed = await this.review(visitor, sealed);
    if (!order || reviewed.kind !== 'review' || reviewed.model.error !== null) return reviewed;
    const account = await this.accounts.getOfUser(visitor.user.id);
    const payer = { ...payerOf(visitor, account, order), isGone: () => work.isGone };
    const recipientWalletId = walletOf(account, otherOf(order.from)).id;
    const amount = Number(order.gives);
    const payment = order.from === 'BTC' ? { recipientWalletId, amountSats: amount } : { recipientWalletId, amountCents: amount };
    const start = await this.payments.begin(payer, payment);
    const outcome = start.kind === 'begun' ? await work.waiting(start.end) : start;
    const refusal = await this.accounts.refusalIn(outcome, account);
    if (refusal !== undefined) return this.review(visitor, sealed, refusal);
    // The history may not have it yet, or ever: the person looks again, and the same order converts once.
    if (outcome.kind === 'unconfirmed') throw new PageError({ kind: 'error', error: 'away', retryAfterSeconds: 5 });
    return 'transactionId' in outcome ? { kind: 'begun', transactionId: outcome.transactionId } : { kind: 'unknown' };
  }

  private async modelOf(
    { user }: Visitor,
    account: AccountRow,
    order: ConvertOrder,
    refusal: HtmlValue,
  ): Promise<Omit<ConversionModel, 'frame'>> {
    const { from, gives, typed } = order;
    const { bid, ask } = this.dealer.rate;
    const now = this.exchanged(from, gives);
    const isWorse = now !== null && now < order.gets;
    const left = availableIn(account, from) - gives;
    const short = left < 0n ? SHORT : await this.accounts.limitRefusal(account, 'convert', spentBy(order));
    const gets = now ?? order.gets;
    return {
      order: this.orders.seal(user.id, { from, gives, gets, typed }, order.id),
      from,
      gives: moneyIn(from, gives),
      gets: moneyIn(otherOf(from), gets),
      // Dollars stand there already.
      givesAbout:
        account.displayCurrency === 'USD' ? null : this.accounts.worth(from === 'BTC' ? gives * MSAT_PER_SAT : gives, from, account),
      rateCents: from === 'BTC' ? bid : ask,
      marketCents: this.prices.centsPerBtc,
      left: moneyIn(from, left),
      isPossible: now !== null && now > 0n && short === null,
      error: refusal ?? (now === null ? NO_PRICE : (short ?? (isWorse ? WORSE : null))),
    };
  }

  /** What the other wallet gets now, in cents or satoshis, as the exchange rounds it; null without a price. */
  private exchanged(from: Currency, gives: bigint): bigint | null {
    const { bid, ask } = this.dealer.rate;
    if (bid === null || ask === null) return null;
    return from === 'BTC' ? centsWorth(msatOfSats(gives), bid) : wholeMsatOf(gives, ask) / MSAT_PER_SAT;
  }
}

/** What counts towards the limit of the account. */
const spentBy = ({ from, gives }: Pick<ConvertOrder, 'from' | 'gives'>): AccountSpent =>
  from === 'BTC' ? { msat: msatOfSats(gives), cents: 0n } : { msat: 0n, cents: gives };

function walletOf({ wallets }: AccountRow, currency: Currency): AccountRow['wallets'][number] {
  const wallet = wallets.find((each) => each.currency === currency);
  if (!wallet) throw new Error(`Every account has a wallet in ${currency}`);
  return wallet;
}

/** Whole satoshis, or cents. */
function availableIn(account: AccountRow, currency: Currency): bigint {
  const { posted, held } = walletOf(account, currency);
  return currency === 'BTC' ? (posted - held) / MSAT_PER_SAT : posted - held;
}

const payerOf = ({ principal, user }: Visitor, account: AccountRow, { id, from }: ConvertOrder): Payer => ({
  userId: user.id,
  walletId: walletOf(account, from).id,
  memo: null,
  principal,
  attempt: `page convert ${id}`,
});
