import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { cursorText, type PageRequest } from '../../platform/database/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { dollars, PageError } from '../../edge/page/index.js';
import { ExchangeService, type Exchange } from '../../money/payment/index.js';
import { HistoryFileService, HistoryService, type FileRequest, type TransactionRow } from '../../money/transaction/index.js';
import { AccountService, type AccountRow } from '../../money/wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { hasDollars, moneyOf, shownAmount, worthThen } from '../activity/amount.js';
import { PAGE_ROWS, pageLinks, pageRequestIn, rowsOnPage } from '../activity/page-links.js';
import { paths } from '../paths.js';
import type { Activity } from '../activity/activity.view.js';
import { filterIn, isFiltered, keeperOf, queryOf, type HistoryFilter } from './history-filter.js';
import type { HistoryModel } from './history.view.js';
import type { TransactionModel } from './transaction.view.js';

type Query = Readonly<Record<string, unknown>>;
type Charge = (cost: number) => void;

@Injectable()
export class HistoryPageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly history: HistoryService,
    private readonly activities: ActivityService,
    private readonly files: HistoryFileService,
    private readonly exchanges: ExchangeService,
  ) {}

  /**
   * @param charge gets the cost of the rows that a search reads
   * @throws PageError for a cursor that does not belong to this list
   */
  async list(userId: string, query: Query, charge: Charge): Promise<Omit<HistoryModel, 'frame'>> {
    const pageRequest = pageRequestIn(query, isUuid);
    const filter = filterIn(query);
    const account = await this.accounts.getOfUser(userId);
    const more = { filter, hasDollars: hasDollars(account) };
    if (isFiltered(filter)) return { ...more, ...(await this.search(account, filter, pageRequest, charge)) };
    const rows = await this.history.list(scopeOf(account, filter), pageRequest);
    const page = rowsOnPage(rows, pageRequest);
    return {
      ...more,
      activity: await this.activities.of(userId, page),
      ...pageLinks(paths.history, page, rows.length > PAGE_ROWS, pageRequest),
    };
  }

  /** The whole history as a file; undefined while too many downloads have not ended. */
  async file(asked: FileRequest): Promise<Readable | undefined> {
    const { id: accountId, wallets } = await this.accounts.getOfUser(asked.userId);
    return this.files.download({ accountId, walletIds: wallets.map(({ id }) => id) }, asked);
  }

  /** Only towards older rows: the browser's Back leads to newer ones. */
  private async search(
    account: AccountRow,
    filter: HistoryFilter,
    { after }: PageRequest,
    charge: Charge,
  ): Promise<Pick<HistoryModel, 'activity' | 'olderHref' | 'newerHref'>> {
    const page = { limit: PAGE_ROWS, after };
    const isKept = keeperOf(filter);
    const shown = new Map<string, Activity>();
    const prepare = async (rows: readonly TransactionRow[]): Promise<void> => {
      for (const activity of await this.activities.of(account.userId, rows)) shown.set(activity.id, activity);
    };
    const keeps = (row: TransactionRow): boolean => isKept(row, shown.get(row.id));
    const { rows, next } = await this.history.search(scopeOf(account, filter), page, keeps, charge, prepare);
    const olderHref = next && `${paths.history}?${queryOf(filter)}&after=${cursorText(next)}`;
    return { activity: rows.flatMap(({ id }) => shown.get(id) ?? []), olderHref, newerHref: null };
  }

  /** @throws PageError unless it is a payment of this person */
  async transaction(userId: string, id: string): Promise<Omit<TransactionModel, 'frame' | 'username'>> {
    const account = await this.accounts.getOfUser(userId);
    const row = isUuid(id) ? await this.history.findById(id) : null;
    if (row?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    const [activity] = await this.activities.of(userId, [row]);
    if (!activity) throw new PageError({ kind: 'error', error: 'missing' });
    const exchange = activity.ownWallet === null ? null : await this.exchangeOf(row);
    return { activity, ...detailsOf(row), exchange: exchange && shownExchange(exchange) };
  }

  /** Both rows of a conversion are of one payment, which has the id of the row that paid. */
  private async exchangeOf({ id, direction }: TransactionRow): Promise<Exchange | null> {
    const paymentId = direction === 'SEND' ? id : await this.history.findSent(id);
    return paymentId === null ? null : this.exchanges.find(paymentId);
  }
}

const scopeOf = ({ id: accountId, wallets }: AccountRow, { wallet }: HistoryFilter): { accountId: string; walletIds: string[] } => ({
  accountId,
  walletIds: wallets.filter(({ currency }) => wallet === 'all' || currency === wallet).map(({ id }) => id),
});

const shownExchange = ({ gave, got, centsPerBtc }: Exchange): TransactionModel['exchange'] => ({
  gave: moneyOf(gave.amount, gave.currency),
  got: moneyOf(got.amount, got.currency),
  price: dollars(centsPerBtc),
});

function detailsOf(row: TransactionRow): Omit<TransactionModel, 'frame' | 'activity' | 'username' | 'exchange'> {
  const sent = row.direction === 'SEND';
  const pending = row.status === 'PENDING';
  const absolute = row.amount < 0n ? -row.amount : row.amount;
  const signed = shownAmount(row);
  const amount = row.status === 'SUCCESS' ? absolute - row.fee : signed < 0n ? -signed : signed;
  return {
    amount: moneyOf(amount, row.currency),
    feeMsat: sent && row.status === 'SUCCESS' && row.currency === 'BTC' ? row.fee : null,
    held: pending ? moneyOf(absolute, row.currency) : null,
    about: worthThen(amount, row),
    wallet: row.currency,
    paymentRequest: row.paymentRequest,
    paymentHash: row.paymentHash,
    preimage: row.preimage,
  };
}
