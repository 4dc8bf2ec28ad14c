import { Args, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Public } from '../auth/index.js';
import type { QueryAccountDefaultWalletArgs, QueryUserDefaultWalletIdArgs } from '../generated/graphql.js';
import { InvalidInput, type Implements, type Result } from '../graphql/index.js';
import { PriceService, realtimePriceOf, type RealtimePriceRow } from '../price/index.js';
import type { UserRow } from '../user/index.js';
import { AccountService, type WalletRef } from './account.service.js';
import type { Currency } from './currency.js';
import type { AccountRow, WalletRow } from './wallet.row.js';

@Resolver()
export class DefaultWalletResolver implements Implements<'Query', 'accountDefaultWallet' | 'userDefaultWalletId'> {
  constructor(private readonly accounts: AccountService) {}

  @Query()
  @Public()
  async accountDefaultWallet(
    @Args() { username, walletCurrency }: QueryAccountDefaultWalletArgs,
  ): Promise<Result<'Query', 'accountDefaultWallet'>> {
    const { id, currency } = await this.defaultWalletOf(username, walletCurrency ?? null);
    return { id, currency, walletCurrency: currency };
  }

  @Query()
  @Public()
  async userDefaultWalletId(@Args() { username }: QueryUserDefaultWalletIdArgs): Promise<Result<'Query', 'userDefaultWalletId'>> {
    return (await this.defaultWalletOf(username, null)).id;
  }

  private async defaultWalletOf(username: string, currency: Currency | null): Promise<Pick<WalletRef, 'id' | 'currency'>> {
    const wallet = await this.accounts.findDefaultWallet(username, currency);
    if (!wallet) throw InvalidInput.of(`Account does not exist for username ${username}`, 'NOT_FOUND', ['username']);
    return wallet;
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
