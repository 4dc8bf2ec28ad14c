import { ResolveField, Resolver } from '@nestjs/graphql';
import {
  connectionOf,
  InvalidInput,
  pageRequestOf,
  type Connection,
  type Implements,
  type PageArgs,
  type Result,
  GraphqlSettings,
  makeFile,
} from '../../edge/graphql/index.js';
import { type GraphQLResolveInfo, Kind, type FieldNode, type SelectionSetNode, GraphQLError } from 'graphql';
import { type GqlContext, CallLimits, TOO_MANY_CALLS } from '../../edge/auth/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { decodeInvoice } from '../lightning/index.js';
import { walletIdsOf, type AccountRow, type WalletRow } from '../wallet/index.js';
import { HistoryService, type HistoryScope } from './history.service.js';
import type { BriefTransactionRow, TransactionRow } from './transaction.row.js';
import { madeOnce } from '../../platform/kernel/made-once.js';
import { HistoryFileService, MAX_FILE_ROWS, type FileResult } from './history-file.service.js';

/** The fields of a transaction that a brief row answers, and those of the connection around it. */
const BRIEF: ReadonlySet<string> = new Set([
  ...['__typename', 'edges', 'node', 'cursor', 'pageInfo', 'hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'],
  ...['id', 'direction', 'status', 'memo', 'createdAt', 'settlementAmount', 'settlementFee', 'settlementCurrency'],
]);

/** A document is parsed once, and asked often. */
const known = new WeakMap<FieldNode, boolean>();

type Fragments = GraphQLResolveInfo['fragments'];

/** Does this list of transactions select only what a brief row has? A field that is not known here, as an extension's, needs the whole row. */
const selectsBriefRows = ({ fieldNodes, fragments }: GraphQLResolveInfo): boolean =>
  fieldNodes.every((node) =>
    madeOnce(known, node, () => node.selectionSet !== undefined && selectsOnlyBrief(node.selectionSet, fragments)),
  );

const selectsOnlyBrief = ({ selections }: SelectionSetNode, fragments: Fragments): boolean =>
  selections.every((each) => {
    if (each.kind === Kind.FIELD)
      return BRIEF.has(each.name.value) && (!each.selectionSet || selectsOnlyBrief(each.selectionSet, fragments));
    const inner = each.kind === Kind.INLINE_FRAGMENT ? each : fragments[each.name.value];
    return inner !== undefined && selectsOnlyBrief(inner.selectionSet, fragments);
  });

@Resolver('Wallet')
export class WalletTransactionsResolver
  implements Implements<'BTCWallet', keyof WalletTransactionsResolver>, Implements<'UsdWallet', keyof WalletTransactionsResolver>
{
  constructor(private readonly history: HistoryService) {}

  @ResolveField()
  transactions(
    wallet: WalletRow,
    args: PageArgs,
    _context: GqlContext,
    info: GraphQLResolveInfo,
  ): Promise<Result<'BTCWallet', 'transactions'>> {
    return pageOf(this.history, { walletId: wallet.id }, args, info);
  }

  @ResolveField()
  async transactionById(wallet: WalletRow, { transactionId }: { transactionId: string }): Promise<TransactionRow> {
    const found = isUuid(transactionId) ? await this.history.findById(transactionId) : null;
    if (found?.walletId !== wallet.id) throw InvalidInput.of('Transaction not found in this wallet', 'NOT_FOUND', ['transactionId']);
    return found;
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

const TOO_LARGE: Readonly<Record<Exclude<FileResult['kind'], 'file' | 'too_many_calls'>, string>> = {
  too_many_rows: `There are more than ${MAX_FILE_ROWS} transactions. Read them by pages of "transactions".`,
  too_long: 'The response would be too long. Read the transactions by pages of "transactions".',
};

@Resolver('ConsumerAccount')
export class AccountTransactionsResolver implements Implements<'ConsumerAccount', keyof AccountTransactionsResolver> {
  constructor(
    private readonly history: HistoryService,
    private readonly files: HistoryFileService,
    private readonly callLimits: CallLimits,
    private readonly settings: GraphqlSettings,
  ) {}

  @ResolveField()
  async transactions(
    account: AccountRow,
    args: PageArgs & { walletIds?: readonly (string | null)[] | null },
    _context: GqlContext,
    info: GraphQLResolveInfo,
  ): Promise<Result<'ConsumerAccount', 'transactions'>> {
    return pageOf(this.history, { accountId: account.id, walletIds: walletIdsOf(account, args.walletIds) }, args, info);
  }

  @ResolveField()
  async csvTransactions(account: AccountRow, { walletIds }: { walletIds: readonly string[] }, context: GqlContext): Promise<string> {
    const { principal, reply } = context;
    const scope = { accountId: account.id, walletIds: walletIdsOf(account, walletIds) };
    const charge = (cost: number): boolean => this.callLimits.chargeMore(principal, cost, reply);
    const result = await makeFile(context, () => this.files.csv(scope, { charge, maxBytes: this.settings.GRAPHQL_ANSWER_BYTES }));
    if (result.kind === 'file') return result.base64;
    if (result.kind === 'too_many_calls') throw new GraphQLError(TOO_MANY_CALLS, { extensions: { code: 'TOO_MANY_REQUEST' } });
    throw InvalidInput.of(TOO_LARGE[result.kind], 'RESPONSE_TOO_LARGE', ['walletIds']);
  }
}

async function pageOf(
  history: HistoryService,
  scope: HistoryScope,
  args: PageArgs,
  info: GraphQLResolveInfo,
): Promise<Connection<TransactionRow>> {
  const pageRequest = pageRequestOf(args, isUuid);
  const rows: readonly BriefTransactionRow[] = await (selectsBriefRows(info)
    ? history.listBriefly(scope, pageRequest)
    : history.list(scope, pageRequest));
  return connectionOf(rows as readonly TransactionRow[], pageRequest, (row) => row);
}
