import { Args, Mutation, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentCall, Public, Scopes, userIdOf, type Call } from '../../edge/auth/index.js';
import { InvalidInput, type Implements } from '../../edge/graphql/index.js';
import type {
  OnChainPaymentSendAllInput,
  OnChainPaymentSendInput,
  OnChainUsdPaymentSendAsBtcDenominatedInput,
  OnChainUsdPaymentSendInput,
  QueryOnChainTxFeeArgs,
  QueryOnChainUsdTxFeeArgs,
  QueryOnChainUsdTxFeeAsBtcDenominatedArgs,
} from '../../generated/graphql.js';
import { satsOfMsat } from '../../platform/kernel/money.js';
import { centsCosting } from '../price/index.js';
import type { OnChainSettlementRow } from '../transaction/index.js';
import { answered, payerOf, type PayerInput } from './payment-send.payload.js';
import type { PaymentSendRow } from './payment.payload.js';
import { REFUSALS } from './payment.refusals.js';
import { PaymentService } from './begin/payment.service.js';
import { PAYOUT_SPEEDS, SPEEDS, type PayoutSpeed, type SpeedWords } from './payout/payout.settings.js';
import { PayoutStore } from './payout/payout.store.js';
import { OnChainRail, type OnChainOrder } from './rails/onchain.js';

interface FeeRow {
  readonly amount: number;
}

interface SpeedRow extends SpeedWords {
  readonly speed: PayoutSpeed;
}

@Resolver()
export class OnChainFeeResolver implements Implements<'Query', keyof OnChainFeeResolver> {
  constructor(private readonly rail: OnChainRail) {}

  @Query()
  @Public()
  payoutSpeeds(): SpeedRow[] {
    return PAYOUT_SPEEDS.map((speed) => ({ speed, ...SPEEDS[speed] }));
  }

  @Query()
  @Scopes('read')
  onChainTxFee(@Args() { walletId, amount, ...to }: QueryOnChainTxFeeArgs, @CurrentCall() call: Call): Promise<FeeRow> {
    return this.feeOf(walletId, { ...toOf(to), amountSats: amount, currency: 'BTC' }, call);
  }

  @Query()
  @Scopes('read')
  onChainUsdTxFee(@Args() { walletId, amount, ...to }: QueryOnChainUsdTxFeeArgs, @CurrentCall() call: Call): Promise<FeeRow> {
    return this.feeOf(walletId, { ...toOf(to), amountCents: amount, currency: 'USD' }, call);
  }

  @Query()
  @Scopes('read')
  onChainUsdTxFeeAsBtcDenominated(
    @Args() { walletId, amount, ...to }: QueryOnChainUsdTxFeeAsBtcDenominatedArgs,
    @CurrentCall() call: Call,
  ): Promise<FeeRow> {
    return this.feeOf(walletId, { ...toOf(to), amountSats: amount, currency: 'USD' }, call);
  }

  /** What the payment would hold beside its amount: in satoshis, or in cents from a wallet in dollars. */
  private async feeOf(walletId: string, order: OnChainOrder, { principal }: Call): Promise<FeeRow> {
    const quote = await this.rail.quote({ userId: userIdOf(principal), walletId }, order);
    if (quote.kind === 'refused') {
      const { text, code, argument } = REFUSALS[quote.reason];
      throw InvalidInput.of(text, code, argument ? [argument] : null);
    }
    const { amountMsat, feeLimitMsat, amountCents, ask } = quote;
    if (order.currency === 'BTC' || ask === null || feeLimitMsat === 0n) return { amount: satsOfMsat(feeLimitMsat) };
    return { amount: Number(centsCosting(amountMsat + feeLimitMsat, ask) - (amountCents ?? centsCosting(amountMsat, ask))) };
  }
}

@Resolver()
export class OnChainPaymentResolver implements Implements<'Mutation', keyof OnChainPaymentResolver> {
  constructor(private readonly payments: PaymentService) {}

  @Mutation()
  @Scopes('write')
  onChainPaymentSend(@Args('input') input: OnChainPaymentSendInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    return this.send(input, { ...toOf(input), amountSats: input.amount, currency: 'BTC' }, call);
  }

  @Mutation()
  @Scopes('write')
  onChainPaymentSendAll(@Args('input') input: OnChainPaymentSendAllInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    return this.send(input, toOf(input), call);
  }

  @Mutation()
  @Scopes('write')
  onChainUsdPaymentSend(@Args('input') input: OnChainUsdPaymentSendInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    return this.send(input, { ...toOf(input), amountCents: input.amount, currency: 'USD' }, call);
  }

  @Mutation()
  @Scopes('write')
  onChainUsdPaymentSendAsBtcDenominated(
    @Args('input') input: OnChainUsdPaymentSendAsBtcDenominatedInput,
    @CurrentCall() call: Call,
  ): Promise<PaymentSendRow> {
    return this.send(input, { ...toOf(input), amountSats: input.amount, currency: 'USD' }, call);
  }

  private send(input: PayerInput, order: OnChainOrder, call: Call): Promise<PaymentSendRow> {
    return answered(this.payments.begin(payerOf(input, call), order), call, 'address');
  }
}

@Resolver('SettlementViaOnChain')
export class OnChainSettlementResolver implements Implements<'SettlementViaOnChain', keyof OnChainSettlementResolver> {
  constructor(private readonly payouts: PayoutStore) {}

  /** Only what waits for its transaction costs a statement. */
  @ResolveField()
  arrivalInMempoolEstimatedAt({ id, transactionHash }: OnChainSettlementRow): Promise<Date | null> | null {
    return transactionHash === null ? this.payouts.expectedAt(id) : null;
  }
}

/** The document's default is there: a type of an input does not know that. */
const toOf = ({ address, speed = 'FAST' }: { address: string; speed?: PayoutSpeed }): Pick<OnChainOrder, 'address' | 'speed'> => ({
  address,
  speed,
});
