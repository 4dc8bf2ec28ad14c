import { Context, Mutation, Resolver } from '@nestjs/graphql';
import { freshUserId, SessionService } from '../../access/session/index.js';
import { SessionOnly, type GqlContext } from '../../edge/auth/index.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { DELETION_REFUSALS } from './account-deletion.outcome.js';
import { AccountDeletionService } from './account-deletion.service.js';

@Resolver()
export class AccountDeletionResolver implements Implements<'Mutation', 'accountDelete'> {
  constructor(
    private readonly deletions: AccountDeletionService,
    private readonly sessions: SessionService,
  ) {}

  @Mutation()
  @SessionOnly()
  async accountDelete(@Context() { principal }: GqlContext): Promise<Result<'Mutation', 'accountDelete'>> {
    const outcome = await this.deletions.delete(await freshUserId(this.sessions, principal));
    if (outcome.kind === 'deleted') return { errors: [], success: true };
    const { code, text: message } = DELETION_REFUSALS[outcome.reason];
    return { errors: [{ message, code, path: null }], success: false };
  }
}
