import { Args, Context, Info, Mutation, ResolveField, Resolver } from '@nestjs/graphql';
import { attemptOf, Public, Scopes, userIdOf, type GqlContext } from '../auth/index.js';
import type { GraphQLResolveInfo } from 'graphql';
import { connectionOf, InvalidInput, pageRequestOf, type Implements, type PageArgs, type Result } from '../graphql/index.js';
import { HEX_32 } from '../kernel/form.js';
import { satsOfMsat } from '../kernel/money.js';
import { RateLimit } from '../rate-limit/index.js';
import { walletIdsOf, type AccountRow, type WalletRow } from '../wallet/index.js';
import { InvoiceCancelArgs, InvoiceCreateArgs, InvoiceOnBehalfArgs } from './invoice.input.js';
import { cancellationPayload, creationPayload } from './invoice.payload.js';
import type { InvoiceRow } from './invoice.row.js';
import { InvoiceService } from './invoice.service.js';
import { InvoicesForOthers } from './invoices-for-others.service.js';

@Resolver()
export class InvoiceMutationResolver implements Implements<
  'Mutation',
  'lnInvoiceCreate' | 'lnInvoiceCancel' | 'lnInvoiceCreateOnBehalfOfRecipient'
> {
  constructor(
    private readonly invoices: InvoiceService,
    private readonly forOthers: InvoicesForOthers,
  ) {}

  @Mutation()
  @Scopes('receive', 'write')
  async lnInvoiceCreate(
    @Args() { input }: InvoiceCreateArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnInvoiceCreate'>> {
    const { walletId, amount, memo, expiresIn, externalId } = input;
    const outcome = await this.invoices.create({
      walletId,
      userId: userIdOf(context.principal),
      amountSats: amount,
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
  async lnInvoiceCreateOnBehalfOfRecipient(
    @Args() { input }: InvoiceOnBehalfArgs,
    @Context() context: GqlContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Result<'Mutation', 'lnInvoiceCreateOnBehalfOfRecipient'>> {
    const outcome = await this.forOthers.create(input, { amountSats: input.amount }, context, attemptOf(context, info));
    return creationPayload(outcome, 'recipientWalletId');
  }

  @Mutation()
  @Scopes('receive', 'write')
  async lnInvoiceCancel(
    @Args() { input }: InvoiceCancelArgs,
    @Context() { principal }: GqlContext,
  ): Promise<Result<'Mutation', 'lnInvoiceCancel'>> {
    return cancellationPayload(await this.invoices.cancel(userIdOf(principal), input.walletId, input.paymentHash));
  }
}

@Resolver('LnInvoice')
export class LnInvoiceResolver implements Implements<'LnInvoice', 'satoshis' | 'paymentStatus'> {
  @ResolveField()
  satoshis(invoice: InvoiceRow): number {
    if (invoice.amountMsat === null) throw new Error(`Invoice ${invoice.paymentHash} has no amount: it is an LnNoAmountInvoice`);
    return satsOfMsat(invoice.amountMsat);
  }

  @ResolveField()
  paymentStatus(invoice: InvoiceRow): Result<'LnInvoice', 'paymentStatus'> {
    return invoice.status;
  }
}

@Resolver('LnNoAmountInvoice')
export class LnNoAmountInvoiceResolver implements Implements<'LnNoAmountInvoice', 'paymentStatus'> {
  @ResolveField()
  paymentStatus(invoice: InvoiceRow): Result<'LnNoAmountInvoice', 'paymentStatus'> {
    return invoice.status;
  }
}

/** The argument that every list of invoices takes beside its page. */
interface ByOthers {
  readonly includeExpiredByOthers?: boolean | null;
}

/** The invoice fields that both kinds of wallet share. */
abstract class WalletInvoices {
  constructor(private readonly service: InvoiceService) {}

  @ResolveField()
  async invoiceByPaymentHash(wallet: WalletRow, { paymentHash }: { paymentHash: string }): Promise<InvoiceRow> {
    const invoice = await this.service.findByHash(paymentHash);
    if (invoice?.walletId !== wallet.id) throw InvalidInput.of('Invoice not found in this wallet', 'NOT_FOUND', ['paymentHash']);
    return invoice;
  }

  @ResolveField()
  async invoices(wallet: WalletRow, args: PageArgs & ByOthers): Promise<Result<'BTCWallet', 'invoices'>> {
    const pageRequest = pageRequestOf(args, isPaymentHash);
    return connectionOf(
      await this.service.list({ ...args, accountId: wallet.accountId, walletIds: [wallet.id] }, pageRequest),
      pageRequest,
      positionOf,
    );
  }
}

@Resolver('BTCWallet')
export class BtcWalletInvoicesResolver extends WalletInvoices implements Implements<'BTCWallet', 'invoices' | 'invoiceByPaymentHash'> {
  constructor(service: InvoiceService) {
    super(service);
  }
}

@Resolver('UsdWallet')
export class UsdWalletInvoicesResolver extends WalletInvoices implements Implements<'UsdWallet', 'invoices' | 'invoiceByPaymentHash'> {
  constructor(service: InvoiceService) {
    super(service);
  }
}

@Resolver('ConsumerAccount')
export class AccountInvoicesResolver implements Implements<'ConsumerAccount', 'invoices'> {
  constructor(private readonly service: InvoiceService) {}

  @ResolveField()
  async invoices(
    account: AccountRow,
    args: PageArgs & ByOthers & { walletIds?: readonly (string | null)[] | null },
  ): Promise<Result<'ConsumerAccount', 'invoices'>> {
    const pageRequest = pageRequestOf(args, isPaymentHash);
    const rows = await this.service.list({ ...args, accountId: account.id, walletIds: walletIdsOf(account, args.walletIds) }, pageRequest);
    return connectionOf(rows, pageRequest, positionOf);
  }
}

const isPaymentHash = (id: string): boolean => HEX_32.test(id);
const positionOf = ({ createdAt, paymentHash }: InvoiceRow): { createdAt: Date; id: string } => ({ createdAt, id: paymentHash });
