import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/kernel/clock.js';
import { msatOfSats } from '../../platform/kernel/money.js';
import { about, bitcoin, dollars, html, money, soon, type Html, type HtmlValue, type Worth } from '../../edge/page/index.js';
import { REFUSALS, type PaymentOutcome, type PaymentRefusal } from '../../money/payment/index.js';
import { PriceService } from '../../money/price/index.js';
import {
  AccountLimitsService,
  AccountService,
  type AccountFlow,
  type AccountLimitState,
  type AccountRow,
  type AccountSpent,
} from '../../money/wallet/index.js';
import { worthNow } from '../activity/amount.js';

const LIMIT_REFUSALS: Readonly<Record<AccountFlow, PaymentRefusal>> = {
  withdrawal: 'withdrawal_limit',
  internal_send: 'internal_send_limit',
  convert: 'convert_limit',
};

const VERBS: Readonly<Record<AccountFlow, string>> = { withdrawal: 'send', internal_send: 'send', convert: 'convert' };

const WHAT: Readonly<Record<AccountFlow, string>> = {
  withdrawal: 'To other wallets, your account may send',
  internal_send: 'To users of this server, your account may send',
  convert: 'Your account may convert',
};

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

  get hasPrice(): boolean {
    return this.prices.quote !== undefined;
  }

  /** @param minor msat or cents. @returns null without a price */
  worth(minor: bigint, currency: 'BTC' | 'USD', account: AccountRow): Worth | null {
    return worthNow(minor, currency, account, this.prices.quote);
  }

  async left(account: AccountRow, flows: readonly AccountFlow[]): Promise<Html[]> {
    return (await this.statesOf(account, flows)).map((state) => html`${WHAT[state.flow]} ${this.leftIn(state)}`);
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
    return html`${text}${states.map((state) => html` You can ${VERBS[flow]} ${this.leftIn(state)}`)}`;
  }

  private leftIn({ left, nextFreeAt }: AccountLimitState): Html {
    const sats = money(bitcoin(msatOfSats(left.sats)));
    const amount = this.hasPrice ? html`${sats} (${about(dollars(left.cents))})` : sats;
    const most = left.sats > 0 ? html`at most ${amount}` : 'nothing more';
    const more = nextFreeAt !== null && html` More becomes free ${soon(nextFreeAt, { now: new Date(this.clock.now()) })}.`;
    return html`${most} now.${more}`;
  }
}

const FLOWS = Object.keys(LIMIT_REFUSALS) as readonly AccountFlow[];
