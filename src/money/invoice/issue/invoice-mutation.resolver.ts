import { applyDecorators } from '@nestjs/common';
import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentCall, Public, Scopes, userIdOf, type Call, type GqlContext } from '../../../edge/auth/index.js';
import type {
  LnInvoiceCancelInput,
  LnInvoiceCreateInput,
  LnInvoiceCreateOnBehalfOfRecipientInput,
  LnNoAmountInvoiceCreateInput,
  LnNoAmountInvoiceCreateOnBehalfOfRecipientInput,
  LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput,
  LnUsdInvoiceCreateInput,
  LnUsdInvoiceCreateOnBehalfOfRecipientInput,
} from '../../../generated/graphql.js';
import type { Implements, Result } from '../../../edge/graphql/index.js';
import { RateLimit } from '../../../edge/rate-limit/index.js';
import type { InvoiceAmount } from './invoice-issuer.service.js';
import { cancellationPayload, creationPayload, type CreatedInvoicePayload } from '../invoice.payload.js';
import { InvoiceService } from '../invoice.service.js';
import { InvoicesForOthers, type InvoiceForOther } from './invoices-for-others.service.js';

/** Any caller may create an invoice for another person's wallet, within the limits of the caller, of all strangers and of the recipient. */
const ForOther = (): MethodDecorator =>
  applyDecorators(
    Public(),
    RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll', 'invoiceRecipient', 'invoiceForOther'),
  );

const NO_AMOUNT: InvoiceAmount = { amountSats: null };
const inCents = (amountCents: number): InvoiceAmount => ({ amountSats: null, amountCents, currency: 'USD' });

@Resolver()
export class InvoiceMutationResolver implements Implements<'Mutation', keyof InvoiceMutationResolver> {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly forOthers: InvoicesForOthers,
  ) {}

  @Mutation()
  @Scopes('receive', 'write')
  lnInvoiceCreate(@Args('input') input: LnInvoiceCreateInput, @CurrentCall() call: Call): Promise<CreatedInvoicePayload> {
    return this.create(input, { amountSats: input.amount }, call);
  }

  @Mutation()
  @Scopes('receive', 'write')
  lnNoAmountInvoiceCreate(@Args('input') input: LnNoAmountInvoiceCreateInput, @CurrentCall() call: Call): Promise<CreatedInvoicePayload> {
    return this.create(input, NO_AMOUNT, call);
  }

  @Mutation()
  @Scopes('receive', 'write')
  lnUsdInvoiceCreate(@Args('input') input: LnUsdInvoiceCreateInput, @CurrentCall() call: Call): Promise<CreatedInvoicePayload> {
    return this.create(input, inCents(input.amount), call);
  }

  @Mutation()
  @ForOther()
  lnInvoiceCreateOnBehalfOfRecipient(
    @Args('input') input: LnInvoiceCreateOnBehalfOfRecipientInput,
    @CurrentCall() call: Call,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, { amountSats: input.amount }, call);
  }

  @Mutation()
  @ForOther()
  lnNoAmountInvoiceCreateOnBehalfOfRecipient(
    @Args('input') input: LnNoAmountInvoiceCreateOnBehalfOfRecipientInput,
    @CurrentCall() call: Call,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, NO_AMOUNT, call);
  }

  @Mutation()
  @ForOther()
  lnUsdInvoiceCreateOnBehalfOfRecipient(
    @Args('input') input: LnUsdInvoiceCreateOnBehalfOfRecipientInput,
    @CurrentCall() call: Call,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, inCents(input.amount), call);
  }

  @Mutation()
  @ForOther()
  lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient(
    @Args('input') input: LnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientInput,
    @CurrentCall() call: Call,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, { amountSats: input.amount, currency: 'USD' }, call);
  }

  @Mutation()
  @Scopes('receive', 'write')
  async lnInvoiceCancel(
    @Args('input') input: LnInvoiceCancelInput,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'lnInvoiceCancel'>> {
    return cancellationPayload(await this.invoices.cancel(userIdOf(principal), input.walletId, input.paymentHash));
  }

  private async create(
    { walletId, memo, expiresIn, externalId }: LnNoAmountInvoiceCreateInput,
    amount: InvoiceAmount,
    { principal, attempt }: Call,
  ): Promise<CreatedInvoicePayload> {
    const params = { ...amount, walletId, principal, userId: userIdOf(principal), memo, expiresInMinutes: expiresIn, externalId, attempt };
    return creationPayload(await this.invoices.create(params), 'walletId');
  }

  private async createForOther(input: InvoiceForOther, amount: InvoiceAmount, call: Call): Promise<CreatedInvoicePayload> {
    return creationPayload(await this.forOthers.create(input, amount, call), 'recipientWalletId');
  }
}
