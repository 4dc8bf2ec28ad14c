import { Injectable } from '@nestjs/common';
import { firstPage } from '../../platform/database/index.js';
import { PriceService } from '../../money/price/index.js';
import { HistoryService } from '../../money/transaction/index.js';
import { AccountLimitsService, AccountService, walletOf, type AccountRow, type Currency } from '../../money/wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { hasDollars, moneyOf, worthNow } from '../activity/amount.js';
import type { Balance, WalletModel } from './wallet.view.js';

const RECENT = 10;

@Injectable()
export class WalletPageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly history: HistoryService,
    private readonly activities: ActivityService,
    private readonly prices: PriceService,
    private readonly limits: AccountLimitsService,
  ) {}

  async read(userId: string): Promise<Pick<WalletModel, 'bitcoin' | 'dollar' | 'activity' | 'hasLimits'>> {
    const account = await this.accounts.getOfUser(userId);
    const scope = { accountId: account.id, walletIds: account.wallets.map(({ id }) => id) };
    const rows = await this.history.list(scope, firstPage(RECENT));
    return {
      bitcoin: this.balanceOf(account, 'BTC'),
      dollar: hasDollars(account) ? this.balanceOf(account, 'USD') : null,
      hasLimits: this.limits.limitOf(account.level, 'withdrawal') !== null,
      activity: await this.activities.of(userId, rows.slice(0, RECENT)),
    };
  }

  private balanceOf(account: AccountRow, currency: Currency): Balance {
    const { posted, held } = walletOf(account, currency);
    return {
      amount: moneyOf(posted - held, currency),
      about: worthNow(posted - held, currency, account, this.prices.quote),
      held: held > 0n ? moneyOf(held, currency) : null,
    };
  }
}
