import { Context, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext, type Implements, type Result, type TransactionRow } from '../../../src/index.js';
import type { Resolvers } from './generated.js';
import { TippingService } from './tipping.service.js';

@Resolver('Transaction')
export class TippingResolver implements Implements<'Query', 'tipsReceived', Resolvers>, Implements<'Transaction', 'isTip', Resolvers> {
  constructor(private readonly tipping: TippingService) {}

  @Query()
  @Scopes('tipping:read')
  tipsReceived(@Context() { principal }: GqlContext): Promise<Result<'Query', 'tipsReceived', Resolvers>> {
    return this.tipping.received(userIdOf(principal));
  }

  @ResolveField()
  isTip(transaction: TransactionRow): boolean {
    return this.tipping.isTip(transaction);
  }
}
