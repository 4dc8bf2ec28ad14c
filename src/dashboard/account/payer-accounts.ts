import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { bitcoin, dollars, moneyText, soonWords, type Worth } from '../../page/index.js';
import type { PaymentOutcome, PaymentRefusal } from '../../payment/index.js';
import { msatOfCents, PriceService } from '../../price/index.js';
import { AccountLimitsService, AccountService, type AccountFlow, type AccountLimitState, type AccountRow } from '../../wallet/index.js';
import { worthNow } from '../activity/amount.js';
import { refusalIn } from './payment-refusal.js';

const FLOWS: Readonly<Partial<Record<PaymentRefusal, AccountFlow>>> = {
  withdrawal_limit: 'withdrawal',
  internal_send_limit: 'internal_send',
  convert_limit: 'convert',
};

const WHAT: Readonly<Record<AccountFlow, string>> = {
  withdrawal: 'To other wallets, your account may send',
  internal_send: 'To users of this server, your account may send',
  convert: 'Your account may convert',
};

/** The account of a person who pays, what amounts are worth to them, and what the limits of the account leave. */
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

  /** @param minor msat or cents. @returns null without a price */
  worth(minor: bigint, currency: 'BTC' | 'USD', account: AccountRow): Worth | null {
    return worthNow(minor, currency, account, this.prices.quote);
  }

  /** What is left of these limits, a sentence or two for each; none without a limit, and none without a price, because they are in dollars. */
  async left(account: AccountRow, flows: readonly AccountFlow[]): Promise<string[]> {
    const { centsPerBtc } = this.prices;
    if (centsPerBtc === null) return [];
    const states = await this.limits.list(account, centsPerBtc);
    return states.filter(({ flow }) => flows.includes(flow)).map((state) => this.sentence(state, centsPerBtc));
  }

  /** Why nothing was sent, with what is left where a limit is the reason; undefined if it has begun. */
  async refusalIn(outcome: PaymentOutcome, account: AccountRow): Promise<string | undefined> {
    const text = refusalIn(outcome);
    const flow = outcome.kind === 'refused' ? FLOWS[outcome.reason] : undefined;
    return text === undefined || flow === undefined ? text : [text, ...(await this.left(account, [flow]))].join(' ');
  }

  private sentence({ flow, leftCents, nextFreeAt }: AccountLimitState, centsPerBtc: bigint): string {
    const inSats = moneyText(bitcoin(msatOfCents(BigInt(leftCents), centsPerBtc)));
    const amount = leftCents > 0 ? `at most ${moneyText(dollars(leftCents))} (about ${inSats})` : 'nothing more';
    const more = nextFreeAt === null ? '' : ` More becomes free ${soonWords(nextFreeAt, { now: new Date(this.clock.now()) })}.`;
    return `${WHAT[flow]} ${amount} now.${more}`;
  }
}
