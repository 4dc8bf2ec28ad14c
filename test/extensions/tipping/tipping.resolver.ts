import { Context, Query, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { mapped, Scopes, userIdOf, type GqlContext, type Implements, type Result, type TransactionRow } from '../../../src/index.js';
import type { Resolvers } from './generated.js';
import { TippingService, type Tip } from './tipping.service.js';

@Resolver('Transaction')
export class TippingResolver
  implements
    Implements<'Query', 'tipsReceived', Resolvers>,
    Implements<'Subscription', 'tipReceived', Resolvers>,
    Implements<'Transaction', 'isTip', Resolvers>
{
  constructor(private readonly tipping: TippingService) {}

  @Query()
  @Scopes('tipping:read')
  tipsReceived(@Context() { principal }: GqlContext): Promise<Result<'Query', 'tipsReceived', Resolvers>> {
    return this.tipping.received(userIdOf(principal));
  }

  @Subscription()
  @Scopes('tipping:read')
  async tipReceived(@Context() { principal }: GqlContext): Promise<AsyncIterable<{ tipReceived: Tip }>> {
    return mapped(await this.tipping.arriving(userIdOf(principal)), (tip) => ({ tipReceived: tip }));
  }

  @ResolveField()
  isTip(transaction: TransactionRow): boolean {
    return this.tipping.isTip(transaction);
  }
}
