import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { SessionOnly, type GqlContext } from '../../edge/auth/index.js';
import type { MutationUserLogoutArgs } from '../../generated/graphql.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { SessionService } from './session.service.js';

@Resolver()
export class SessionResolver implements Implements<'Mutation', 'userLogout'> {
  constructor(private readonly sessions: SessionService) {}

  /** The principal's id is that of the session. Without devices to notify, the input has no use. */
  @Mutation()
  @SessionOnly()
  async userLogout(@Args() _args: MutationUserLogoutArgs, @Context() { principal }: GqlContext): Promise<Result<'Mutation', 'userLogout'>> {
    await this.sessions.end(principal.id);
    return { errors: [], success: true };
  }
}
