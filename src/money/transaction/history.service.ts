import { Injectable } from '@nestjs/common';
import {
  Database,
  firstPage,
  fragment,
  mergedPageStatements,
  pageQuery,
  pageStatements,
  sql,
  type Cursor,
  type Fragment,
  type PageRequest,
  type PageStatements,
  isUnavailable,
} from '../../platform/database/index.js';
import { Events, type EventPage } from '../../platform/events/index.js';
import { distinctWallets, MAX_WALLETS } from '../wallet/index.js';
import {
  BRIEF_COLUMNS,
  FILE_COLUMNS,
  rowAt,
  TRANSACTION_COLUMNS,
  type BriefTransactionRow,
  type FileRow,
  type TransactionChange,
  type TransactionRow,
} from './transaction.row.js';

/** The scope of a history: one wallet, or some wallets of one account. */
export type HistoryScope = { readonly walletId: string } | { readonly accountId: string; readonly walletIds: readonly string[] };

interface Pages {
  readonly ofWallet: PageStatements;
  readonly ofAccount: PageStatements;
}

const pagesOf = (history: Fragment): Pages => ({
  ofWallet: pageStatements({ select: fragment`${history} WHERE wallet_id = $1`, values: 1, id: fragment`id` }),
  ofAccount: mergedPageStatements({
    select: fragment`${history} WHERE wallet_id = list.id`,
    values: 2,
    id: fragment`id`,
    ids: 2,
    max: MAX_WALLETS,
    order: { createdAt: fragment`"createdAt"`, id: fragment`id` },
    where: fragment`page."accountId" = $1`,
  }),
});

const HISTORY = fragment`SELECT ${TRANSACTION_COLUMNS.of('t')} FROM transaction t`;
const WHOLE = pagesOf(HISTORY);
const BRIEF = pagesOf(fragment`SELECT ${BRIEF_COLUMNS.of('t')} FROM transaction t`);
const OF_FILE = pagesOf(fragment`SELECT ${FILE_COLUMNS.of('t')} FROM transaction t`);
const COUNT_OF_WALLET = sql`SELECT count(*)::int AS rows FROM (SELECT FROM transaction WHERE wallet_id = $1 LIMIT $2) AS t`;
const COUNT_OF_ACCOUNT = sql`SELECT count(*)::int AS rows
           FROM (SELECT FROM unnest($2::uuid[]) AS list (id)
                  CROSS JOIN LATERAL (SELECT account_id FROM transaction WHERE wallet_id = list.id LIMIT $3) AS t
                  WHERE account_id = $1 LIMIT $3) AS counted`;
const BY_HASH = sql`${HISTORY} WHERE payment_hash = $1 AND wallet_id = $2 ORDER BY created_at DESC, id DESC LIMIT 100`;
const OF_CHAIN = pageStatements({
  select: fragment`${HISTORY} WHERE wallet_id = ANY ($1::uuid[]) AND id = ANY (ARRAY(
           SELECT id FROM transaction WHERE address = $2 UNION ALL SELECT id FROM transaction WHERE txid = $3))`,
  values: 3,
  id: fragment`id`,
});
const SENT = sql`SELECT s.id FROM transaction r JOIN transaction s ON s.id = history_other_side(r.id)
          WHERE r.id = $1 AND r.direction = 'RECEIVE' AND s.direction = 'SEND' AND s.counterparty_wallet_id = r.wallet_id`;
const SENT_WITH = sql`SELECT s.id FROM transaction r JOIN transaction s ON s.wallet_id = r.counterparty_wallet_id AND s.created_at = r.created_at
          WHERE r.id = $1 AND s.counterparty_wallet_id = r.wallet_id AND s.direction = 'SEND' LIMIT 2`;
const BY_ID = sql`${HISTORY} WHERE id = $1`;

const MAX_CHANGES = 1_000;
export const MAX_SEARCHED = 5_000;
const SEARCHED_AT_ONCE = 1_000;
/** The cost of a row of a search or file, as that of a document: half of a row's fields in a page of the API, whose rows take twice as much time. */
export const COST_OF_ROW = 8;

