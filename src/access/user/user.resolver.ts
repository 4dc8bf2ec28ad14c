import { Args, Context, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { AnyCredential, Public, Scopes, userIdOf, type GqlContext } from '../../edge/auth/index.js';
import type { QueryUsernameAvailableArgs } from '../../generated/graphql.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { RegistrationService } from './registration.service.js';
import { sdlScopes } from './scope.js';
import { UserService, type UserRow } from './user.service.js';

@Resolver('User')
export class UserResolver
  implements Implements<'Query', 'me' | 'authorization' | 'usernameAvailable'>, Implements<'User', 'email' | 'phone' | 'totpEnabled'>
{
  constructor(
    private readonly users: UserService,
    private readonly registrations: RegistrationService,
  ) {}

  @Query()
  @Scopes('read')
  me(@Context() { principal }: GqlContext): Promise<Result<'Query', 'me'>> {
    return this.users.findById(userIdOf(principal));
  }

  @Query()
  @AnyCredential()
  authorization(@Context() { principal }: GqlContext): Result<'Query', 'authorization'> {
    return { scopes: sdlScopes(principal.scopes) };
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

  /** There is no second factor yet. */
  @ResolveField()
  totpEnabled(): Result<'User', 'totpEnabled'> {
    return false;
  }
}
