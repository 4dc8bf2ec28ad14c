import { Args, Context, Info, Mutation, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { attemptOf, Public, Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import type { Implements, Result } from '../graphql/index.js';
import { RateLimit } from '../rate-limit/index.js';
import { NoAmountInvoiceCreateArgs, NoAmountInvoiceOnBehalfArgs } from './invoice.input.js';
import { creationPayload } from './invoice.payload.js';
import { InvoiceService } from './invoice.service.js';
import { InvoicesForOthers } from './invoices-for-others.service.js';

@Resolver()
export class NoAmountInvoiceResolver implements Implements<
  'Mutation',
  'lnNoAmountInvoiceCreate' | 'lnNoAmountInvoiceCreateOnBehalfOfRecipient'
> {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly forOthers: InvoicesForOthers,
  ) {}

  @Mutation()
  @Scopes('receive', 'write')
  async lnNoAmountInvoiceCreate(
    @Args() { input }: NoAmountInvoiceCreateArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnNoAmountInvoiceCreate'>> {
    const { walletId, memo, expiresIn, externalId } = input;
    const outcome = await this.invoices.create({
      walletId,
      userId: userIdOf(context.principal),
      amountSats: null,
      memo,
      expiresInMinutes: expiresIn,
      externalId,
      attempt: attemptOf(context, info),
    });
    return creationPayload(outcome, 'walletId');
  }

  @Mutation()
  @Public()
  @RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll', 'invoiceRecipient', 'invoiceForOther')
  async lnNoAmountInvoiceCreateOnBehalfOfRecipient(
    @Args() { input }: NoAmountInvoiceOnBehalfArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnNoAmountInvoiceCreateOnBehalfOfRecipient'>> {
    const outcome = await this.forOthers.create(input, { amountSats: null }, context, attemptOf(context, info));
    return creationPayload(outcome, 'recipientWalletId');
  }
}
