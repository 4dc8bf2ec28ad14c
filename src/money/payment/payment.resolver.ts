import { Args, Context, Info, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { attemptOf, Scopes, userIdOf, type GqlContext } from '../../edge/auth/index.js';
import type { GraphQLResolveInfo } from 'graphql';
import type {
  MutationIntraLedgerPaymentSendArgs,
  MutationIntraLedgerUsdPaymentSendArgs,
  MutationLnAddressPaymentSendArgs,
  MutationLnInvoicePaymentSendArgs,
  MutationLnNoAmountInvoicePaymentSendArgs,
  MutationLnNoAmountUsdInvoicePaymentSendArgs,
  MutationLnurlPaymentSendArgs,
} from '../../generated/graphql.js';
import type { Implements } from '../../edge/graphql/index.js';
import { isGone, waitFor } from '../../edge/http/index.js';
import { RateLimit } from '../../edge/rate-limit/index.js';
import { HistoryService, type TransactionRow } from '../transaction/index.js';
import { LnurlPaymentService } from './begin/lnurl-payment.service.js';
import type { PaymentStart } from './payment.outcome.js';
import { sendPayload, type PaymentSendRow } from './payment.payload.js';
import { PaymentService, type Payer, type PaymentOrder } from './begin/payment.service.js';

type PayerInput = Pick<Payer, 'walletId' | 'memo'>;

@Resolver()
export class PaymentResolver implements Implements<
  'Mutation',
  | 'lnInvoicePaymentSend'
  | 'lnNoAmountInvoicePaymentSend'
  | 'lnNoAmountUsdInvoicePaymentSend'
  | 'intraLedgerPaymentSend'
  | 'intraLedgerUsdPaymentSend'
> {
  constructor(private readonly payments: PaymentService) {}

  @Mutation()
  @Scopes('write')
  lnInvoicePaymentSend(
    @Args() { input }: MutationLnInvoicePaymentSendArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    return this.send(input, { paymentRequest: input.paymentRequest }, context, info);
  }

  @Mutation()
  @Scopes('write')
  lnNoAmountInvoicePaymentSend(
    @Args() { input }: MutationLnNoAmountInvoicePaymentSendArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    return this.send(input, { paymentRequest: input.paymentRequest, amountSats: input.amount }, context, info);
  }

  @Mutation()
  @Scopes('write')
  intraLedgerPaymentSend(
    @Args() { input }: MutationIntraLedgerPaymentSendArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    return this.send(input, { recipientWalletId: input.recipientWalletId, amountSats: input.amount }, context, info);
  }

  @Mutation()
  @Scopes('write')
  intraLedgerUsdPaymentSend(
    @Args() { input }: MutationIntraLedgerUsdPaymentSendArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    return this.send(input, { recipientWalletId: input.recipientWalletId, amountCents: input.amount }, context, info);
  }

  @Mutation()
  @Scopes('write')
  lnNoAmountUsdInvoicePaymentSend(
    @Args() { input }: MutationLnNoAmountUsdInvoicePaymentSendArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    return this.send(input, { paymentRequest: input.paymentRequest, amountCents: input.amount }, context, info);
  }

  private async send(input: PayerInput, order: PaymentOrder, context: GqlContext, info: GraphQLResolveInfo): Promise<PaymentSendRow> {
    return answered(this.payments.begin(payerOf(input, context, info), order), context, info);
  }
}

/** Each call may send requests to an address that the caller chose, so they have a limit of their own. */
@Resolver()
export class LnurlPaymentResolver implements Implements<'Mutation', 'lnAddressPaymentSend' | 'lnurlPaymentSend'> {
  constructor(private readonly payments: LnurlPaymentService) {}

  @Mutation()
  @Scopes('write')
  @RateLimit('lnurlPayment')
  async lnAddressPaymentSend(
    @Args() { input }: MutationLnAddressPaymentSendArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    const { walletId, lnAddress, amount } = input;
    return answered(this.payments.payAddress(payerOf({ walletId }, context, info), lnAddress, amount), context, info, 'lnAddress');
  }

  @Mutation()
  @Scopes('write')
  @RateLimit('lnurlPayment')
  async lnurlPaymentSend(
    @Args() { input }: MutationLnurlPaymentSendArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    const { walletId, lnurl, amount } = input;
    return answered(this.payments.payLnurl(payerOf({ walletId }, context, info), lnurl, amount), context, info, 'lnurl');
  }
}

@Resolver('PaymentSendPayload')
export class PaymentSendPayloadResolver implements Implements<'PaymentSendPayload', 'transaction'> {
  constructor(private readonly history: HistoryService) {}

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

/**
 * Waits for the end of a payment, without a slot among the requests in progress.
 * @param named the argument that the client gave instead of an invoice
 */
async function answered(
  starting: Promise<PaymentStart>,
  context: GqlContext,
  { path }: GraphQLResolveInfo,
  named?: 'lnAddress' | 'lnurl',
): Promise<PaymentSendRow> {
  const start = await starting;
  const outcome = start.kind === 'begun' ? await waitFor(context, start.end) : start;
  const row = sendPayload(outcome, named);
  if (row.unconfirmedId !== undefined) context.progress?.addUnconfirmed(path, row.unconfirmedId);
  return row;
}

const payerOf = ({ walletId, memo }: PayerInput, context: GqlContext, info: GraphQLResolveInfo): Payer => {
  const { principal, progress } = context;
  return {
    userId: userIdOf(principal),
    walletId,
    memo,
    principal,
    attempt: attemptOf(context, info),
    // A request of which something has begun runs to its end.
    isGone: () => isGone(context) && progress?.isFirst === true,
  };
};
