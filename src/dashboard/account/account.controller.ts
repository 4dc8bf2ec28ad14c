import { Get, Post, Query, Res, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../../edge/auth/index.js';
import { PageController, PageForm, PageRenderer, seeOther, type Form } from '../../edge/page/index.js';
import { paths } from '../paths.js';
import { accountPage, type AccountModel } from './account.view.js';
import { hasPriceIn, listCurrencies, PriceService } from '../../money/price/index.js';
import { AccountLimitsService, AccountService } from '../../money/wallet/index.js';

@Injectable()
export class AccountPageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly limits: AccountLimitsService,
    private readonly prices: PriceService,
  ) {}

  async read(userId: string): Promise<Omit<AccountModel, 'frame' | 'isSaved'>> {
    const account = await this.accounts.getOfUser(userId);
    const { quote, centsPerBtc } = this.prices;
    return {
      limits: await this.limits.list(account, this.limits.priceAt(centsPerBtc)),
      hasPrice: quote !== undefined,
      currency: account.displayCurrency,
      currencies: quote ? listCurrencies(quote) : [],
    };
  }

  /** @returns false for a currency without a price */
  async chooseCurrency(userId: string, currency: string): Promise<boolean> {
    if (!hasPriceIn(currency, this.prices)) return false;
    await this.accounts.chooseDisplayCurrency(userId, currency);
    return true;
  }
}

@PageController('dashboard/account')
@PageSession()
export class AccountController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly service: AccountPageService,
  ) {}

  @Get()
  async account(@Query() query: Record<string, unknown>, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    await this.show(reply, visitor, { isSaved: query['currency'] === 'saved' });
  }

  @Post('currency')
  async chooseCurrency(@CurrentVisitor() visitor: Visitor, @PageForm() form: Form, @Res() reply: FastifyReply): Promise<void> {
    const isChosen = await this.service.chooseCurrency(visitor.user.id, form.text('currency'));
    if (isChosen) return seeOther(reply, `${paths.account}?currency=saved`);
    await this.show(reply, visitor, { hasFault: true }, 422);
  }

  private async show(reply: FastifyReply, visitor: Visitor, form: Pick<AccountModel, 'isSaved' | 'hasFault'>, status = 200): Promise<void> {
    const model = await this.service.read(visitor.user.id);
    await this.renderer.send(reply, visitor, (frame) => accountPage({ ...model, ...form, frame }), { status });
  }
}