/** The history of wallets: newest first, one statement a page. */
@Injectable()
export class HistoryService {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
  ) {
    events.readRows('transaction.changed', {
      table: fragment`transaction`,
      columns: TRANSACTION_COLUMNS,
      at: (row, stored) => rowAt(row, stored as TransactionChange),
    });
  }

  /** @returns up to one row more than the limit: the extra row shows that there are more */
  list(scope: HistoryScope, pageRequest: PageRequest): Promise<TransactionRow[]> {
    return this.page<TransactionRow>(WHOLE, scope, pageRequest);
  }

  /** It is `list` for half the cost. */
  listBriefly(scope: HistoryScope, pageRequest: PageRequest): Promise<BriefTransactionRow[]> {
    return this.page<BriefTransactionRow>(BRIEF, scope, pageRequest);
  }

  /** It is `list` with the columns of a file. */
  listForFile(scope: HistoryScope, pageRequest: PageRequest): Promise<FileRow[]> {
    return this.page<FileRow>(OF_FILE, scope, pageRequest);
  }

  /** Counts rows of a history up to `max`, and reads no more of them. */
  async countUpTo(max: number, scope: HistoryScope): Promise<number> {
    const [counted] =
      'walletId' in scope
        ? await this.database.query<{ rows: number }>(COUNT_OF_WALLET, [scope.walletId, max])
        : await this.database.query<{ rows: number }>(COUNT_OF_ACCOUNT, [scope.accountId, distinctWallets(scope.walletIds), max]);
    return counted?.rows ?? 0;
  }

  /**
   * The rows of a page that a filter keeps, found among the next `MAX_SEARCHED` rows: a search must not read a long history at once.
   * @param charge gets the cost of the rows that were read, each time
   * @param prepare gets the rows before `keeps` does, many at a time
   * @returns the rows, and where the next search begins; null at the end of the history
   */
  async search(
    scope: HistoryScope,
    { limit, after: from }: Pick<PageRequest, 'limit' | 'after'>,
    keeps: (row: TransactionRow) => boolean,
    charge: (cost: number) => void = () => undefined,
    prepare: (rows: readonly TransactionRow[]) => Promise<void> = async () => undefined,
  ): Promise<{ readonly rows: readonly TransactionRow[]; readonly next: Cursor | null }> {
    const kept: TransactionRow[] = [];
    let after = from;
    for (let count = 0; count < MAX_SEARCHED; count += SEARCHED_AT_ONCE) {
      const rows = await this.list(scope, { ...firstPage(SEARCHED_AT_ONCE), after });
      const searched = rows.slice(0, SEARCHED_AT_ONCE);
      charge(searched.length * COST_OF_ROW);
      await prepare(searched);
      for (const row of searched) {
        after = row;
        if (keeps(row)) kept.push(row);
        if (kept.length === limit) return { rows: kept, next: after };
      }
      if (rows.length <= SEARCHED_AT_ONCE) return { rows: kept, next: null };
    }
    return { rows: kept, next: after ?? null };
  }

  /** All attempts to pay one hash from this wallet, or its receipt; none for an unknown hash. */
  async listByHash(walletId: string, paymentHash: string): Promise<TransactionRow[]> {
    return this.database.query<TransactionRow>(BY_HASH, [paymentHash.toLowerCase(), walletId]);
  }

  /** The rows of a bitcoin address, or of a transaction on chain by its id. Addresses of SegWit may be in capitals. */
  listOfChain(walletIds: readonly string[], text: string, pageRequest: PageRequest): Promise<TransactionRow[]> {
    const address = text === text.toUpperCase() ? text.toLowerCase() : text;
    return this.database.query<TransactionRow>(...pageQuery(OF_CHAIN, [walletIds, address, text.toLowerCase()], pageRequest));
  }

  /**
   * Changes of all histories after a place, in the order of their commits, each row as it was then: a payment that was pending may come
   * twice. For an export that polls; `events.consume` handles each change once.
   * @param cursor that of the last page; undefined: the oldest changes that are kept, an hour at least
   * @returns undefined if changes after the cursor were deleted: then read the histories again
   */
  since(cursor?: string, limit = 100): Promise<EventPage<TransactionRow> | undefined> {
    return this.events.readSince('transaction.changed', cursor, Math.min(limit, MAX_CHANGES));
  }

  private page<Row extends BriefTransactionRow>(pages: Pages, scope: HistoryScope, pageRequest: PageRequest): Promise<Row[]> {
    const query =
      'walletId' in scope
        ? pageQuery(pages.ofWallet, [scope.walletId], pageRequest)
        : pageQuery(pages.ofAccount, [scope.accountId, distinctWallets(scope.walletIds)], pageRequest);
    return this.database.query<Row>(...query);
  }

  async findById(id: string): Promise<TransactionRow | null> {
    return (await this.database.query<TransactionRow>(BY_ID, [id]))[0] ?? null;
  }

  /**
   * The payer's row of what a wallet of Sluice has received: its id says which. Rows of 0.3.0 and before have the time of their payment only: null if
   * another payment between the two wallets has the same time, because either may be it.
   */
  async findSent(receivedId: string): Promise<string | null> {
    const [known] = await this.database.query<{ id: string }>(SENT, [receivedId]);
    if (known) return known.id;
    const [sent, other] = await this.database.query<{ id: string }>(SENT_WITH, [receivedId]);
    return sent && !other ? sent.id : null;
  }

  /** `findById`, once more on a new connection if the first one has ended: what the pool has beside it may have ended too. */
  async findCommitted(id: string): Promise<TransactionRow | null> {
    try {
      return await this.findById(id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return (await this.database.queryAnew<TransactionRow>(BY_ID, [id]))[0] ?? null;
    }
  }
}
