import { Controller, Get, Redirect } from '@nestjs/common';
import { CurrentVisitor, Public, type Visitor } from '../../edge/auth/index.js';
import { newest } from '../activity/page-links.js';
import { HistoryService } from '../../money/transaction/index.js';
import { PriceService } from '../../money/price/index.js';
import { AccountLimitsService, AccountService, walletOf, type AccountRow, type Currency } from '../../money/wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { hasDollars, moneyOf, worthNow } from '../activity/amount.js';
import { paths } from '../paths.js';
import { DashboardPages, type Screen } from '../screen.js';
import { walletPage, type Balance } from './wallet.view.js';

const RECENT = 10;

@DashboardPages('')
export class WalletController {
  constructor(
    private readonly accounts: AccountService,
    private readonly activities: ActivityService,
    private readonly history: HistoryService,
    private readonly prices: PriceService,
    private readonly limits: AccountLimitsService,
  ) {}

  @Get()
  async wallet(@CurrentVisitor() { user: { id: userId, username } }: Visitor): Promise<Screen> {
    const account = await this.accounts.getOfUser(userId);
    const { id: accountId, wallets } = account;
    const rows = await this.history.list({ accountId, walletIds: wallets.map(({ id }) => id) }, newest(RECENT));
    const model = {
      username,
      bitcoin: this.balanceOf(account, 'BTC'),
      dollar: hasDollars(account) ? this.balanceOf(account, 'USD') : null,
      hasSource: this.prices.hasSource,
      hasLimits: this.limits.limitOf(account.level, 'withdrawal') !== null,
      activity: await this.activities.of(userId, rows.slice(0, RECENT)),
    };
    return { draw: (frame) => walletPage({ ...model, frame }), live: true };
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

@Controller()
export class RootController {
  @Get()
  @Public()
  @Redirect(paths.wallet, 303)
  front(): void {}
}
