import { Args, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { CurrentCall, Scopes, type Call, type GqlContext } from '../../edge/auth/index.js';
import type { GraphQLResolveInfo } from 'graphql';
import type {
  IntraLedgerPaymentSendInput,
  IntraLedgerUsdPaymentSendInput,
  LnAddressPaymentSendInput,
  LnInvoicePaymentInput,
  LnNoAmountInvoicePaymentInput,
  LnNoAmountUsdInvoicePaymentInput,
  LnurlPaymentSendInput,
} from '../../generated/graphql.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { RateLimit } from '../../edge/rate-limit/index.js';
import { HistoryService, type TransactionRow } from '../transaction/index.js';
import { LnurlPaymentService } from './begin/lnurl-payment.service.js';
import { answered, payerOf, type PayerInput } from './payment-send.payload.js';
import type { PaymentSendRow } from './payment.payload.js';
import { PaymentService } from './begin/payment.service.js';
import type { PaymentOrder } from './rails/order.js';

@Resolver()
export class PaymentResolver implements Implements<'Mutation', keyof PaymentResolver> {
  constructor(
    private readonly payments: PaymentService,
    private readonly lnurlPayments: LnurlPaymentService,
  ) {}

  @Mutation()
  @Scopes('write')
  lnInvoicePaymentSend(@Args('input') input: LnInvoicePaymentInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    return this.send(input, { paymentRequest: input.paymentRequest }, call);
  }

  @Mutation()
  @Scopes('write')
  lnNoAmountInvoicePaymentSend(@Args('input') input: LnNoAmountInvoicePaymentInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    return this.send(input, { paymentRequest: input.paymentRequest, amountSats: input.amount }, call);
  }

  @Mutation()
  @Scopes('write')
  intraLedgerPaymentSend(@Args('input') input: IntraLedgerPaymentSendInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    return this.send(input, { recipientWalletId: input.recipientWalletId, amountSats: input.amount }, call);
  }

  @Mutation()
  @Scopes('write')
  intraLedgerUsdPaymentSend(@Args('input') input: IntraLedgerUsdPaymentSendInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    return this.send(input, { recipientWalletId: input.recipientWalletId, amountCents: input.amount }, call);
  }

  @Mutation()
  @Scopes('write')
  lnNoAmountUsdInvoicePaymentSend(
    @Args('input') input: LnNoAmountUsdInvoicePaymentInput,
    @CurrentCall() call: Call,
  ): Promise<PaymentSendRow> {
    return this.send(input, { paymentRequest: input.paymentRequest, amountCents: input.amount }, call);
  }

  /** Each call may send requests to an address that the caller chose, so that they have a limit of their own. */
  @Mutation()
  @Scopes('write')
  @RateLimit('lnurlPayment')
  async lnAddressPaymentSend(@Args('input') input: LnAddressPaymentSendInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    const { walletId, lnAddress, amount } = input;
    return answered(this.lnurlPayments.pay(payerOf({ walletId }, call), { lnAddress }, amount), call, 'lnAddress');
  }

  @Mutation()
  @Scopes('write')
  @RateLimit('lnurlPayment')
  async lnurlPaymentSend(@Args('input') input: LnurlPaymentSendInput, @CurrentCall() call: Call): Promise<PaymentSendRow> {
    const { walletId, lnurl, amount } = input;
    return answered(this.lnurlPayments.pay(payerOf({ walletId }, call), { lnurl }, amount), call, 'lnurl');
  }

  private send(input: PayerInput, order: PaymentOrder, call: Call): Promise<PaymentSendRow> {
    return answered(this.payments.begin(payerOf(input, call), order), call);
  }
}

@Resolver('PaymentSendPayload')
export class PaymentSendPayloadResolver implements Implements<'PaymentSendPayload', keyof PaymentSendPayloadResolver> {
  constructor(private readonly history: HistoryService) {}

  @ResolveField()
  approval({ approval }: PaymentSendRow): Result<'PaymentSendPayload', 'approval'> {
    return approval ?? null;
  }

  /** A payer whose payment is in flight needs its id even if the database cannot return the transaction now. */
  @ResolveField()
  async transaction(
    { status, transactionId }: PaymentSendRow,
    _args: unknown,
    { progress }: GqlContext,
    { path }: GraphQLResolveInfo,
  ): Promise<TransactionRow | null> {
    if (transactionId === null) return null;
    try {
      return await this.history.findCommitted(transactionId);
    } catch (error) {
      if (status === 'PENDING' && path.prev) progress?.addUnconfirmed(path.prev, transactionId);
      throw error;
    }
  }
}
