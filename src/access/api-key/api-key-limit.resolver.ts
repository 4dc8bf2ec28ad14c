import { Args, Context, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { SessionOnly, userIdOf, type GqlContext } from '../../edge/auth/index.js';
import { MAX_LIMIT_SATS, type BudgetWindow } from '../limit/index.js';
import type { LimitTimeWindow, MutationApiKeyRemoveLimitArgs } from '../../generated/graphql.js';
import { InvalidInput, type Implements, type Result } from '../../edge/graphql/index.js';
import { ApiKeyLimits } from './api-key-limits.js';
import { KeySetLimitArgs } from './api-key.input.js';
import type { ApiKeyLimitOutcome } from './api-key.outcome.js';
import type { ApiKeyRow } from './api-key.row.js';
import { LIMIT_INVALID } from './key-rules.js';

const WINDOWS: Readonly<Record<LimitTimeWindow, BudgetWindow>> = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly', ANNUAL: 'annual' };

@Resolver('ApiKey')
export class ApiKeyLimitResolver implements Implements<'Mutation', 'apiKeySetLimit' | 'apiKeyRemoveLimit'>, Implements<'ApiKey', 'limits'> {
  constructor(private readonly limitsOfKeys: ApiKeyLimits) {}

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  async apiKeySetLimit(
    @Args() { input: { id, limitTimeWindow, limitSats } }: KeySetLimitArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'apiKeySetLimit'>> {
    return payloadOf(await this.limitsOfKeys.change(userIdOf(principal), id, { [WINDOWS[limitTimeWindow]]: limitSats }));
  }

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  async apiKeyRemoveLimit(
    @Args() { input: { id, limitTimeWindow } }: MutationApiKeyRemoveLimitArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'apiKeyRemoveLimit'>> {
    return payloadOf(await this.limitsOfKeys.change(userIdOf(principal), id, { [WINDOWS[limitTimeWindow]]: null }));
  }

  @ResolveField()
  async limits({ id }: ApiKeyRow): Promise<Result<'ApiKey', 'limits'>> {
    const { daily, weekly, monthly, annual } = await this.limitsOfKeys.load(id);
    return {
      dailyLimitSats: daily.limitSats,
      dailySpentSats: inRange(daily.spentSats),
      weeklyLimitSats: weekly.limitSats,
      weeklySpentSats: inRange(weekly.spentSats),
      monthlyLimitSats: monthly.limitSats,
      monthlySpentSats: inRange(monthly.spentSats),
      annualLimitSats: annual.limitSats,
      annualSpentSats: inRange(annual.spentSats),
    };
  }
}

const inRange = (sats: number): number => Math.min(sats, MAX_LIMIT_SATS);

function payloadOf(outcome: ApiKeyLimitOutcome): { readonly apiKey: ApiKeyRow } {
  if (outcome.kind === 'not_found') throw InvalidInput.of('API key not found', 'NOT_FOUND', ['input', 'id']);
  if (outcome.kind === 'ended') throw InvalidInput.of('The API key was revoked or has expired', 'API_KEY_ENDED', ['input', 'id']);
  if (outcome.kind === 'invalid') throw InvalidInput.of(LIMIT_INVALID, 'INVALID_INPUT', ['input', 'limitSats']);
  return { apiKey: outcome.apiKey };
}
