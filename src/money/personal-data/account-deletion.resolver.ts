import { Context, Mutation, Resolver } from '@nestjs/graphql';
import { FRESH_SECONDS, SessionService } from '../../access/session/index.js';
import { SessionOnly, userIdOf, type GqlContext } from '../../edge/auth/index.js';
import { AccessError, type ErrorCode, type Implements, type Result } from '../../edge/graphql/index.js';
import { DELETION_REFUSALS } from './account-deletion.outcome.js';
import { AccountDeletionService } from './account-deletion.service.js';

@Resolver()
export class AccountDeletionResolver implements Implements<'Mutation', 'accountDelete'> {
  constructor(
    private readonly deletions: AccountDeletionService,
    private readonly sessions: SessionService,
  ) {}

  /** The principal's id is that of the session. @throws AccessError (RFC 9470): the script signs in again, and repeats the call */
  @Mutation()
  @SessionOnly()
  async accountDelete(@Context() { principal }: GqlContext): Promise<Result<'Mutation', 'accountDelete'>> {
    const code: ErrorCode = 'INSUFFICIENT_USER_AUTHENTICATION';
    if (!(await this.sessions.isFresh(principal.id, FRESH_SECONDS)))
      throw new AccessError('Sign in again to delete the account', { extensions: { code, max_age: FRESH_SECONDS } });
    const outcome = await this.deletions.delete(userIdOf(principal));
    if (outcome.kind === 'deleted') return { errors: [], success: true };
    const { code: refusal, text: message } = DELETION_REFUSALS[outcome.reason];
    return { errors: [{ message, code: refusal, path: null }], success: false };
  }
}
