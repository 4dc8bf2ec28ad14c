import { Args, Context, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { SessionOnly, userIdOf, type GqlContext, type Principal } from '../../edge/auth/index.js';
import type { MutationApiKeyRevokeArgs } from '../../generated/graphql.js';
import { InvalidInput, type Implements, type Problem, type Result } from '../../edge/graphql/index.js';
import { assertNever } from '../../platform/kernel/assert-never.js';
import { scopeOfSdl, sdlScopes, type UserRow } from '../user/index.js';
import { KeyCreateArgs } from './api-key.input.js';
import type { ApiKeyFault } from './api-key.outcome.js';
import type { ApiKeyRow } from './api-key.row.js';
import { ApiKeyService, type KeyCreator } from './api-key.service.js';

@Resolver('ApiKey')
export class ApiKeyResolver
  implements Implements<'Mutation', 'apiKeyCreate' | 'apiKeyRevoke'>, Implements<'ApiKey', 'scopes' | 'readOnly'>
{
  constructor(private readonly keys: ApiKeyService) {}

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  async apiKeyCreate(@Args() { input }: KeyCreateArgs, @Context() { principal }: GqlContext): Promise<Result<'Mutation', 'apiKeyCreate'>> {
    const { name, scopes = [], expireInDays = null } = input;
    // A key that an app creates has at most the app's own scopes.
    const by = makerOf(principal);
    const outcome = await this.keys.create({ userId: userIdOf(principal), name, scopes: scopes.map(scopeOfSdl), expireInDays, by });
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

  @Mutation()
  @SessionOnly({ orTrustedApp: true })
  async apiKeyRevoke(
    @Args() { input }: MutationApiKeyRevokeArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'apiKeyRevoke'>> {
    const outcome = await this.keys.revoke(userIdOf(principal), input.id);
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
}

@Resolver('User')
export class UserApiKeysResolver implements Implements<'User', 'apiKeys'> {
  constructor(private readonly keys: ApiKeyService) {}

  @ResolveField()
  apiKeys({ id }: UserRow): Promise<Result<'User', 'apiKeys'>> {
    return this.keys.list(id);
  }
}

const makerOf = ({ clientId, id, scopes }: Principal): KeyCreator | undefined =>
  clientId === undefined ? undefined : { clientId, grantId: id, scopes };

function refusalOf([first, ...rest]: readonly [ApiKeyFault, ...ApiKeyFault[]]): InvalidInput {
  const problemOf = ({ field, message }: ApiKeyFault): Problem => ({ message, code: 'INVALID_INPUT', path: ['input', field] });
  return new InvalidInput([problemOf(first), ...rest.map(problemOf)]);
}
