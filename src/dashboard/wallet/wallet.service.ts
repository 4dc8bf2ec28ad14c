import { Injectable } from '@nestjs/common';
import { firstPage } from '../../database/index.js';
import { bitcoin, dollars } from '../../page/index.js';
import { msatOfCents, PriceSource } from '../../price/index.js';
import { HistoryService } from '../../transaction/index.js';
import { AccountService, type AccountRow } from '../../wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { worth } from '../activity/amount.js';
import type { Balance, WalletModel } from './wallet.view.js';

const RECENT = 10;

/** Reads balances and the latest payments. */
@Injectable()
export class WalletPageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly history: HistoryService,
    private readonly activities: ActivityService,
    private readonly prices: PriceSource,
  ) {}

  async read(userId: string): Promise<Pick<WalletModel, 'bitcoin' | 'dollar' | 'activity'>> {
    const account = await this.accounts.getOfUser(userId);
    const scope = { accountId: account.id, walletIds: account.wallets.map(({ id }) => id) };
    const rows = await this.history.list(scope, firstPage(RECENT));
    return {
      bitcoin: this.balanceOf(account, 'BTC'),
      dollar: holdsMoney(account, 'USD') ? this.balanceOf(account, 'USD') : null,
      activity: await this.activities.of(userId, rows.slice(0, RECENT)),
    };
  }

  private balanceOf({ wallets }: AccountRow, currency: 'BTC' | 'USD'): Balance {
    const wallet = wallets.find((each) => each.currency === currency);
    const [posted, held] = [wallet?.posted ?? 0n, wallet?.held ?? 0n];
    const price = this.prices.centsPerBtc();
    if (currency === 'BTC')
      return { amount: bitcoin(posted - held), about: worth(posted - held, price), held: held > 0n ? bitcoin(held) : null };
    return {
      amount: dollars(posted - held),
      about: bitcoin(msatOfCents(posted - held, price)),
      held: held > 0n ? dollars(held) : null,
    };
  }
}

const holdsMoney = ({ wallets }: AccountRow, currency: 'BTC' | 'USD'): boolean =>
  wallets.some((wallet) => wallet.currency === currency && (wallet.posted !== 0n || wallet.held !== 0n));
