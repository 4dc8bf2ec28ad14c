import { Injectable } from '@nestjs/common';
import { Database, Lookups, type Statement } from '../database/index.js';
import { BoundedMap } from '../kernel/bounded-map.js';
import type { AccountRow, Currency, WalletRow } from './wallet.row.js';

interface AccountRecord {
  readonly id: string;
  readonly user_id: string;
  readonly level: AccountRow['level'];
  readonly display_currency: string;
  readonly default_wallet_id: string;
  readonly wallet_id: string;
  readonly currency: Currency;
  readonly posted: bigint;
  readonly held: bigint;
}

/** The immutable properties of a wallet. */
export interface WalletRef {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly currency: Currency;
}

const OF_USER: Statement = {
  name: 'account_of_user',
  text: `SELECT a.id, a.user_id, a.level, a.display_currency, a.default_wallet_id, w.id AS wallet_id, w.currency, l.posted, l.held
           FROM account a JOIN wallet w ON w.account_id = a.id JOIN ledger_account l ON l.id = w.ledger_account_id
          WHERE a.user_id = ANY ($1::uuid[]) ORDER BY w.currency`,
};
const ADDRESS: Statement = {
  name: 'wallet_address',
  text: `SELECT w.id, w.account_id AS "accountId", a.user_id AS "userId", w.currency FROM wallet w JOIN account a ON a.id = w.account_id WHERE w.id = $1`,
};
const DEFAULT_OF_USERNAME: Statement = {
  name: 'wallet_default_of_username',
  text: `SELECT w.id, w.currency FROM app_user u JOIN account a ON a.user_id = u.id JOIN wallet w ON w.account_id = a.id
          WHERE u.username = $1 AND CASE WHEN $2::text IS NULL THEN w.id = a.default_wallet_id ELSE w.currency = $2 END`,
};
const ADDRESSES_KEPT = 20_000;

/** Reads accounts and wallets. A trigger opens them with their user; money moves through the ledger. */
@Injectable()
export class AccountService {
  private readonly addresses = new BoundedMap<string, WalletRef>(ADDRESSES_KEPT);

  private readonly ofUsers: Lookups<AccountRecord[]>;

  constructor(private readonly database: Database) {
    this.ofUsers = new Lookups((userIds) => this.recordsOf(userIds));
  }

  /**
   * The account of a user with both wallets and their balances. Calls made while a statement runs share the next one.
   * @throws Error if there is no such user: every signed-in user has an account
   */
  async getOfUser(userId: string): Promise<AccountRow> {
    const records = await this.ofUsers.find(userId);
    const [first] = records;
    if (!first) throw new Error(`User ${userId} has no account`);
    return {
      __typename: 'ConsumerAccount',
      id: first.id,
      userId: first.user_id,
      level: first.level,
      displayCurrency: first.display_currency,
      defaultWalletId: first.default_wallet_id,
      wallets: records.map(walletOf),
    };
  }

  /** The wallet's owner and currency. Cached in memory, because neither ever changes. */
  async findWallet(walletId: string): Promise<WalletRef | null> {
    const key = walletId.toLowerCase();
    const known = this.addresses.get(key);
    if (known) return known;
    const [found] = await this.database.query<WalletRef>(ADDRESS, [key]);
    if (!found) return null;
    this.addresses.set(key, found);
    return found;
  }

  /** Where to send money to a username: the default wallet, or the one in `currency`. */
  async findDefaultWallet(username: string, currency: Currency | null): Promise<{ id: string; currency: Currency } | null> {
    const [found] = await this.database.query<{ id: string; currency: Currency }>(DEFAULT_OF_USERNAME, [username.toLowerCase(), currency]);
    return found ?? null;
  }

  private async recordsOf(userIds: readonly string[]): Promise<AccountRecord[][]> {
    const records = await this.database.query<AccountRecord>(OF_USER, [userIds]);
    const byUser = new Map<string, AccountRecord[]>(userIds.map((userId) => [userId, []]));
    for (const record of records) byUser.get(record.user_id)?.push(record);
    return userIds.map((userId) => byUser.get(userId) ?? []);
  }
}

const walletOf = (record: AccountRecord): WalletRow => ({
  __typename: record.currency === 'BTC' ? 'BTCWallet' : 'UsdWallet',
  id: record.wallet_id,
  accountId: record.id,
  currency: record.currency,
  posted: record.posted,
  held: record.held,
});
