import { Injectable } from '@nestjs/common';
import { hasPriceIn, listCurrencies, PriceService } from '../../money/price/index.js';
import { AccountLimitsService, AccountService } from '../../money/wallet/index.js';
import type { AccountModel } from './account.view.js';

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
