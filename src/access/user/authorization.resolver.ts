import { Context, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { AnyCredential, type GqlContext, type Principal } from '../../edge/auth/index.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { budgetIdsOf, SpendingLimits } from '../limit/index.js';
import { sdlBudget } from './budget.js';
import { sdlScopes } from './scope.js';

@Resolver('Authorization')
export class AuthorizationResolver implements Implements<'Query', 'authorization'>, Implements<'Authorization', 'budget' | 'scopes'> {
  constructor(private readonly limits: SpendingLimits) {}

  @Query()
  @AnyCredential()
  authorization(@Context() { principal }: GqlContext): Result<'Query', 'authorization'> {
    return principal;
  }

  @ResolveField()
  scopes({ scopes }: Principal): Result<'Authorization', 'scopes'> {
    return sdlScopes(scopes);
  }

  @ResolveField()
  async budget(principal: Principal): Promise<Result<'Authorization', 'budget'>> {
    return (await this.limits.inForce(budgetIdsOf(principal))).map(sdlBudget);
  }
}
