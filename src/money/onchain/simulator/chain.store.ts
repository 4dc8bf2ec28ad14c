import { queryOne, sql, type Database } from '../../../platform/database/index.js';
import type { Network } from '../../../platform/config/index.js';
import type { Lease, Outpoint, WalletTransaction } from '../onchain-messages.js';
import type { SignedTransaction } from '../transaction.js';
import { walletKey, type ChainKey } from './chain-keys.js';
import type { Coin } from './coins.js';

type Listed<T extends { readonly sats: bigint }> = Omit<T, 'sats'> & { readonly sats: number };

interface ListedTransaction extends Omit<WalletTransaction, 'outputs'> {
  readonly id: number;
  readonly outputs: readonly Listed<WalletTransaction['outputs'][number]>[];
}

/** Where the chain has a transaction. `height` and `blockHash`: of its own block, or of the one that replaced it. */
interface FoundTransaction {
  readonly state: 'mempool' | 'confirmed' | 'gone';
  readonly height: number | null;
  readonly blockHash: string | null;
  readonly replacedBy: string | null;
}

export const TRANSACTIONS_PAGE = 200;

const SEED = sql`SELECT private_key AS seed FROM simulator.node WHERE name = 'ours'`;
const REACH = sql`SELECT simulated_chain.reach($1) AS "losesAnswer"`;
const TIP = sql`SELECT height::float8 AS height, hash FROM simulated_chain.block ORDER BY block.height DESC LIMIT 1`;
const NEW_POSITION = sql`SELECT nextval('simulated_chain.position') AS position`;
const ADD_ADDRESS = sql`INSERT INTO simulated_chain.address (position, address) VALUES ($1, $2)`;
const TRANSACTIONS = sql`SELECT id::float8 AS id, txid, height::float8 AS height, block_hash AS "blockHash", seen_at AS "seenAt", label, outputs, spends
     FROM simulated_chain.wallet_transactions($1, $2, ${TRANSACTIONS_PAGE})`;
const COINS = sql`SELECT txid, vout, position, sats FROM simulated_chain.coin WHERE height IS NOT NULL AND lease_id IS NULL ORDER BY sats DESC, txid, vout`;
const COINS_AT = sql`SELECT o.txid, o.vout, a.position, o.sats FROM unnest($1::text[], $2::integer[]) AS p(txid, vout)
     JOIN simulated_chain.output o USING (txid, vout) JOIN simulated_chain.address a USING (address)`;
const RESERVED = sql`SELECT reserved_sats AS "reservedSats" FROM simulated_chain.chain`;
const BALANCE = sql`SELECT coalesce(sum(sats) FILTER (WHERE height IS NOT NULL), 0)::int8 AS "confirmedSats",
          coalesce(sum(sats) FILTER (WHERE height IS NULL), 0)::int8 AS "unconfirmedSats",
          (SELECT reserved_sats FROM simulated_chain.chain) AS "reservedSats" FROM simulated_chain.coin`;
const POSITIONS = sql`SELECT position FROM simulated_chain.address WHERE address = ANY ($1)`;
const LEASE = sql`SELECT simulated_chain.take_lease($1, $2, $3, $4) AS leased`;
const RELEASE = sql`DELETE FROM simulated_chain.lease WHERE id = $1`;
const BROADCAST = sql`SELECT simulated_chain.broadcast($1, $2, $3, $4, $5, $6, $7, $8, $9) AS refusal`;
const LOOKUP = sql`SELECT state, height::float8 AS height, block_hash AS "blockHash", replaced_by AS "replacedBy" FROM simulated_chain.lookup($1)`;

const columnsOf = (points: readonly Outpoint[]): [string[], number[]] => [points.map(({ txid }) => txid), points.map(({ vout }) => vout)];

/** Access to the tables of the simulated chain: one statement per step. Errors are the database's own. */
export class ChainStore {
  private seed: Buffer | undefined;

  constructor(
    readonly database: Database,
    readonly network: Network,
  ) {}

  async key(position: bigint): Promise<ChainKey> {
    this.seed ??= (await queryOne<{ seed: Buffer }>(this.database, SEED)).seed;
    return walletKey(this.seed, position, this.network);
  }

  /** Fails while the node is away. @returns whether the answer of this call is to be lost */
  async reach(call: string): Promise<boolean> {
    return (await queryOne<{ losesAnswer: boolean }>(this.database, REACH, [call])).losesAnswer;
  }

  tip(): Promise<{ readonly height: number; readonly hash: string }> {
    return queryOne(this.database, TIP);
  }

  async newAddress(): Promise<string> {
    const { position } = await queryOne<{ position: bigint }>(this.database, NEW_POSITION);
    const { address } = await this.key(position);
    await this.database.query(ADD_ADDRESS, [position, address]);
    return address;
  }

  transactions(fromHeight: number, afterId: number): Promise<ListedTransaction[]> {
    return this.database.query<ListedTransaction>(TRANSACTIONS, [fromHeight, afterId]);
  }

  /** Those in blocks that are not leased, the largest first. */
  coins(): Promise<Coin[]> {
    return this.database.query<Coin>(COINS);
  }

  coinsAt(points: readonly Outpoint[]): Promise<Coin[]> {
    return this.database.query<Coin>(COINS_AT, columnsOf(points));
  }

  async reservedSats(): Promise<bigint> {
    return (await queryOne<{ reservedSats: bigint }>(this.database, RESERVED)).reservedSats;
  }

  balance(): Promise<{ readonly confirmedSats: bigint; readonly unconfirmedSats: bigint; readonly reservedSats: bigint }> {
    return queryOne(this.database, BALANCE);
  }

  /** The keys of those addresses that are the wallet's. */
  async keysOf(addresses: readonly string[]): Promise<ChainKey[]> {
    const rows = await this.database.query<{ position: bigint }>(POSITIONS, [addresses]);
    return Promise.all(rows.map(({ position }) => this.key(position)));
  }

  async lease({ id, seconds }: Lease, points: readonly Outpoint[]): Promise<boolean> {
    return (await queryOne<{ leased: boolean }>(this.database, LEASE, [id, seconds, ...columnsOf(points)])).leased;
  }

  async release(id: string): Promise<void> {
    await this.database.query(RELEASE, [id]);
  }

  /** @param outsideSats what the inputs of a transaction of the outside are worth. @returns why the mempool does not take it */
  async broadcast(transaction: SignedTransaction, label = '', outsideSats: bigint | null = null): Promise<string | null> {
    const { txid, vsize, signalsReplacement, inputs, outputs } = transaction;
    const paid = [outputs.map(({ address }) => address), outputs.map(({ sats }) => sats)];
    const values = [txid, vsize, signalsReplacement, label, outsideSats, ...columnsOf(inputs), ...paid];
    return (await queryOne<{ refusal: string | null }>(this.database, BROADCAST, values)).refusal;
  }

  async find(txid: string): Promise<FoundTransaction | undefined> {
    return (await this.database.query<FoundTransaction>(LOOKUP, [txid]))[0];
  }
}
