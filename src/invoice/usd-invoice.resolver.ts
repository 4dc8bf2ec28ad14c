import { Args, Context, Info, Mutation, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { attemptOf, Public, Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import type { Implements, Result } from '../graphql/index.js';
import { RateLimit } from '../rate-limit/index.js';
import type { InvoiceAmount } from './invoice-bill.service.js';
import { UsdInvoiceCreateArgs, UsdInvoiceOnBehalfArgs, type UsdInvoiceOnBehalfInput } from './invoice.input.js';
import { creationPayload } from './invoice.payload.js';
import { InvoiceService } from './invoice.service.js';
import { InvoicesForOthers } from './invoices-for-others.service.js';

const inCents = (amountCents: number): InvoiceAmount => ({ amountSats: null, amountCents, currency: 'USD' });

/** Invoices that pay into wallets in dollars. */
@Resolver()
export class UsdInvoiceResolver implements Implements<
  'Mutation',
  'lnUsdInvoiceCreate' | 'lnUsdInvoiceCreateOnBehalfOfRecipient' | 'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient'
> {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly forOthers: InvoicesForOthers,
  ) {}

  @Mutation()
  @Scopes('receive', 'write')
  async lnUsdInvoiceCreate(
    @Args() { input }: UsdInvoiceCreateArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnUsdInvoiceCreate'>> {
    const { walletId, amount, memo, expiresIn, externalId } = input;
    const outcome = await this.invoices.create({
      walletId,
      userId: userIdOf(context.principal),
      ...inCents(amount),
      memo,
      expiresInMinutes: expiresIn,
      externalId,
      attempt: attemptOf(context, info),
      work: context.work,
    });
    return creationPayload(outcome, 'walletId');
  }

  @Mutation()
  @Public()
  @RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll', 'invoiceRecipient', 'invoiceForOther')
  lnUsdInvoiceCreateOnBehalfOfRecipient(
    @Args() { input }: UsdInvoiceOnBehalfArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnUsdInvoiceCreateOnBehalfOfRecipient'>> {
    return this.createForOther(input, inCents(input.amount), context, info);
  }

  @Mutation()
  @Public()
  @RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll', 'invoiceRecipient', 'invoiceForOther')
  lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient(
    @Args() { input }: UsdInvoiceOnBehalfArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient'>> {
    return this.createForOther(input, { amountSats: input.amount, currency: 'USD' }, context, info);
  }

  private async createForOther(
    { recipientWalletId, memo, descriptionHash, expiresIn, externalId, webhookUrl }: UsdInvoiceOnBehalfInput,
    amount: InvoiceAmount,
    context: GqlContext,
    info: GraphQLResolveInfo,
  ): Promise<ReturnType<typeof creationPayload>> {
    const outcome = await this.forOthers.create(
      {
        walletId: recipientWalletId,
        ...amount,
        memo,
        descriptionHash,
        expiresInMinutes: expiresIn,
        externalId,
        webhookUrl,
        attempt: attemptOf(context, info),
        work: context.work,
      },
      context,
    );
    return creationPayload(outcome, 'recipientWalletId');
  }
}
