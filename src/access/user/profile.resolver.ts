import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext } from '../../edge/auth/index.js';
import type { MutationUserUpdateUsernameArgs } from '../../generated/graphql.js';
import { InvalidInput, type Implements, type Result } from '../../edge/graphql/index.js';
import { ProfileService } from './profile.service.js';
import { LanguageUpdateArgs } from './user.input.js';

@Resolver()
export class ProfileResolver implements Implements<'Mutation', 'userUpdateLanguage' | 'userUpdateUsername'> {
  constructor(private readonly profiles: ProfileService) {}

  @Mutation()
  @Scopes('write')
  async userUpdateLanguage(
    @Args() { input }: LanguageUpdateArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'userUpdateLanguage'>> {
    return { errors: [], user: await this.profiles.setLanguage(userIdOf(principal), input.language) };
  }

  @Mutation()
  @Scopes('write')
  async userUpdateUsername(
    @Args() { input }: MutationUserUpdateUsernameArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'userUpdateUsername'>> {
    const outcome = await this.profiles.setUsername(userIdOf(principal), input.username);
    if (outcome.kind === 'immutable') throw InvalidInput.of('The username cannot be changed', 'USERNAME_ERROR', ['input', 'username']);
    return { errors: [], user: outcome.user };
  }
}
