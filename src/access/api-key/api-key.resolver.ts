import { Args, Context, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentCall, SessionOnly, userIdOf, type Call, type GqlContext, type Principal } from '../../edge/auth/index.js';
import { RateLimit } from '../../edge/rate-limit/index.js';
import { Attempts } from '../../edge/idempotency/index.js';
import type {
  MutationApiKeyRevokeArgs,
  LimitTimeWindow,
  MutationApiKeyCreateArgs,
  MutationApiKeySetLimitArgs,
  MutationApiKeyRemoveLimitArgs,
} from '../../generated/graphql.js';
import { InvalidInput, type Implements, type Problem, type Result } from '../../edge/graphql/index.js';
import { assertNever } from '../../platform/kernel/assert-never.js';
import { scopeOfSdl, sdlScopes, type UserRow } from '../user/index.js';
import type { ApiKeyCreateOutcome, ApiKeyFault, ApiKeyRow, ApiKeyLimitOutcome } from './api-key.outcome.js';
import { ApiKeyService } from './api-key.service.js';
import { LIMIT_INVALID, type KeyCreator } from './key-rules.js';
import { MAX_LIMIT_SATS, type BudgetWindow, type LimitsChange } from '../limit/index.js';

@Resolver('ApiKey')
export class ApiKeyResolver
  implements
    Implements<'Mutation', 'apiKeyCreate' | 'apiKeyRevoke' | 'apiKeySetLimit' | 'apiKeyRemoveLimit'>,
    Implements<'ApiKey', 'scopes' | 'readOnly' | 'limits'>
{
  constructor(
    private readonly keys: ApiKeyService,
    private readonly attempts: Attempts,
  ) {}

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  @RateLimit('apiKey')
  async apiKeyCreate(
    @Args() { input }: MutationApiKeyCreateArgs,
    @CurrentCall() { principal, attempt }: Call,
  ): Promise<Result<'Mutation', 'apiKeyCreate'>> {
    const { scopes = [], expireInDays = null, askAbovePaymentSats = null, askAboveDaySats = null, ...more } = input;
    const askAbove = { paymentSats: askAbovePaymentSats, daySats: askAboveDaySats };
    // A key that an app creates has at most the app's own scopes.
    const by = makerOf(principal);
    const wanted = { ...more, askAbove, userId: userIdOf(principal), scopes: scopes.map(scopeOfSdl), expireInDays, by };
    return this.attempts.once(attempt, async (tx) => creationPayload(await this.keys.create(wanted, tx)));
  }

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  async apiKeyRevoke(
    @Args() { input }: MutationApiKeyRevokeArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'apiKeyRevoke'>> {
    const outcome = await this.keys.revoke(userIdOf(principal), input.id, principal.clientId);
    if (outcome.kind === 'not_found') throw InvalidInput.of('API key not found', 'NOT_FOUND', ['input', 'id']);
    return { apiKey: outcome.apiKey };
  }

  @ResolveField()
  scopes({ scopes }: ApiKeyRow): Result<'ApiKey', 'scopes'> {
    return sdlScopes(scopes);
  }

  @ResolveField()
  readOnly({ scopes }: ApiKeyRow): Result<'ApiKey', 'readOnly'> {
    return scopes.length === 1 && scopes[0] === 'read';
  }

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  async apiKeySetLimit(
    @Args() { input: { id, limitTimeWindow, limitSats } }: MutationApiKeySetLimitArgs,
    @CurrentCall() call: Call,
  ): Promise<Result<'Mutation', 'apiKeySetLimit'>> {
    return this.changeLimit(call, id, { [WINDOWS[limitTimeWindow]]: limitSats });
  }

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  async apiKeyRemoveLimit(
    @Args() { input: { id, limitTimeWindow } }: MutationApiKeyRemoveLimitArgs,
    @CurrentCall() call: Call,
  ): Promise<Result<'Mutation', 'apiKeyRemoveLimit'>> {
    return this.changeLimit(call, id, { [WINDOWS[limitTimeWindow]]: null });
  }

  private async changeLimit({ principal, attempt }: Call, id: string, change: LimitsChange): Promise<{ readonly apiKey: ApiKeyRow }> {
    const [userId, { clientId }] = [userIdOf(principal), principal];
    return this.attempts.once(
      attempt,
      async (tx) => payloadOf(await this.keys.changeLimits(userId, id, change, clientId, tx)),
      async () => payloadOf(await this.keys.changeLimits(userId, id, {}, clientId)),
    );
  }

  @ResolveField()
  async limits({ id }: ApiKeyRow): Promise<Result<'ApiKey', 'limits'>> {
    const { daily, weekly, monthly, annual } = await this.keys.loadBudget(id);
    const { paymentSats: askAbovePaymentSats, daySats: askAboveDaySats } = await this.keys.askOf(id);
    return {
      askAbovePaymentSats,
      askAboveDaySats,
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

@Resolver('User')
export class UserApiKeysResolver implements Implements<'User', 'apiKeys'> {
  constructor(private readonly keys: ApiKeyService) {}

  @ResolveField()
  apiKeys({ id }: UserRow): Promise<Result<'User', 'apiKeys'>> {
    return this.keys.list(id);
  }
}

const makerOf = ({ clientId, id, scopes, managesCallbacks = false }: Principal): KeyCreator | undefined =>
  clientId === undefined ? undefined : { clientId, grantId: id, scopes, managesCallbacks };

function creationPayload(outcome: ApiKeyCreateOutcome): Result<'Mutation', 'apiKeyCreate'> {
  switch (outcome.kind) {
    case 'created':
      return { apiKey: outcome.apiKey, apiKeySecret: outcome.secret };
    case 'invalid':
      throw refusalOf(outcome.faults);
    case 'too_many':
      throw InvalidInput.of(`You have ${outcome.limit} active keys, which is the limit. Revoke one first.`);
    case 'disconnected':
      throw InvalidInput.of('Not authorized', 'NOT_AUTHORIZED');
    default:
      return assertNever(outcome);
  }
}

function refusalOf([first, ...rest]: readonly [ApiKeyFault, ...ApiKeyFault[]]): InvalidInput {
  const problemOf = ({ field, message }: ApiKeyFault): Problem => ({ message, code: 'INVALID_INPUT', path: ['input', field] });
  return new InvalidInput([problemOf(first), ...rest.map(problemOf)]);
}

const WINDOWS: Readonly<Record<LimitTimeWindow, BudgetWindow>> = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly', ANNUAL: 'annual' };

const OF_OWNER = 'The owner of the API key has set this limit: an app can lower it, and not raise or remove it';

const inRange = (sats: number): number => Math.min(sats, MAX_LIMIT_SATS);

function payloadOf(outcome: ApiKeyLimitOutcome): { readonly apiKey: ApiKeyRow } {
  if (outcome.kind === 'not_found') throw InvalidInput.of('API key not found', 'NOT_FOUND', ['input', 'id']);
  if (outcome.kind === 'of_owner') throw InvalidInput.of(OF_OWNER, 'NOT_AUTHORIZED', ['input', 'limitTimeWindow']);
  if (outcome.kind === 'ended') throw InvalidInput.of('The API key was revoked or has expired', 'API_KEY_ENDED', ['input', 'id']);
  if (outcome.kind === 'invalid') throw InvalidInput.of(LIMIT_INVALID, 'INVALID_INPUT', ['input', 'limitSats']);
  return { apiKey: outcome.apiKey };
}
