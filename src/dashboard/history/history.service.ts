import { Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { cursorText, firstPage, type PageRequest } from '../../platform/database/index.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { HistoryFileService, HistoryService, type FileRequest, type TransactionRow } from '../../money/transaction/index.js';
import { AccountService, type AccountRow } from '../../money/wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { hasDollars } from '../activity/amount.js';
import { PAGE_ROWS, pageLinks, pageRequestIn, rowsOnPage } from '../activity/page-links.js';
import { paths } from '../paths.js';
import type { Activity } from '../activity/activity.view.js';
import { filterIn, isFiltered, keeperOf, queryOf, type HistoryFilter } from './history-filter.js';
import type { HistoryModel } from './history.view.js';

type Query = Readonly<Record<string, unknown>>;
type Charge = (cost: number) => void;
/** A text that may be an address or a transaction id is looked up first: they are found at any age. */
const OF_CHAIN = /^[a-zA-Z0-9]{26,90}$/;

@Injectable()
export class HistoryPageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly history: HistoryService,
    private readonly activities: ActivityService,
    private readonly files: HistoryFileService,
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
    const scope = scopeOf(account, filter);
    const found = OF_CHAIN.test(filter.text)
      ? await this.history.listOfChain(scope.walletIds, filter.text, { ...firstPage(PAGE_ROWS), after })
      : [];
    await prepare(found);
    const { rows, next } =
      found.length > 0
        ? { rows: found.slice(0, PAGE_ROWS).filter(keeps), next: found.length > PAGE_ROWS ? (found[PAGE_ROWS - 1] ?? null) : null }
        : await this.history.search(scope, page, keeps, charge, prepare);
    const olderHref = next && `${paths.history}?${queryOf(filter)}&after=${cursorText(next)}`;
    return { activity: rows.flatMap(({ id }) => shown.get(id) ?? []), olderHref, newerHref: null };
  }
}

const scopeOf = ({ id: accountId, wallets }: AccountRow, { wallet }: HistoryFilter): { accountId: string; walletIds: string[] } => ({
  accountId,
  walletIds: wallets.filter(({ currency }) => wallet === 'all' || currency === wallet).map(({ id }) => id),
});
