import { Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentVisitor, PageSession, type Visitor } from '../auth/index.js';
import { connectionOf, type Connection } from '../graphql/index.js';
import { isUuid } from '../kernel/uuid.js';
import { bitcoin, PageController, PageError, PageRenderer } from '../page/index.js';
import { msatOfCents } from '../price/index.js';
import { AccountService, HistoryService, type AccountRow, type TransactionRow } from '../wallet/index.js';
import { Activities, moneyOf, shownAmount, worth } from './activities.js';
import { historySlice } from './history-slice.js';
import { historyPage, paths, transactionPage, type TransactionModel } from './view/index.js';

const PAGE = 25;

type Query = Readonly<Record<string, unknown>>;

/** `/dashboard/history`: the payments of a person, and each one's outcome. */
@PageController('dashboard/history')
@PageSession()
export class HistoryController {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly accounts: AccountService,
    private readonly history: HistoryService,
    private readonly activities: Activities,
  ) {}

  @Get()
  async list(@Query() query: Query, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const { id } = visitor.user;
    const page = await this.page(await this.accounts.getOfUser(id), query);
    const rows = page.edges.map(({ node }) => node);
    const activity = await this.activities.of(id, rows);
    await this.renderer.send(reply, visitor, (frame) => historyPage({ frame, activity, ...linksOf(page, query) }), { live: true });
  }

  @Get(':id')
  async transaction(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Res() reply: FastifyReply): Promise<void> {
    const account = await this.accounts.getOfUser(visitor.user.id);
    const row = isUuid(id) ? await this.history.findById(id) : null;
    if (row?.accountId !== account.id) throw new PageError({ kind: 'error', error: 'missing' });
    const { username } = visitor.user;
    const [activity] = await this.activities.of(visitor.user.id, [row]);
    if (!activity) throw new PageError({ kind: 'error', error: 'missing' });
    await this.renderer.send(reply, visitor, (frame) => transactionPage({ frame, activity, username, ...detailsOf(row) }), {
      live: true,
    });
  }

  private async page({ id: accountId, wallets }: AccountRow, query: Query): Promise<Connection<TransactionRow>> {
    const slice = historySlice(query, PAGE);
    const rows = await this.history.list({ accountId, walletIds: wallets.map(({ id }) => id) }, slice);
    return connectionOf(rows, slice, (row) => row);
  }
}

/** A person who came from a newer page can go back to it, and the other way round. */
function linksOf(
  { pageInfo }: Connection<TransactionRow>,
  { after, before }: Query,
): { olderHref: string | null; newerHref: string | null } {
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
  const older = (hasNextPage || before !== undefined) && endCursor !== null;
  const newer = (hasPreviousPage || after !== undefined) && startCursor !== null;
  return {
    olderHref: older ? `${paths.history}?after=${endCursor}` : null,
    newerHref: newer ? `${paths.history}?before=${startCursor}` : null,
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
    about: row.currency === 'BTC' ? worth(amount, row.centsPerBtc) : bitcoin(msatOfCents(amount, row.centsPerBtc)),
    wallet: row.currency,
    paymentHash: row.paymentHash,
    preimage: row.preimage,
  };
}
