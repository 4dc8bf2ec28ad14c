import { ResolveField, Resolver } from '@nestjs/graphql';
import { connectionOf, pageRequestOf, type Implements, type PageArgs, type Result } from '../../../edge/graphql/index.js';
import { isUuid } from '../../../platform/kernel/uuid.js';
import type { TransactionRow } from '../../transaction/index.js';
import { toApiAmount, walletIdsOf, type AccountRow, type WalletRow } from '../../wallet/index.js';
import { DepositService, written } from './deposit.service.js';

interface OfAddress {
  readonly address: string;
}

@Resolver('Wallet')
export class WalletDepositsResolver
  implements Implements<'BTCWallet', keyof WalletDepositsResolver>, Implements<'UsdWallet', keyof WalletDepositsResolver>
{
  constructor(private readonly deposits: DepositService) {}

  @ResolveField()
  async pendingIncomingBalance({ id, currency }: WalletRow): Promise<number> {
    return toApiAmount(await this.deposits.pendingTotal(id), currency);
  }

  @ResolveField()
  pendingIncomingTransactions({ id }: WalletRow): Promise<TransactionRow[]> {
    return this.deposits.listPending([id]);
  }

  @ResolveField()
  pendingIncomingTransactionsByAddress({ id }: WalletRow, { address }: OfAddress): Promise<TransactionRow[]> {
    return this.deposits.listPending([id], written(address));
  }

  @ResolveField()
  async transactionsByAddress({ id }: WalletRow, args: PageArgs & OfAddress): Promise<Result<'BTCWallet', 'transactionsByAddress'>> {
    const pageRequest = pageRequestOf(args, isUuid);
    return connectionOf(await this.deposits.listOfAddress(id, written(args.address), pageRequest), pageRequest, (row) => row);
  }
}

@Resolver('ConsumerAccount')
export class AccountDepositsResolver implements Implements<'ConsumerAccount', keyof AccountDepositsResolver> {
  constructor(private readonly deposits: DepositService) {}

  @ResolveField()
  pendingIncomingTransactions(
    account: AccountRow,
    { walletIds }: { walletIds?: readonly (string | null)[] | null },
  ): Promise<TransactionRow[]> {
    return this.deposits.listPending(walletIdsOf(account, walletIds));
  }
}
