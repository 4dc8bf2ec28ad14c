import { Injectable } from '@nestjs/common';
import { columns, Database, BatchLoader, sql, type RowOf, type Tx } from '../../platform/database/index.js';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import { AccountEntity, WalletEntity } from './wallet.entity.js';
import type { AccountRow, WalletRow, Currency } from './wallet.row.js';

const ACCOUNT = columns(AccountEntity).except('createdAt');
const WALLET = columns(WalletEntity).only('id', 'accountId', 'currency');

interface AccountRecord extends RowOf<typeof ACCOUNT>, Pick<WalletRow, 'currency' | 'posted' | 'held'> {
  readonly walletId: string;
}

/** The immutable properties of a wallet. */
export interface WalletRef extends RowOf<typeof WALLET> {
  readonly userId: string;
}

export interface NamedWallet extends Pick<WalletRef, 'id' | 'currency'> {
  readonly username: string;
}

const OF_USER = sql`SELECT ${ACCOUNT.of('a')}, w.id AS "walletId", w.currency, l.posted, l.held
           FROM account a JOIN wallet w ON w.account_id = a.id JOIN ledger_account l ON l.id = w.ledger_account_id
          WHERE a.user_id = ANY ($1::uuid[]) ORDER BY w.currency`;
const FIND_WALLET = sql`SELECT ${WALLET.of('w')}, a.user_id AS "userId" FROM wallet w JOIN account a ON a.id = w.account_id WHERE w.id = $1`;
const DEFAULT_OF_USERNAME = sql`SELECT w.id, w.currency, u.username FROM app_user u JOIN account a ON a.user_id = u.id JOIN wallet w ON w.account_id = a.id
          WHERE u.id = user_named($1) AND CASE WHEN $2::text IS NULL THEN w.id = a.default_wallet_id ELSE w.currency = $2 END`;
const SET_DEFAULT = sql`UPDATE account a SET default_wallet_id = w.id FROM wallet w
          WHERE a.user_id = $1 AND w.id = $2 AND w.account_id = a.id RETURNING a.id`;
const SET_CURRENCY = sql`UPDATE account SET display_currency = $2 WHERE user_id = $1`;
const OWNERS = sql`SELECT a.id AS "accountId", u.id AS "userId", u.username FROM account a JOIN app_user u ON u.id = a.user_id
          WHERE a.id = ANY ($1::uuid[]) OR a.user_id = ANY ($1::uuid[])`;
const MAX_CACHED_WALLETS = 20_000;

export interface AccountOwner {
  readonly accountId: string;
  readonly userId: string;
  readonly username: string;
}

/** Accounts and wallets, and what their owner chooses. A trigger opens them with their user; money moves through the ledger. */
@Injectable()
export class AccountService {
  private readonly wallets = new BoundedMap<string, WalletRef>(MAX_CACHED_WALLETS);

  private readonly ofUsers: BatchLoader<AccountRecord[]>;

  constructor(private readonly database: Database) {
    this.ofUsers = new BatchLoader((userIds) => this.recordsOf(userIds));
  }

  /**
   * The account of a user with both wallets and their balances. Calls made while a statement runs share the next one.
   * @throws Error if there is no such user: every signed-in user has an account
   */
  async getOfUser(userId: string): Promise<AccountRow> {
    const records = await this.ofUsers.load(userId);
    const [first] = records;
    if (!first) throw new Error(`User ${userId} has no account`);
    const { id, level, displayCurrency, defaultWalletId } = first;
    return { __typename: 'ConsumerAccount', id, userId, level, displayCurrency, defaultWalletId, wallets: records.map(walletOf) };
  }

  /** @param ids of accounts or of users */
  ownersOf(ids: readonly string[]): Promise<AccountOwner[]> {
    return this.database.query<AccountOwner>(OWNERS, [ids]);
  }

  /** The wallet's owner and currency. Cached in memory, because neither ever changes. */
  async findWallet(walletId: string): Promise<WalletRef | null> {
    const key = walletId.toLowerCase();
    const known = this.wallets.get(key);
    if (known) return known;
    const [found] = await this.database.query<WalletRef>(FIND_WALLET, [key]);
    if (!found) return null;
    this.wallets.set(key, found);
    return found;
  }

  /** Where to send money to a username, or to a former one: the default wallet, or the one in `currency`, and the username of now. */
  async findDefaultWallet(username: string, currency: Currency | null): Promise<NamedWallet | null> {
    const [found] = await this.database.query<NamedWallet>(DEFAULT_OF_USERNAME, [username.toLowerCase(), currency]);
    return found ?? null;
  }

  /** @returns false if this is no wallet of the user */
  async chooseDefaultWallet(userId: string, walletId: string, tx: Tx = this.database): Promise<boolean> {
    return (await tx.query(SET_DEFAULT, [userId, walletId])).length > 0;
  }

  /** What has happened before keeps its display amounts. @param currency one that has a price */
  async chooseDisplayCurrency(userId: string, currency: string, tx: Tx = this.database): Promise<void> {
    await tx.query(SET_CURRENCY, [userId, currency]);
  }

  private async recordsOf(userIds: readonly string[]): Promise<AccountRecord[][]> {
    const records = await this.database.query<AccountRecord>(OF_USER, [userIds]);
    const byUser = new Map<string, AccountRecord[]>(userIds.map((userId) => [userId, []]));
    for (const record of records) byUser.get(record.userId)?.push(record);
    return userIds.map((userId) => byUser.get(userId) ?? []);
  }
}

const walletOf = ({ id: accountId, walletId: id, currency, posted, held }: AccountRecord): WalletRow => ({
  __typename: currency === 'BTC' ? 'BTCWallet' : 'UsdWallet',
  id,
  accountId,
  currency,
  posted,
  held,
});
