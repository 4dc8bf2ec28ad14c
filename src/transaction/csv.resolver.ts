import { ResolveField, Resolver } from '@nestjs/graphql';
import { InvalidInput, type Implements } from '../graphql/index.js';
import { walletIdsOf, type AccountRow } from '../wallet/index.js';
import { HistoryFileService, MAX_FILE_ROWS } from './history-file.service.js';

/** The history as a file. */
@Resolver('ConsumerAccount')
export class AccountCsvResolver implements Implements<'ConsumerAccount', 'csvTransactions'> {
  constructor(private readonly files: HistoryFileService) {}

  @ResolveField()
  async csvTransactions(account: AccountRow, { walletIds }: { walletIds: readonly string[] }): Promise<string> {
    const file = await this.files.csv({ accountId: account.id, walletIds: walletIdsOf(account, walletIds) });
    if (file === null)
      throw InvalidInput.of(
        `There are more than ${MAX_FILE_ROWS} transactions. Read them by pages of "transactions".`,
        'RESPONSE_TOO_LARGE',
        ['walletIds'],
      );
    return Buffer.from(file).toString('base64');
  }
}
