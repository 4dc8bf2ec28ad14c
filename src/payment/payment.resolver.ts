import { Args, Context, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import type { Implements } from '../graphql/index.js';
import { HistoryService, type TransactionRow } from '../wallet/index.js';
import { IntraLedgerArgs, InvoicePaymentArgs } from './payment.input.js';
import { sendPayload, type PaymentSendRow } from './payment.payload.js';
import { PaymentService } from './payment.service.js';

@Resolver()
export class PaymentResolver implements Implements<'Mutation', 'lnInvoicePaymentSend' | 'intraLedgerPaymentSend'> {
  constructor(private readonly payments: PaymentService) {}

  @Mutation()
  @Scopes('write')
  async lnInvoicePaymentSend(@Args() { input }: InvoicePaymentArgs, @Context() { principal }: GqlContext): Promise<PaymentSendRow> {
    const { walletId, paymentRequest, memo } = input;
    return sendPayload(await this.payments.payInvoice({ userId: userIdOf(principal), walletId, memo, principal }, paymentRequest));
  }

  @Mutation()
  @Scopes('write')
  async intraLedgerPaymentSend(@Args() { input }: IntraLedgerArgs, @Context() { principal }: GqlContext): Promise<PaymentSendRow> {
    const { walletId, recipientWalletId, amount, memo } = input;
    return sendPayload(await this.payments.sendIntraLedger({ userId: userIdOf(principal), walletId, memo, principal }, recipientWalletId, amount));
  }
}

@Resolver('PaymentSendPayload')
export class PaymentSendPayloadResolver implements Implements<'PaymentSendPayload', 'transaction'> {
  constructor(private readonly history: HistoryService) {}

  @ResolveField()
  transaction({ transactionId }: PaymentSendRow): Promise<TransactionRow | null> | null {
    return transactionId === null ? null : this.history.findById(transactionId);
  }
}
