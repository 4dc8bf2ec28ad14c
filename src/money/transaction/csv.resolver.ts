import { ResolveField, Resolver } from '@nestjs/graphql';
import { GraphQLError } from 'graphql';
import { CallLimits, TOO_MANY_CALLS, type GqlContext } from '../../edge/auth/index.js';
import { GraphqlSettings, InvalidInput, notBegunError, type Implements } from '../../edge/graphql/index.js';
import { TurnRefusedError } from '../../edge/http/index.js';
import { walletIdsOf, type AccountRow } from '../wallet/index.js';
import { HistoryFileService, MAX_FILE_ROWS, type FileResult } from './history-file.service.js';

const TOO_LARGE: Readonly<Record<Exclude<FileResult['kind'], 'file' | 'too_many_calls'>, string>> = {
  too_many_rows: `There are more than ${MAX_FILE_ROWS} transactions. Read them by pages of "transactions".`,
  too_long: 'The response would be too long. Read the transactions by pages of "transactions".',
};

@Resolver('ConsumerAccount')
export class AccountCsvResolver implements Implements<'ConsumerAccount', 'csvTransactions'> {
  constructor(
    private readonly files: HistoryFileService,
    private readonly callLimits: CallLimits,
    private readonly settings: GraphqlSettings,
  ) {}

  @ResolveField()
  async csvTransactions(account: AccountRow, { walletIds }: { walletIds: readonly string[] }, context: GqlContext): Promise<string> {
    const { work, principal, reply } = context;
    if (!work) throw new Error('An operation without its work has no turn');
    const scope = { accountId: account.id, walletIds: walletIdsOf(account, walletIds) };
    const charge = (cost: number): boolean => this.callLimits.chargeMore(principal, cost, reply);
    const result = await work
      .makeFile(() => this.files.csv(scope, { charge, maxBytes: this.settings.GRAPHQL_ANSWER_BYTES }))
      .catch((error: unknown) => {
        throw error instanceof TurnRefusedError ? notBegunError(error, work) : error;
      });
    if (result.kind === 'file') return result.base64;
    if (result.kind === 'too_many_calls') throw new GraphQLError(TOO_MANY_CALLS, { extensions: { code: 'TOO_MANY_REQUEST' } });
    throw InvalidInput.of(TOO_LARGE[result.kind], 'RESPONSE_TOO_LARGE', ['walletIds']);
  }
}
