import { Get, Post, Query } from '@nestjs/common';
import { CurrentVisitor, type Visitor } from '../../edge/auth/index.js';
import { PageForm, type Form } from '../../edge/page/index.js';
import { UserService } from '../../access/user/index.js';
import { hasPriceIn, listCurrencies, PriceService } from '../../money/price/index.js';
import { AccountLimitsService, AccountService } from '../../money/wallet/index.js';
import { paths } from '../paths.js';
import { DashboardPages, type Answer, type Screen } from '../screen.js';
import { accountPage, type AccountModel } from './account.view.js';

@DashboardPages('/account')
export class AccountController {
  constructor(
    private readonly accounts: AccountService,
    private readonly limits: AccountLimitsService,
    private readonly prices: PriceService,
    private readonly users: UserService,
  ) {}

  @Get()
  account(@Query('currency') currency: unknown, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    return this.screen(user.id, { isSaved: currency === 'saved' });
  }

  @Post('currency')
  async chooseCurrency(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const currency = form.text('currency');
    if (!hasPriceIn(currency, this.prices)) return this.screen(user.id, { hasFault: true }, 422);
    await this.accounts.chooseDisplayCurrency(user.id, currency);
    return { seeOther: `${paths.account}?currency=saved` };
  }

  private async screen(userId: string, form: Pick<AccountModel, 'isSaved' | 'hasFault'>, status = 200): Promise<Screen> {
    const account = await this.accounts.getOfUser(userId);
    const { quote, centsPerBtc } = this.prices;
    const model = {
      ...form,
      resetLimit: await this.users.resetLimitOf(userId),
      limits: await this.limits.list(account, this.limits.priceAt(centsPerBtc)),
      hasSource: this.prices.hasSource,
      hasPrice: quote !== undefined,
      currency: account.displayCurrency,
      currencies: quote ? listCurrencies(quote) : [],
    };
    return { draw: (frame) => accountPage({ ...model, frame }), status };
  }
}
