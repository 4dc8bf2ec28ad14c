import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import { bitcoin, dollars, html, money, soon, type Html, type HtmlValue, type Money, type Worth } from '../../edge/page/index.js';
import { REFUSALS, type PaymentOutcome, type PaymentRefusal } from '../../money/payment/index.js';
import { PriceService } from '../../money/price/index.js';
import {
  AccountLimitsService,
  AccountService,
  type AccountFlow,
  type AccountLimitState,
  type AccountRow,
  type AccountSpent,
  type Currency,
} from '../../money/wallet/index.js';
import { availableIn, hasDollars, moneyOf, worthNow } from '../activity/amount.js';
import { NEARLY_SPENT } from '../limits/limits.view.js';

const LIMIT_REFUSALS: Readonly<Record<AccountFlow, PaymentRefusal>> = {
  withdrawal: 'withdrawal_limit',
  internal_send: 'internal_send_limit',
  convert: 'convert_limit',
};

const VERBS: Readonly<Record<AccountFlow, string>> = { withdrawal: 'send', internal_send: 'send', convert: 'convert' };

/** A wallet that a person can pay from, and what is available there. */
export interface PayingWallet {
  readonly currency: Currency;
  readonly balance: Money;
  readonly about: Worth | null;
}

@Injectable()
export class PayerAccounts {
  constructor(
    private readonly accounts: AccountService,
    private readonly limits: AccountLimitsService,
    private readonly prices: PriceService,
    private readonly clock: Clock,
  ) {}

  getOfUser(userId: string): Promise<AccountRow> {
    return this.accounts.getOfUser(userId);
  }

  get hasSource(): boolean {
    return this.prices.hasSource;
  }

  get hasPrice(): boolean {
    return this.prices.quote !== undefined;
  }

  /** @param minor msat or cents. @returns null without a price */
  worth(minor: bigint, currency: 'BTC' | 'USD', account: AccountRow): Worth | null {
    return worthNow(minor, currency, account, this.prices.quote);
  }

  /** That in dollars only while it has money, and there is a price. */
  wallets(account: AccountRow): PayingWallet[] {
    const currencies: readonly Currency[] = hasDollars(account) && this.hasPrice ? ['BTC', 'USD'] : ['BTC'];
    return currencies.map((currency) => {
      const minor = availableIn(account, currency);
      // Two balances stand beside each other without their worth.
      const about = currencies.length > 1 ? null : this.worth(minor, currency, account);
      return { currency, balance: moneyOf(minor, currency), about };
    });
  }

  /** The limits that a person can meet: those that leave less than the balance, and those that are nearly used up. */
  async left(account: AccountRow, flows: readonly AccountFlow[]): Promise<Html[]> {
    const [msat, cents] = [availableIn(account, 'BTC'), availableIn(account, 'USD')];
    const matters = ({ left, spent, limit }: AccountLimitState): boolean =>
      msatOfSats(left.sats) < msat || BigInt(left.cents) < cents || spent.cents >= limit.cents * NEARLY_SPENT;
    return (await this.statesOf(account, flows)).filter(matters).map((state) => this.leftIn(state));
  }

  private async statesOf(account: AccountRow, flows: readonly AccountFlow[]): Promise<AccountLimitState[]> {
    const states = await this.limits.list(account, this.limits.priceAt(this.prices.centsPerBtc));
    return states.filter(({ flow }) => flows.includes(flow));
  }

  /** Why a limit of the account refuses so much more, and what it leaves; null if none does at the price of now. */
  async limitRefusal(account: AccountRow, flow: AccountFlow, more: AccountSpent): Promise<Html | null> {
    if (!(await this.limits.exceeds(account, flow, more, this.limits.priceAt(this.prices.centsPerBtc)))) return null;
    return this.withWhatIsLeft(REFUSALS[LIMIT_REFUSALS[flow]].page, account, flow);
  }

  /** Why nothing was sent, with what is left where a limit is the reason; undefined if it has begun. */
  async refusalIn(outcome: PaymentOutcome, account: AccountRow): Promise<HtmlValue | undefined> {
    if (outcome.kind === 'vetoed') return outcome.message;
    if (outcome.kind !== 'refused') return undefined;
    const { page } = REFUSALS[outcome.reason];
    const flow = FLOWS.find((each) => LIMIT_REFUSALS[each] === outcome.reason);
    return flow ? this.withWhatIsLeft(page, account, flow) : page;
  }

  private async withWhatIsLeft(text: string, account: AccountRow, flow: AccountFlow): Promise<Html> {
    const states = await this.statesOf(account, [flow]);
    return html`${text}${states.map((state) => html` ${this.leftIn(state)}`)}`;
  }

  private leftIn({ flow, left, nextFreeAt }: AccountLimitState): Html {
    const to = flow === 'internal_send' ? ' to users of this server' : '';
    const sats = money(bitcoin(msatOfSats(left.sats)));
    const most = html`up to ${sats}${this.hasPrice && html` (${money(dollars(left.cents))})`}`;
    const sentence = left.sats > 0 ? html`You can ${VERBS[flow]} ${most}${to} today.` : `You can’t ${VERBS[flow]} more${to} today.`;
    return html`${sentence}${nextFreeAt !== null && html` Limit resets from ${soon(nextFreeAt, { now: new Date(this.clock.now()) })}.`}`;
  }
}

const FLOWS = Object.keys(LIMIT_REFUSALS) as readonly AccountFlow[];
