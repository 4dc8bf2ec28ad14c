import { Args, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Public } from '../auth/index.js';
import { InvalidInput, type Implements, type Result } from '../graphql/index.js';
import { PriceService, realtimePriceOf, type RealtimePriceRow } from '../price/index.js';
import type { UserRow } from '../user/index.js';
import { AccountService } from './account.service.js';
import { DefaultWalletArgs } from './wallet.input.js';
import type { AccountRow, WalletRow } from './wallet.row.js';

@Resolver()
export class DefaultWalletResolver implements Implements<'Query', 'accountDefaultWallet'> {
  constructor(private readonly accounts: AccountService) {}

  @Query()
  @Public()
  async accountDefaultWallet(@Args() { username, walletCurrency }: DefaultWalletArgs): Promise<Result<'Query', 'accountDefaultWallet'>> {
    const wallet = await this.accounts.findDefaultWallet(username, walletCurrency ?? null);
    if (!wallet) throw InvalidInput.of(`Account does not exist for username ${username}`, 'NOT_FOUND', ['username']);
    return { id: wallet.id, currency: wallet.currency, walletCurrency: wallet.currency };
  }
}

@Resolver('User')
export class UserAccountResolver implements Implements<'User', 'defaultAccount'> {
  constructor(private readonly accounts: AccountService) {}

  @ResolveField()
  defaultAccount(user: UserRow): Promise<AccountRow> {
    return this.accounts.getOfUser(user.id);
  }
}

@Resolver('ConsumerAccount')
export class AccountResolver implements Implements<'ConsumerAccount', 'defaultWallet' | 'walletById' | 'realtimePrice'> {
  constructor(private readonly prices: PriceService) {}

  @ResolveField()
  defaultWallet(account: AccountRow): Result<'ConsumerAccount', 'defaultWallet'> {
    const { id, currency } = walletIn(account, account.defaultWalletId);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients still ask for it
    return { id, currency, walletCurrency: currency };
  }

  @ResolveField()
  walletById(account: AccountRow, { walletId }: { walletId: string }): WalletRow {
    return walletIn(account, walletId);
  }

  @ResolveField()
  realtimePrice(account: AccountRow): RealtimePriceRow {
    return realtimePriceOf(account.displayCurrency, this.prices);
  }
}

function walletIn(account: AccountRow, walletId: string): WalletRow {
  const wallet = account.wallets.find(({ id }) => id === walletId.toLowerCase());
  if (!wallet) throw InvalidInput.of('Invalid walletId for account.', 'NOT_FOUND', ['walletId']);
  return wallet;
}
