import { Injectable } from '@nestjs/common';
import { cursorIn, cursorText, firstPage, type PageRequest } from '../../database/index.js';
import { isUuid } from '../../kernel/uuid.js';
import { PageError } from '../../page/index.js';
import { HistoryService, type TransactionRow } from '../../transaction/index.js';
import { AccountService } from '../../wallet/index.js';
import { ActivityService } from '../activity/activity.service.js';
import { moneyOf, shownAmount, worth } from '../activity/amount.js';
import { paths } from '../paths.js';
import type { HistoryModel } from './history.view.js';
import type { TransactionModel } from './transaction.view.js';

const PAGE = 25;

type Query = Readonly<Record<string, unknown>>;

/** Reads the payments of a person. */
@Injectable()
export class HistoryPageService {
  constructor(
    private readonly accounts: AccountService,
    private readonly history: HistoryService,
    private readonly activities: ActivityService,
  ) {}

  /** @throws PageError for a cursor that does not belong to this list */
  async list(userId: string, query: Query): Promise<Omit<HistoryModel, 'frame'>> {
    const pageRequest = pageRequestIn(query);
    const { id: accountId, wallets } = await this.accounts.getOfUser(userId);
    const rows = await this.history.list({ accountId, walletIds: wallets.map(({ id }) => id) }, pageRequest);
    const page = rows.slice(0, PAGE);
    if (!pageRequest.forward) page.reverse();
    return { activity: await this.activities.of(userId, page), ...linksOf(page, rows.length > PAGE, pageRequest) };
  }

  /** @throws PageError unless it is a payment of this person */
  async transaction(userId: string, id: string): Promise<Omit<TransactionModel, 'frame' | 'username'>> {
    const account = await this.accounts.getOfUser(userId);
    const row = isUuid(id) ? await this.history.findById(id) : null;
    if (row?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    const [activity] = await this.activities.of(userId, [row]);
    if (!activity) throw new PageError({ kind: 'error', error: 'missing' });
    return { activity, ...detailsOf(row) };
  }
}

/** The page after or before the cursor in the address. */
function pageRequestIn({ after, before }: Query): PageRequest {
  const first = firstPage(PAGE);
  if (before !== undefined) return { ...first, forward: false, before: cursorOf(before) };
  return after === undefined ? first : { ...first, after: cursorOf(after) };
}

function cursorOf(text: unknown): NonNullable<PageRequest['after']> {
  const cursor = typeof text === 'string' ? cursorIn(text, isUuid) : undefined;
  if (!cursor) throw new PageError({ kind: 'error', error: 'request' });
  return cursor;
}

/** A person who came from a newer page can go back to it, and the other way round. */
function linksOf(page: TransactionRow[], more: boolean, { forward, after }: PageRequest): Pick<HistoryModel, 'olderHref' | 'newerHref'> {
  const [newest, oldest] = [page[0], page.at(-1)];
  return {
    olderHref: oldest && (more || !forward) ? `${paths.history}?after=${cursorText(oldest)}` : null,
    newerHref: newest && (forward ? after : more) ? `${paths.history}?before=${cursorText(newest)}` : null,
  };
}

function detailsOf(row: TransactionRow): Omit<TransactionModel, 'frame' | 'activity' | 'username'> {
  const sent = row.direction === 'SEND';
  const pending = row.status === 'PENDING';
  const absolute = row.amount < 0n ? -row.amount : row.amount;
  const signed = shownAmount(row);
  const amount = row.status === 'SUCCESS' ? absolute - row.fee : signed < 0n ? -signed : signed;
  return {
    amount: moneyOf(amount, row.currency),
    feeMsat: sent && row.status === 'SUCCESS' && row.currency === 'BTC' ? row.fee : null,
    held: pending ? moneyOf(absolute, row.currency) : null,
    about: worth(amount, row.currency, row.centsPerBtc),
    wallet: row.currency,
    paymentHash: row.paymentHash,
    preimage: row.preimage,
  };
}
