import { Context, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import { Events, mapped } from '../events/index.js';
import type { Implements, Result } from '../graphql/index.js';
import { UserService, type UserRow } from '../user/index.js';
import { AccountService } from '../wallet/index.js';
import { updateOf } from './update.js';

type Update = Result<'Subscription', 'myUpdates'>;

/** Everything that happens to the caller's money, in every wallet. */
@Resolver()
export class UpdatesResolver implements Implements<'Subscription', 'myUpdates'> {
  constructor(
    private readonly events: Events,
    private readonly accounts: AccountService,
  ) {}

  @Subscription()
  @Scopes('read')
  async myUpdates(@Context() { principal }: GqlContext): Promise<AsyncIterable<{ myUpdates: Update }>> {
    const { id } = await this.accounts.getOfUser(userIdOf(principal));
    const changes = this.events.stream('transaction.changed', id);
    // A pending send is not published: some clients cannot handle a frame without an update.
    return mapped(changes, (transaction) => {
      const update = updateOf(transaction);
      return update && { myUpdates: { errors: [], update } as unknown as Update };
    });
  }
}

@Resolver('MyUpdatesPayload')
export class UpdatesPayloadResolver implements Implements<'MyUpdatesPayload', 'me'> {
  constructor(private readonly users: UserService) {}

  @ResolveField()
  me(_payload: unknown, _args: unknown, { principal }: GqlContext): Promise<UserRow | null> {
    return this.users.findById(userIdOf(principal));
  }
}
