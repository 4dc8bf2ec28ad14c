import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import type { MutationAccountUpdateDefaultWalletIdArgs, MutationAccountUpdateDisplayCurrencyArgs } from '../generated/graphql.js';
import { InvalidInput, type Implements, type Result } from '../graphql/index.js';
import { PriceService, requireCurrency } from '../price/index.js';
import { AccountService } from './account.service.js';

/** What the owner of an account chooses. */
@Resolver()
export class AccountSettingsResolver implements Implements<'Mutation', 'accountUpdateDefaultWalletId' | 'accountUpdateDisplayCurrency'> {
  constructor(
    private readonly accounts: AccountService,
    private readonly prices: PriceService,
  ) {}

  @Mutation()
  @Scopes('write')
  async accountUpdateDefaultWalletId(
    @Args() { input }: MutationAccountUpdateDefaultWalletIdArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'accountUpdateDefaultWalletId'>> {
    const userId = userIdOf(principal);
    if (!(await this.accounts.chooseDefaultWallet(userId, input.walletId)))
      throw InvalidInput.of('Wallet not found', 'NOT_FOUND', ['input', 'walletId']);
    return { errors: [], account: await this.accounts.getOfUser(userId) };
  }

  @Mutation()
  @Scopes('write')
  async accountUpdateDisplayCurrency(
    @Args() { input: { currency } }: MutationAccountUpdateDisplayCurrencyArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'accountUpdateDisplayCurrency'>> {
    const userId = userIdOf(principal);
    requireCurrency(currency, this.prices);
    await this.accounts.chooseDisplayCurrency(userId, currency);
    return { errors: [], account: await this.accounts.getOfUser(userId) };
  }
}
