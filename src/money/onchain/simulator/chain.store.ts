import { queryOne, sql, type Database } from '../../../platform/database/index.js';
import type { Network } from '../../../platform/config/index.js';
import type { Outpoint } from '../onchain-backend.js';
import type { SignedTransaction } from '../transaction.js';
import { walletKey, type ChainKey } from './chain-keys.js';

const SEED = sql`SELECT private_key AS seed FROM simulator.node WHERE name = 'ours'`;
const NEW_POSITION = sql`SELECT nextval('simulated_chain.position') AS position`;
const ADD_ADDRESS = sql`INSERT INTO simulated_chain.address (position, address) VALUES ($1, $2)`;
const BROADCAST = sql`SELECT simulated_chain.broadcast($1, $2, $3, $4, $5, $6, $7, $8, $9) AS refusal`;

export const outpointColumns = (points: readonly Outpoint[]): [string[], number[]] => [
  points.map(({ txid }) => txid),
  points.map(({ vout }) => vout),
];

/** What the wallet of the simulated chain and its outside share. Errors are the database's own. */
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

  async newAddress(): Promise<string> {
    const { position } = await queryOne<{ position: bigint }>(this.database, NEW_POSITION);
    const { address } = await this.key(position);
    await this.database.query(ADD_ADDRESS, [position, address]);
    return address;
  }

  /** @param outsideSats what the inputs of a transaction of the outside are worth. @returns why the mempool does not take it */
  async broadcast(transaction: SignedTransaction, label = '', outsideSats: bigint | null = null): Promise<string | null> {
    const { txid, vsize, signalsReplacement, inputs, outputs } = transaction;
    const paid = [outputs.map(({ address }) => address), outputs.map(({ sats }) => sats)];
    const values = [txid, vsize, signalsReplacement, label, outsideSats, ...outpointColumns(inputs), ...paid];
    return (await queryOne<{ refusal: string | null }>(this.database, BROADCAST, values)).refusal;
  }
}
