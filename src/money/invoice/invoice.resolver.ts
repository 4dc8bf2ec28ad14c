import { ResolveField, Resolver } from '@nestjs/graphql';
import { connectionOf, InvalidInput, pageRequestOf } from '../../edge/graphql/index.js';
import type { Connection, Implements, PageArgs, Result } from '../../edge/graphql/index.js';
import { HEX_32 } from '../../platform/kernel/form.js';
import { satsOfMsat } from '../../platform/kernel/money.js';
import { walletIdsOf, type AccountRow, type WalletRow } from '../wallet/index.js';
import type { InvoiceList, InvoiceRow } from './invoice.row.js';
import { InvoiceService } from './invoice.service.js';

@Resolver('LnInvoice')
export class LnInvoiceResolver implements Implements<'LnInvoice', keyof LnInvoiceResolver> {
  @ResolveField()
  satoshis(invoice: InvoiceRow): number {
    if (invoice.amountMsat === null) throw new Error(`Invoice ${invoice.paymentHash} has no amount: it is an LnNoAmountInvoice`);
    return satsOfMsat(invoice.amountMsat);
  }
}

@Resolver('Invoice')
export class InvoiceResolver implements Implements<'LnInvoice', 'paymentStatus'>, Implements<'LnNoAmountInvoice', 'paymentStatus'> {
  @ResolveField()
  paymentStatus(invoice: InvoiceRow): Result<'LnInvoice', 'paymentStatus'> {
    return invoice.status;
  }
}

interface ByOthers {
  readonly includeExpiredByOthers?: boolean | null;
}

@Resolver('Wallet')
export class WalletInvoicesResolver
  implements Implements<'BTCWallet', keyof WalletInvoicesResolver>, Implements<'UsdWallet', keyof WalletInvoicesResolver>
{
  constructor(private readonly service: InvoiceService) {}

  @ResolveField()
  async invoiceByPaymentHash(wallet: WalletRow, { paymentHash }: { paymentHash: string }): Promise<InvoiceRow> {
    const invoice = await this.service.findByHash(paymentHash);
    if (invoice?.walletId !== wallet.id) throw InvalidInput.of('Invoice not found in this wallet', 'NOT_FOUND', ['paymentHash']);
    return invoice;
  }

  @ResolveField()
  async invoices(wallet: WalletRow, args: PageArgs & ByOthers): Promise<Result<'BTCWallet', 'invoices'>> {
    return pageOf(this.service, { ...args, accountId: wallet.accountId, walletIds: [wallet.id] }, args);
  }
}

@Resolver('ConsumerAccount')
export class AccountInvoicesResolver implements Implements<'ConsumerAccount', keyof AccountInvoicesResolver> {
  constructor(private readonly service: InvoiceService) {}

  @ResolveField()
  async invoices(
    account: AccountRow,
    args: PageArgs & ByOthers & { walletIds?: readonly (string | null)[] | null },
  ): Promise<Result<'ConsumerAccount', 'invoices'>> {
    return pageOf(this.service, { ...args, accountId: account.id, walletIds: walletIdsOf(account, args.walletIds) }, args);
  }
}

async function pageOf(service: InvoiceService, list: InvoiceList, args: PageArgs): Promise<Connection<InvoiceRow>> {
  const pageRequest = pageRequestOf(args, (id) => HEX_32.test(id));
  const rows = await service.list(list, pageRequest);
  return connectionOf(rows, pageRequest, ({ createdAt, paymentHash }) => ({ createdAt, id: paymentHash }));
}
