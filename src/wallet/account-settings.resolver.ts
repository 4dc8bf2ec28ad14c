import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import { InvalidInput, type Implements, type Result } from '../graphql/index.js';
import { AccountService } from './account.service.js';
import { DefaultWalletIdArgs } from './wallet.input.js';

/** What the owner of an account chooses. */
@Resolver()
export class AccountSettingsResolver implements Implements<'Mutation', 'accountUpdateDefaultWalletId'> {
  constructor(private readonly accounts: AccountService) {}

  @Mutation()
  @Scopes('write')
  async accountUpdateDefaultWalletId(
    @Args() { input }: DefaultWalletIdArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'accountUpdateDefaultWalletId'>> {
    const userId = userIdOf(principal);
    if (!(await this.accounts.chooseDefaultWallet(userId, input.walletId)))
      throw InvalidInput.of('Wallet not found', 'NOT_FOUND', ['input', 'walletId']);
    return { errors: [], account: await this.accounts.getOfUser(userId) };
  }
}
