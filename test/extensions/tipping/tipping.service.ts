import { Injectable } from '@nestjs/common';
import { AccountService, columns, Database, Events, mapped, sql, type Stream, type TransactionRow, type Tx } from '../../../src/index.js';
import { TipEntity } from './tip.entity.js';

export interface Tip {
  readonly memo: string | null;
  readonly sats: number;
}

export interface TipSummary {
  readonly count: number;
  readonly sats: number;
}

const TIP = columns(TipEntity);
const ADD = sql`INSERT INTO tipping.tip (${TIP.names}) VALUES (${TIP.parameters()}) ON CONFLICT DO NOTHING`;
const RECEIVED = sql`SELECT count(*)::int AS count, (coalesce(sum(amount_msat), 0) / 1000)::float8 AS sats FROM tipping.tip WHERE account_id = $1`;
const FORGET = sql`DELETE FROM tipping.tip WHERE account_id = $1`;

/** Collects tips as they arrive. */
@Injectable()
export class TippingService {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly accounts: AccountService,
  ) {
    events.consume('tipping.tips', 'transaction.changed', (transaction, tx) => this.collect(transaction, tx));
  }

  isTip({ direction, status, currency, memo }: TransactionRow): boolean {
    return direction === 'RECEIVE' && status === 'SUCCESS' && currency === 'BTC' && /^tip\b/i.test(memo ?? '');
  }

  async received(userId: string): Promise<TipSummary> {
    const account = await this.accounts.getOfUser(userId);
    const [summary] = await this.database.query<TipSummary>(RECEIVED, [account.id]);
    return summary ?? { count: 0, sats: 0 };
  }

  async forget(userId: string): Promise<void> {
    const account = await this.accounts.getOfUser(userId);
    await this.database.query(FORGET, [account.id]);
  }

  /** Tips of one person from now on. */
  async arriving(userId: string): Promise<Stream<Tip>> {
    const { id } = await this.accounts.getOfUser(userId);
    return mapped(this.events.stream('transaction.changed', id), (transaction) => {
      return this.isTip(transaction) ? { memo: transaction.memo, sats: Number(transaction.amount / 1000n) } : undefined;
    });
  }

  /**
   * Each event is handled once, in one process, also if it was committed while none ran: the row is written with the consumer's position.
   * A transaction may change again; its second event finds the row.
   */
  private async collect(transaction: TransactionRow, tx: Tx): Promise<void> {
    if (!this.isTip(transaction)) return;
    const { id: transactionId, accountId, amount: amountMsat } = transaction;
    await tx.query(ADD, TIP.valuesOf({ transactionId, accountId, amountMsat }));
  }
}
