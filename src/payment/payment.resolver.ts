import { Args, Context, Info, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { attemptOf, Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import type { GraphQLResolveInfo } from 'graphql';
import type { Implements } from '../graphql/index.js';
import { HistoryService, type TransactionRow } from '../transaction/index.js';
import { IntraLedgerArgs, InvoicePaymentArgs, NoAmountInvoicePaymentArgs } from './payment.input.js';
import type { PaymentOutcome } from './payment.outcome.js';
import { sendPayload, type PaymentSendRow } from './payment.payload.js';
import { PaymentService, type Payer } from './payment.service.js';

@Resolver()
export class PaymentResolver implements Implements<
  'Mutation',
  'lnInvoicePaymentSend' | 'lnNoAmountInvoicePaymentSend' | 'intraLedgerPaymentSend'
> {
  constructor(private readonly payments: PaymentService) {}

  @Mutation()
  @Scopes('write')
  async lnInvoicePaymentSend(
    @Args() { input }: InvoicePaymentArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    return answered(await this.payments.payInvoice(payerOf(input, context, info), input.paymentRequest), context, info);
  }

  @Mutation()
  @Scopes('write')
  async lnNoAmountInvoicePaymentSend(
    @Args() { input }: NoAmountInvoicePaymentArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    const { paymentRequest, amount } = input;
    return answered(await this.payments.payInvoice(payerOf(input, context, info), paymentRequest, amount), context, info);
  }

  @Mutation()
  @Scopes('write')
  async intraLedgerPaymentSend(
    @Args() { input }: IntraLedgerArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PaymentSendRow> {
    const { recipientWalletId, amount } = input;
    return answered(await this.payments.sendIntraLedger(payerOf(input, context, info), recipientWalletId, amount), context, info);
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

function answered(outcome: PaymentOutcome, { progress }: GqlContext, { path }: GraphQLResolveInfo): PaymentSendRow {
  const row = sendPayload(outcome);
  if (row.unconfirmedId !== undefined) progress?.addUnconfirmed(path, row.unconfirmedId);
  return row;
}

const payerOf = ({ walletId, memo }: Pick<Payer, 'walletId' | 'memo'>, context: GqlContext, info: GraphQLResolveInfo): Payer => {
  const { principal, work, progress } = context;
  return {
    userId: userIdOf(principal),
    walletId,
    memo,
    principal,
    attempt: attemptOf(context, info),
    work,
    // A request of which something has begun runs to its end.
    isGone: () => work?.isGone === true && progress?.isFirst === true,
  };
};
