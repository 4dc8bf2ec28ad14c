import { Args, Context, Query, ResolveField, Resolver, Mutation } from '@nestjs/graphql';
import { CurrentCall, Public, Scopes, userIdOf, type Call, type GqlContext } from '../../edge/auth/index.js';
import { Attempts } from '../../edge/idempotency/index.js';
import type { QueryUsernameAvailableArgs, UserUpdateLanguageInput, UserUpdateUsernameInput } from '../../generated/graphql.js';
import { type Implements, type Result, InvalidInput } from '../../edge/graphql/index.js';
import { usernameOf } from './identity.js';
import { RegistrationService } from './registration.service.js';
import { ProfileService, type RenameOutcome, USERNAME_DAYS, UserService, type UserRow } from './user.service.js';

const RENAME_REFUSALS: Readonly<Record<RenameOutcome, string | null>> = {
  changed: null,
  same: null,
  taken: 'Username is taken',
  reserved: 'Username is reserved',
  too_soon: `The username can be changed once in ${USERNAME_DAYS} days`,
};

@Resolver('User')
export class UserResolver
  implements
    Implements<'Query', 'me' | 'usernameAvailable'>,
    Implements<'User', 'email' | 'phone'>,
    Implements<'Mutation', 'userUpdateLanguage' | 'userUpdateUsername'>
{
  constructor(
    private readonly users: UserService,
    private readonly registrations: RegistrationService,
    private readonly profiles: ProfileService,
    private readonly attempts: Attempts,
  ) {}

  @Query()
  @Scopes('read')
  me(@Context() { principal }: GqlContext): Promise<Result<'Query', 'me'>> {
    return this.users.findById(userIdOf(principal));
  }

  @Query()
  @Public()
  usernameAvailable(@Args() { username }: QueryUsernameAvailableArgs): Promise<Result<'Query', 'usernameAvailable'>> {
    return this.registrations.usernameAvailable(username);
  }

  // Without parameter decorators Nest binds the method directly: no wrapper, no await.
  @ResolveField()
  email({ email, emailVerifiedAt }: UserRow): Result<'User', 'email'> {
    return { address: email, verified: emailVerifiedAt !== null };
  }

  /** There is no sign-in by phone. Clients still select the field, and show nothing for null. */
  @ResolveField()
  phone(): Result<'User', 'phone'> {
    return null;
  }

  @Mutation()
  @Scopes('write')
  async userUpdateLanguage(
    @Args('input') input: UserUpdateLanguageInput,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'userUpdateLanguage'>> {
    const userId = userIdOf(principal);
    const user = await this.attempts.once(
      attempt,
      (tx) => this.profiles.setLanguage(userId, input.language, tx),
      () => this.users.findById(userId),
    );
    return { errors: [], user };
  }

  @Mutation()
  @Scopes('write')
  async userUpdateUsername(
    @Args('input') input: UserUpdateUsernameInput,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'userUpdateUsername'>> {
    const userId = userIdOf(principal);
    await this.attempts.once(
      attempt,
      async (tx) => {
        const refusal = RENAME_REFUSALS[await this.profiles.rename(userId, usernameOf(input.username) ?? '', tx)];
        if (refusal !== null) throw InvalidInput.of(refusal, 'USERNAME_ERROR', ['input', 'username']);
      },
      () => undefined,
    );
    return { errors: [], user: await this.users.findById(userId) };
  }
}
