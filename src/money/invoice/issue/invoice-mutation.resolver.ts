import { applyDecorators } from '@nestjs/common';
import { Args, Context, Info, Mutation, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { attemptOf, Public, Scopes, userIdOf, type GqlContext } from '../../../edge/auth/index.js';
import type {
  LnNoAmountInvoiceCreateInput,
  MutationLnInvoiceCancelArgs,
  MutationLnInvoiceCreateArgs,
  MutationLnInvoiceCreateOnBehalfOfRecipientArgs,
  MutationLnNoAmountInvoiceCreateArgs,
  MutationLnNoAmountInvoiceCreateOnBehalfOfRecipientArgs,
  MutationLnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientArgs,
  MutationLnUsdInvoiceCreateArgs,
  MutationLnUsdInvoiceCreateOnBehalfOfRecipientArgs,
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
export class InvoiceMutationResolver implements Implements<
  'Mutation',
  | 'lnInvoiceCreate'
  | 'lnNoAmountInvoiceCreate'
  | 'lnUsdInvoiceCreate'
  | 'lnInvoiceCreateOnBehalfOfRecipient'
  | 'lnNoAmountInvoiceCreateOnBehalfOfRecipient'
  | 'lnUsdInvoiceCreateOnBehalfOfRecipient'
  | 'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient'
  | 'lnInvoiceCancel'
> {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly forOthers: InvoicesForOthers,
  ) {}

  @Mutation()
  @Scopes('receive', 'write')
  lnInvoiceCreate(
    @Args() { input }: MutationLnInvoiceCreateArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return this.create(input, { amountSats: input.amount }, context, info);
  }

  @Mutation()
  @Scopes('receive', 'write')
  lnNoAmountInvoiceCreate(
    @Args() { input }: MutationLnNoAmountInvoiceCreateArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return this.create(input, NO_AMOUNT, context, info);
  }

  @Mutation()
  @Scopes('receive', 'write')
  lnUsdInvoiceCreate(
    @Args() { input }: MutationLnUsdInvoiceCreateArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return this.create(input, inCents(input.amount), context, info);
  }

  @Mutation()
  @ForOther()
  lnInvoiceCreateOnBehalfOfRecipient(
    @Args() { input }: MutationLnInvoiceCreateOnBehalfOfRecipientArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, { amountSats: input.amount }, context, info);
  }

  @Mutation()
  @ForOther()
  lnNoAmountInvoiceCreateOnBehalfOfRecipient(
    @Args() { input }: MutationLnNoAmountInvoiceCreateOnBehalfOfRecipientArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, NO_AMOUNT, context, info);
  }

  @Mutation()
  @ForOther()
  lnUsdInvoiceCreateOnBehalfOfRecipient(
    @Args() { input }: MutationLnUsdInvoiceCreateOnBehalfOfRecipientArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, inCents(input.amount), context, info);
  }

  @Mutation()
  @ForOther()
  lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient(
    @Args() { input }: MutationLnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipientArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return this.createForOther(input, { amountSats: input.amount, currency: 'USD' }, context, info);
  }

  @Mutation()
  @Scopes('receive', 'write')
  async lnInvoiceCancel(
    @Args() { input }: MutationLnInvoiceCancelArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'lnInvoiceCancel'>> {
    return cancellationPayload(await this.invoices.cancel(userIdOf(principal), input.walletId, input.paymentHash));
  }

  private async create(
    { walletId, memo, expiresIn, externalId }: LnNoAmountInvoiceCreateInput,
    amount: InvoiceAmount,
    context: GqlContext,
    info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    const { principal } = context;
    const attempt = attemptOf(context, info);
    const params = { ...amount, walletId, userId: userIdOf(principal), memo, expiresInMinutes: expiresIn, externalId, attempt };
    return creationPayload(await this.invoices.create(params), 'walletId');
  }

  private async createForOther(
    input: InvoiceForOther,
    amount: InvoiceAmount,
    context: GqlContext,
    info: GraphQLResolveInfo,
  ): Promise<CreatedInvoicePayload> {
    return creationPayload(await this.forOthers.create(input, amount, context, attemptOf(context, info)), 'recipientWalletId');
  }
}
