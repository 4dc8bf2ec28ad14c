import { Args, Query, ResolveField, Resolver, Mutation } from '@nestjs/graphql';
import { CurrentCall, Public, Scopes, userIdOf, type Call } from '../../edge/auth/index.js';
import { Attempts } from '../../edge/idempotency/index.js';
import type {
  AccountUpdateDefaultWalletIdInput,
  AccountUpdateDisplayCurrencyInput,
  QueryAccountDefaultWalletArgs,
  QueryUserDefaultWalletIdArgs,
} from '../../generated/graphql.js';
import { InvalidInput, type Implements, type Result } from '../../edge/graphql/index.js';
import { DAY_SECONDS } from '../../platform/kernel/clock.js';
import { PriceService, realtimePriceOf, type RealtimePriceRow, UNAVAILABLE, requireCurrency } from '../price/index.js';
import type { UserRow } from '../../access/user/index.js';
import { AccountService, type WalletRef } from './account.service.js';
import { balanceOf, type AccountFlow, type AccountLimitRow, type AccountRow, type Currency, type WalletRow } from './wallet.row.js';
import { AccountLimitsService } from './account-limits.service.js';

@Resolver()
export class DefaultWalletResolver implements Implements<'Query', keyof DefaultWalletResolver> {
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
export class UserAccountResolver implements Implements<'User', keyof UserAccountResolver> {
  constructor(private readonly accounts: AccountService) {}

  @ResolveField()
  defaultAccount(user: UserRow): Promise<AccountRow> {
    return this.accounts.getOfUser(user.id);
  }
}

@Resolver('ConsumerAccount')
export class AccountResolver implements Implements<'ConsumerAccount', keyof AccountResolver> {
  constructor(
    private readonly prices: PriceService,
    private readonly limitsOfAccounts: AccountLimitsService,
  ) {}

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

  @ResolveField()
  limits({ id: accountId, level }: AccountRow): Result<'ConsumerAccount', 'limits'> {
    const of = (flow: AccountFlow): AccountLimitRow[] => {
      const totalLimit = this.limitsOfAccounts.limitOf(level, flow);
      return totalLimit === null ? [] : [{ __typename: 'OneDayAccountLimit', interval: DAY_SECONDS, totalLimit, accountId, flow }];
    };
    return { withdrawal: of('withdrawal'), internalSend: of('internal_send'), convert: of('convert') };
  }
}

function walletIn(account: AccountRow, walletId: string): WalletRow {
  const wallet = account.wallets.find(({ id }) => id === walletId.toLowerCase());
  if (!wallet) throw InvalidInput.of('Invalid walletId for account.', 'NOT_FOUND', ['walletId']);
  return wallet;
}

@Resolver('OneDayAccountLimit')
export class AccountLimitResolver implements Implements<'OneDayAccountLimit', keyof AccountLimitResolver> {
  constructor(
    private readonly limits: AccountLimitsService,
    private readonly prices: PriceService,
  ) {}

  @ResolveField()
  async remainingLimit({ accountId, flow, totalLimit }: AccountLimitRow): Promise<number> {
    const { centsPerBtc } = this.prices;
    if (centsPerBtc === null) throw new InvalidInput([UNAVAILABLE]);
    return this.limits.remainingCents(accountId, flow, totalLimit, centsPerBtc);
  }
}

@Resolver()
export class AccountSettingsResolver implements Implements<'Mutation', keyof AccountSettingsResolver> {
  constructor(
    private readonly accounts: AccountService,
    private readonly prices: PriceService,
    private readonly attempts: Attempts,
  ) {}

  @Mutation()
  @Scopes('write')
  async accountUpdateDefaultWalletId(
    @Args('input') input: AccountUpdateDefaultWalletIdInput,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'accountUpdateDefaultWalletId'>> {
    const userId = userIdOf(principal);
    await this.attempts.once(
      attempt,
      async (tx) => {
        if (await this.accounts.chooseDefaultWallet(userId, input.walletId, tx)) return {};
        throw InvalidInput.of('Wallet not found', 'NOT_FOUND', ['input', 'walletId']);
      },
      () => ({}),
    );
    return { errors: [], account: await this.accounts.getOfUser(userId) };
  }

  @Mutation()
  @Scopes('write')
  async accountUpdateDisplayCurrency(
    @Args('input') { currency }: AccountUpdateDisplayCurrencyInput,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'accountUpdateDisplayCurrency'>> {
    const userId = userIdOf(principal);
    requireCurrency(currency, this.prices);
    await this.attempts.once(
      attempt,
      async (tx) => this.accounts.chooseDisplayCurrency(userId, currency, tx),
      () => undefined,
    );
    return { errors: [], account: await this.accounts.getOfUser(userId) };
  }
}

@Resolver('Wallet')
export class WalletResolver implements Implements<'BTCWallet', keyof WalletResolver>, Implements<'UsdWallet', keyof WalletResolver> {
  @ResolveField()
  walletCurrency(wallet: WalletRow): Result<'BTCWallet', 'walletCurrency'> {
    return wallet.currency;
  }

  @ResolveField()
  balance(wallet: WalletRow): number {
    return balanceOf(wallet);
  }
}
