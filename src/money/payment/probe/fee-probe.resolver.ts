import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext } from '../../../edge/auth/index.js';
import type {
  MutationLnInvoiceFeeProbeArgs,
  MutationLnNoAmountInvoiceFeeProbeArgs,
  MutationLnNoAmountUsdInvoiceFeeProbeArgs,
  MutationLnUsdInvoiceFeeProbeArgs,
} from '../../../generated/graphql.js';
import type { Implements, Result } from '../../../edge/graphql/index.js';
import { FeeProbeService } from './fee-probe.service.js';
import { feeProbePayload } from '../payment.payload.js';

@Resolver()
export class FeeProbeResolver implements Implements<'Mutation', keyof FeeProbeResolver> {
  constructor(private readonly probes: FeeProbeService) {}

  @Mutation()
  @Scopes('read', 'write')
  async lnInvoiceFeeProbe(
    @Args() { input }: MutationLnInvoiceFeeProbeArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'lnInvoiceFeeProbe'>> {
    const { walletId, paymentRequest } = input;
    return feeProbePayload(await this.probes.probe({ userId: userIdOf(principal), walletId }, { paymentRequest }));
  }

  @Mutation()
  @Scopes('read', 'write')
  async lnNoAmountInvoiceFeeProbe(
    @Args() { input }: MutationLnNoAmountInvoiceFeeProbeArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'lnNoAmountInvoiceFeeProbe'>> {
    const { walletId, paymentRequest, amount: amountSats } = input;
    return feeProbePayload(await this.probes.probe({ userId: userIdOf(principal), walletId }, { paymentRequest, amountSats }));
  }

  @Mutation()
  @Scopes('read', 'write')
  async lnUsdInvoiceFeeProbe(
    @Args() { input }: MutationLnUsdInvoiceFeeProbeArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'lnUsdInvoiceFeeProbe'>> {
    const { walletId, paymentRequest } = input;
    return feeProbePayload(await this.probes.probe({ userId: userIdOf(principal), walletId }, { paymentRequest }, 'USD'));
  }

  @Mutation()
  @Scopes('read', 'write')
  async lnNoAmountUsdInvoiceFeeProbe(
    @Args() { input }: MutationLnNoAmountUsdInvoiceFeeProbeArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'lnNoAmountUsdInvoiceFeeProbe'>> {
    const { walletId, paymentRequest, amount: amountCents } = input;
    return feeProbePayload(await this.probes.probe({ userId: userIdOf(principal), walletId }, { paymentRequest, amountCents }, 'USD'));
  }
}
