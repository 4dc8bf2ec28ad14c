import { Context, Info, ResolveField, Resolver, Subscription } from '@nestjs/graphql';
import { visit, type ASTNode, type GraphQLResolveInfo } from 'graphql';
import { Scopes, userIdOf, type GqlContext } from '../../edge/auth/index.js';
import { Events, mapped, merged, type EventMap, type Stream } from '../../platform/events/index.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { followPriceOfSat, followRealtimePrice, PriceService } from '../price/index.js';
import { budgetIdsOf } from '../../access/limit/index.js';
import { sdlBudget, UserService, type UserRow } from '../../access/user/index.js';
import { AccountService, toApiAmount } from '../wallet/index.js';
import { SATS_PER_BTC } from '../../platform/kernel/money.js';
import { unitsPerDollarOf } from './display.js';
import type { TransactionRow } from './transaction.row.js';

export type UserUpdate = NonNullable<Result<'MyUpdatesPayload', 'update'>>;

const CENTS_PER_DOLLAR = 100;

/** The update that Sluice publishes to the account for a change of its history; undefined for a pending send, and for a deposit that has failed. */
function updateOf(transaction: TransactionRow): UserUpdate | undefined {
  if (transaction.settlement === 'onchain' && transaction.direction === 'RECEIVE') return depositUpdateOf(transaction);
  if (transaction.status === 'PENDING') return undefined;
  if (transaction.direction === 'SEND')
    return { __typename: 'PaymentUpdate', status: transaction.status === 'SUCCESS' ? 'SUCCESS' : 'FAILURE', transaction };
  if (transaction.initiation === 'ln') {
    return {
      __typename: 'LnUpdate',
      paymentHash: transaction.paymentHash ?? '',
      status: 'PAID',
      walletId: transaction.walletId,
      transaction,
    };
  }
  return { __typename: 'IntraLedgerUpdate', txNotificationType: 'IntraLedgerReceipt', ...receiptOf(transaction) };
}

const budgetUpdateOf = ({ percent, freeAtMs, ...limit }: EventMap['budget.used']): UserUpdate => ({
  __typename: 'BudgetUpdate',
  percent,
  budget: sdlBudget({ ...limit, freeAt: freeAtMs === null ? null : new Date(freeAtMs) }),
});

function depositUpdateOf(transaction: TransactionRow): UserUpdate | undefined {
  if (transaction.status === 'FAILURE') return undefined;
  return {
    __typename: 'OnChainUpdate',
    txNotificationType: transaction.status === 'PENDING' ? 'OnchainReceiptPending' : 'OnchainReceipt',
    txHash: transaction.txid ?? '',
    ...receiptOf(transaction),
  };
}

interface Receipt {
  readonly amount: number;
  readonly displayCurrencyPerSat: number;
  readonly usdPerSat: number;
  readonly walletId: string;
  readonly transaction: TransactionRow;
}

function receiptOf(transaction: TransactionRow): Receipt {
  // 0 without a price: both fields are deprecated, and cannot be null.
  const usdPerSat = Number(transaction.centsPerBtc ?? 0n) / CENTS_PER_DOLLAR / Number(SATS_PER_BTC);
  return {
    amount: toApiAmount(transaction.amount, transaction.currency),
    displayCurrencyPerSat: usdPerSat * unitsPerDollarOf(transaction),
    usdPerSat,
    walletId: transaction.walletId,
    transaction,
  };
}

type Update = Result<'Subscription', 'myUpdates'>;

@Resolver()
export class UpdatesResolver implements Implements<'Subscription', keyof UpdatesResolver> {
  constructor(
    private readonly events: Events,
    private readonly accounts: AccountService,
    private readonly prices: PriceService,
  ) {}

  @Subscription()
  @Scopes('read')
  async myUpdates(@Context() { principal }: GqlContext, @Info() info: GraphQLResolveInfo): Promise<AsyncIterable<{ myUpdates: Update }>> {
    const { id, displayCurrency } = await this.accounts.getOfUser(userIdOf(principal));
    const changes = this.events.stream('transaction.changed', id);
    // A pending send is not published: some clients cannot handle a frame without an update.
    const updates: Stream<unknown> = mapped(changes, updateOf);
    const ticks: Stream<unknown>[] = [];
    const types = typesIn(info);
    // A client that does not select these would get frames without content.
    if (types.has('Price')) ticks.push(followPriceOfSat(this.prices));
    if (types.has('RealtimePrice')) ticks.push(followRealtimePrice(this.prices, displayCurrency));
    if (types.has('BudgetUpdate'))
      ticks.push(...budgetIdsOf(principal).map((budget) => mapped(this.events.stream('budget.used', budget), budgetUpdateOf)));
    return mapped(ticks.length > 0 ? merged([updates, ...ticks]) : updates, (update) => ({
      myUpdates: { errors: [], update } as unknown as Update,
    }));
  }
}

function typesIn({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const types = new Set<string>();
  const seen = new Set<string>();
  const search = (node: ASTNode): unknown =>
    visit(node, {
      NamedType: ({ name }) => void types.add(name.value),
      FragmentSpread({ name: { value: name } }) {
        const fragment = seen.has(name) ? undefined : fragments[name];
        seen.add(name);
        if (fragment) search(fragment);
      },
    });
  fieldNodes.forEach(search);
  return types;
}

@Resolver('MyUpdatesPayload')
export class UpdatesPayloadResolver implements Implements<'MyUpdatesPayload', keyof UpdatesPayloadResolver> {
  constructor(private readonly users: UserService) {}

  @ResolveField()
  me(_payload: unknown, _args: unknown, { principal }: GqlContext): Promise<UserRow | null> {
    return this.users.findById(userIdOf(principal));
  }
}
