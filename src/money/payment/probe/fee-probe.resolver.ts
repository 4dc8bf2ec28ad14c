import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentCall, Scopes, userIdOf, type Call } from '../../../edge/auth/index.js';
import type {
  LnInvoiceFeeProbeInput,
  LnNoAmountInvoiceFeeProbeInput,
  LnNoAmountUsdInvoiceFeeProbeInput,
  LnUsdInvoiceFeeProbeInput,
} from '../../../generated/graphql.js';
import type { Implements } from '../../../edge/graphql/index.js';
import { FeeProbeService } from './fee-probe.service.js';
import { feeProbePayload, type FeeProbePayload } from '../payment.payload.js';
import type { LightningOrder } from '../rails/lightning.js';
import type { Currency } from '../../wallet/index.js';

@Resolver()
export class FeeProbeResolver implements Implements<'Mutation', keyof FeeProbeResolver> {
  constructor(private readonly probes: FeeProbeService) {}

  @Mutation()
  @Scopes('read', 'write')
  lnInvoiceFeeProbe(@Args('input') input: LnInvoiceFeeProbeInput, @CurrentCall() call: Call): Promise<FeeProbePayload> {
    return this.probe(input.walletId, { paymentRequest: input.paymentRequest }, 'BTC', call);
  }

  @Mutation()
  @Scopes('read', 'write')
  lnNoAmountInvoiceFeeProbe(@Args('input') input: LnNoAmountInvoiceFeeProbeInput, @CurrentCall() call: Call): Promise<FeeProbePayload> {
    return this.probe(input.walletId, { paymentRequest: input.paymentRequest, amountSats: input.amount }, 'BTC', call);
  }

  @Mutation()
  @Scopes('read', 'write')
  lnUsdInvoiceFeeProbe(@Args('input') input: LnUsdInvoiceFeeProbeInput, @CurrentCall() call: Call): Promise<FeeProbePayload> {
    return this.probe(input.walletId, { paymentRequest: input.paymentRequest }, 'USD', call);
  }

  @Mutation()
  @Scopes('read', 'write')
  lnNoAmountUsdInvoiceFeeProbe(
    @Args('input') input: LnNoAmountUsdInvoiceFeeProbeInput,
    @CurrentCall() call: Call,
  ): Promise<FeeProbePayload> {
    return this.probe(input.walletId, { paymentRequest: input.paymentRequest, amountCents: input.amount }, 'USD', call);
  }

  private async probe(walletId: string, order: LightningOrder, currency: Currency, { principal }: Call): Promise<FeeProbePayload> {
    return feeProbePayload(await this.probes.probe({ userId: userIdOf(principal), walletId }, order, currency));
  }
}
