import { ResolveField, Resolver } from '@nestjs/graphql';
import { connectionOf, InvalidInput, pageRequestOf, type Implements, type PageArgs, type Result } from '../graphql/index.js';
import { isUuid } from '../kernel/uuid.js';
import { decodeInvoice } from '../lightning/index.js';
import { walletIdsOf, type AccountRow, type WalletRow } from '../wallet/index.js';
import { HistoryService } from './history.service.js';
import type { TransactionRow } from './transaction.row.js';

type HistoryField =
  | 'pendingIncomingTransactions'
  | 'pendingIncomingTransactionsByAddress'
  | 'transactions'
  | 'transactionById'
  | 'transactionsByAddress'
  | 'transactionsByPaymentHash'
  | 'transactionsByPaymentRequest';

/** The fields that both kinds of wallet share. */
abstract class WalletTransactions {
  constructor(private readonly history: HistoryService) {}

  /** Only on-chain deposits can be pending, and this version accepts none. */
  @ResolveField()
  pendingIncomingTransactions(): TransactionRow[] {
    return [];
  }

  @ResolveField()
  pendingIncomingTransactionsByAddress(_wallet: WalletRow, _args: { address: string }): TransactionRow[] {
    return [];
  }

  @ResolveField()
  async transactions(wallet: WalletRow, args: PageArgs): Promise<Result<'BTCWallet', 'transactions'>> {
    const pageRequest = pageRequestOf(args, isUuid);
    return connectionOf(await this.history.list({ walletId: wallet.id }, pageRequest), pageRequest, (row) => row);
  }

  @ResolveField()
  async transactionById(wallet: WalletRow, { transactionId }: { transactionId: string }): Promise<TransactionRow> {
    const found = isUuid(transactionId) ? await this.history.findById(transactionId) : null;
    if (found?.walletId !== wallet.id) throw InvalidInput.of('Transaction not found in this wallet', 'NOT_FOUND', ['transactionId']);
    return found;
  }

  /** No transaction has an address: this version has no on-chain payments. */
  @ResolveField()
  transactionsByAddress(_wallet: WalletRow, args: PageArgs & { address: string }): Result<'BTCWallet', 'transactionsByAddress'> {
    return connectionOf<TransactionRow>([], pageRequestOf(args, isUuid), (row) => row);
  }

  @ResolveField()
  transactionsByPaymentHash(wallet: WalletRow, { paymentHash }: { paymentHash: string }): Promise<TransactionRow[]> {
    return this.history.listByHash(wallet.id, paymentHash);
  }

  @ResolveField()
  async transactionsByPaymentRequest(wallet: WalletRow, { paymentRequest }: { paymentRequest: string }): Promise<TransactionRow[]> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) throw InvalidInput.of('Invalid value for LnPaymentRequest', 'INVOICE_DECODE_ERROR', ['paymentRequest']);
    return this.history.listByHash(wallet.id, decoded.invoice.paymentHash);
  }
}

@Resolver('BTCWallet')
export class BtcWalletTransactionsResolver extends WalletTransactions implements Implements<'BTCWallet', HistoryField> {
  constructor(history: HistoryService) {
    super(history);
  }
}

@Resolver('UsdWallet')
export class UsdWalletTransactionsResolver extends WalletTransactions implements Implements<'UsdWallet', HistoryField> {
  constructor(history: HistoryService) {
    super(history);
  }
}

@Resolver('ConsumerAccount')
export class AccountTransactionsResolver implements Implements<'ConsumerAccount', 'transactions' | 'pendingIncomingTransactions'> {
  constructor(private readonly history: HistoryService) {}

  @ResolveField()
  async transactions(
    account: AccountRow,
    args: PageArgs & { walletIds?: readonly (string | null)[] | null },
  ): Promise<Result<'ConsumerAccount', 'transactions'>> {
    const pageRequest = pageRequestOf(args, isUuid);
    const rows = await this.history.list({ accountId: account.id, walletIds: walletIdsOf(account, args.walletIds) }, pageRequest);
    return connectionOf(rows, pageRequest, (row) => row);
  }

  /** Only on-chain deposits can be pending, and this version accepts none. */
  @ResolveField()
  pendingIncomingTransactions(account: AccountRow, { walletIds }: { walletIds?: readonly (string | null)[] | null }): TransactionRow[] {
    walletIdsOf(account, walletIds);
    return [];
  }
}
