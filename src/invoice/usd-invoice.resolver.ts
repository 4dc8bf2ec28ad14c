import { Args, Context, Info, Mutation, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { attemptOf, Public, Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import type { Implements, Result } from '../graphql/index.js';
import { RateLimit } from '../rate-limit/index.js';
import type { InvoiceAmount } from './invoice-bill.service.js';
import { UsdInvoiceCreateArgs, UsdInvoiceOnBehalfArgs } from './invoice.input.js';
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
    });
    return creationPayload(outcome, 'walletId');
  }

  @Mutation()
  @Public()
  @RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll', 'invoiceRecipient', 'invoiceForOther')
  async lnUsdInvoiceCreateOnBehalfOfRecipient(
    @Args() { input }: UsdInvoiceOnBehalfArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnUsdInvoiceCreateOnBehalfOfRecipient'>> {
    const outcome = await this.forOthers.create(input, inCents(input.amount), context, attemptOf(context, info));
    return creationPayload(outcome, 'recipientWalletId');
  }

  @Mutation()
  @Public()
  @RateLimit('anonymousInvoice', 'anonymousInvoiceFirst', 'anonymousInvoiceAll', 'invoiceRecipient', 'invoiceForOther')
  async lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient(
    @Args() { input }: UsdInvoiceOnBehalfArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient'>> {
    const amount: InvoiceAmount = { amountSats: input.amount, currency: 'USD' };
    const outcome = await this.forOthers.create(input, amount, context, attemptOf(context, info));
    return creationPayload(outcome, 'recipientWalletId');
  }
}
