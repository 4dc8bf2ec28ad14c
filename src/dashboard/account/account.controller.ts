import { Get, Post, Query } from '@nestjs/common';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Form } from '../../edge/page/index.js';
import { ProfileService, USERNAME_DAYS, UserService, usernameOf } from '../../access/user/index.js';
import { hasPriceIn, listCurrencies, PriceService } from '../../money/price/index.js';
import { AccountLimitsService, AccountService, walletOf } from '../../money/wallet/index.js';
import { DAY_SECONDS } from '../../platform/kernel/clock.js';
import { currencyIn } from '../activity/amount.js';
import { paths } from '../paths.js';
import { DashboardPages, type Answer, type Redirect, type Screen } from '../screen.js';
import { accountPage, savedIn, type AccountModel, type Saved } from './account.view.js';
import { LANGUAGE_TAGS, USERNAME_FAULTS } from './profile.view.js';

const savedAs = (saved: Saved): Redirect => ({ seeOther: `${paths.account}?saved=${saved}` });

@DashboardPages('/account')
export class AccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly limits: AccountLimitsService,
    private readonly prices: PriceService,
    private readonly users: UserService,
    private readonly profiles: ProfileService,
  ) {}

  @Get()
  account(@Query('saved') saved: unknown, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    return this.screen(user.id, { saved: savedIn(saved) });
  }

  @Post('currency')
  async chooseCurrency(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const currency = form.text('currency');
    if (!hasPriceIn(currency, this.prices)) return this.screen(user.id, { hasFault: true }, 422);
    await this.accounts.chooseDisplayCurrency(user.id, currency);
    return savedAs('currency');
  }

  @Post('username')
  async changeUsername(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const typed = form.text('username');
    const username = usernameOf(typed);
    const text = USERNAME_FAULTS[username === undefined ? 'malformed' : await this.profiles.rename(user.id, username)];
    return text === null ? savedAs('username') : this.screen(user.id, { usernameFault: { typed, text } }, 422);
  }

  /** What the page does not offer is no choice of a person. */
  @Post('language')
  async chooseLanguage(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const language = form.text('language');
    if (language === '' || LANGUAGE_TAGS.includes(language)) await this.profiles.setLanguage(user.id, language);
    return savedAs('language');
  }

  @Post('wallet')
  async chooseWallet(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const account = await this.accounts.getOfUser(user.id);
    await this.accounts.chooseDefaultWallet(user.id, walletOf(account, currencyIn(form)).id);
    return savedAs('wallet');
  }

  private async screen(userId: string, form: Pick<AccountModel, 'saved' | 'hasFault' | 'usernameFault'>, status = 200): Promise<Screen> {
    const [account, user] = [await this.accounts.getOfUser(userId), await this.users.findById(userId)];
    if (!user) throw new Error(`User ${userId} is signed in, and not there`);
    const { quote, centsPerBtc } = this.prices;
    const freeAt = user.usernameChangedAt && new Date(user.usernameChangedAt.getTime() + USERNAME_DAYS * DAY_SECONDS * 1_000);
    const model = {
      ...form,
      resetLimit: await this.users.resetLimitOf(userId),
      profile: {
        username: user.username,
        usernameFreeAt: freeAt,
        language: user.language,
        defaultWallet: account.defaultWalletId === walletOf(account, 'USD').id ? 'USD' : 'BTC',
      },
      limits: await this.limits.list(account, this.limits.priceAt(centsPerBtc)),
      hasSource: this.prices.hasSource,
      hasPrice: quote !== undefined,
      currency: account.displayCurrency,
      currencies: quote ? listCurrencies(quote) : [],
    } as const;
    return { draw: (frame) => accountPage({ ...model, frame }), status };
  }
}
