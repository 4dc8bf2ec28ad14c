import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext } from '../../../edge/auth/index.js';
import type { ErrorCode, Implements, Result } from '../../../edge/graphql/index.js';
import { RateLimit } from '../../../edge/rate-limit/index.js';
import type { OnChainAddressCreateInput, OnChainAddressCurrentInput } from '../../../generated/graphql.js';
import { OnChainAddressService, type AddressOutcome } from './onchain-address.service.js';

const REFUSALS: Readonly<Record<Exclude<AddressOutcome['kind'], 'address'>, readonly [ErrorCode, string, string[]?]>> = {
  unknown_wallet: ['NOT_FOUND', 'Wallet not found', ['input', 'walletId']],
  unsupported: ['ONCHAIN_UNSUPPORTED', 'This server has no on-chain wallet'],
  unavailable: ['LND_OFFLINE', 'Addresses are temporarily unavailable. Please try again.'],
};

function payloadOf(outcome: AddressOutcome): Result<'Mutation', 'onChainAddressCreate'> {
  if (outcome.kind === 'address') return { errors: [], address: outcome.address };
  const [code, message, path = null] = REFUSALS[outcome.kind];
  return { errors: [{ code, message, path }], address: null };
}

@Resolver()
export class OnChainAddressResolver implements Implements<'Mutation', keyof OnChainAddressResolver> {
  constructor(private readonly addresses: OnChainAddressService) {}

  @Mutation()
  @Scopes('receive', 'write')
  @RateLimit('onChainAddress')
  async onChainAddressCreate(
    @Args('input') input: OnChainAddressCreateInput,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'onChainAddressCreate'>> {
    return payloadOf(await this.addresses.create(userIdOf(principal), input.walletId));
  }

  @Mutation()
  @Scopes('receive', 'write')
  async onChainAddressCurrent(
    @Args('input') input: OnChainAddressCurrentInput,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'onChainAddressCurrent'>> {
    return payloadOf(await this.addresses.current(userIdOf(principal), input.walletId));
  }
}
