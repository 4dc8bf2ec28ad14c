import { Transaction } from '@scure/btc-signer';
import { isUnavailable, queryOne, sql } from '../../../platform/database/index.js';
import { Log } from '../../../platform/logging/index.js';
import { ADDRESS_NETWORKS, readAddress, type ChainAddress } from '../address.js';
import { OnChainBackend } from '../onchain-backend.js';
import type * as port from '../onchain-backend.js';
import { readTransaction, spentAddresses } from '../transaction.js';
import { outpointColumns, type ChainStore } from './chain.store.js';
import { chooseCoins, type ChosenCoins, type Coin } from './coins.js';

const UNKNOWN = { status: 'unknown' } as const;
/** What the simulated mempool asks: for the next block, for the next six, and for a later one. */
const FEE_RATES: readonly (readonly [targetBlocks: number, satsPerVbyte: number])[] = [
  [1, 20],
  [6, 10],
  [Infinity, 2],
];
/** Beyond it other processes lease what this one chooses, again and again. */
const MAX_LEASE_TRIES = 20;
export const TRANSACTIONS_PAGE = 200;

type Call = Exclude<keyof OnChainBackend, 'portVersion' | 'capabilities'>;
type Output = ChainAddress & { readonly sats: bigint };

interface ListedTransaction extends Omit<port.WalletTransaction, 'outputs'> {
  readonly id: number;
  /** JSON, in which satoshis are numbers. */
  readonly outputs: readonly (Omit<port.WalletTransaction['outputs'][number], 'sats'> & { readonly sats: number })[];
}

/** Where the chain has a transaction. `height` and `blockHash`: of its own block, or of the one that replaced it. */
interface FoundTransaction {
  readonly state: 'mempool' | 'confirmed' | 'gone';
  readonly height: number | null;
  readonly blockHash: string | null;
  readonly replacedBy: string | null;
}

const REACH = sql`SELECT simulated_chain.reach($1) AS "losesAnswer"`;
const TIP = sql`SELECT height::float8 AS height, hash FROM simulated_chain.block ORDER BY block.height DESC LIMIT 1`;
const TRANSACTIONS = sql`SELECT id::float8 AS id, txid, height::float8 AS height, block_hash AS "blockHash", seen_at AS "seenAt", label, outputs, spends
     FROM simulated_chain.wallet_transactions($1, $2, ${TRANSACTIONS_PAGE})`;
/** Those in blocks that are not leased, the largest first. */
const COINS = sql`SELECT txid, vout, position, sats FROM simulated_chain.coin WHERE height IS NOT NULL AND lease_id IS NULL ORDER BY sats DESC, txid, vout`;
const RESERVED = sql`SELECT reserved_sats AS "reservedSats" FROM simulated_chain.chain`;
const BALANCE = sql`SELECT coalesce(sum(sats) FILTER (WHERE height IS NOT NULL), 0)::int8 AS "confirmedSats",
          coalesce(sum(sats) FILTER (WHERE height IS NULL), 0)::int8 AS "unconfirmedSats",
          (SELECT reserved_sats FROM simulated_chain.chain) AS "reservedSats" FROM simulated_chain.coin`;
const POSITIONS = sql`SELECT position FROM simulated_chain.address WHERE address = ANY ($1)`;
const LEASE = sql`SELECT simulated_chain.take_lease($1, $2, $3, $4) AS leased`;
const RELEASE = sql`DELETE FROM simulated_chain.lease WHERE id = $1`;
const LOOKUP = sql`SELECT state, height::float8 AS height, block_hash AS "blockHash", replaced_by AS "replacedBy" FROM simulated_chain.lookup($1)`;

/** Our simulated on-chain wallet. It keeps no state in memory: any number of instances may share one database. */
export class SimulatedWallet extends OnChainBackend {
  private readonly log = new Log(SimulatedWallet.name);
  readonly portVersion = 1;
  readonly capabilities = new Set<port.OnChainCapability>(['conflicts']);

  constructor(private readonly store: ChainStore) {
    super();
  }

  readonly tip = this.total('tip', UNKNOWN, async () => ({
    status: 'known',
    ...(await queryOne<{ height: number; hash: string }>(this.store.database, TIP)),
  }));

  readonly newAddress = this.total('newAddress', UNKNOWN, async () => ({ status: 'created', address: await this.store.newAddress() }));

  readonly transactions = this.total('transactions', UNKNOWN, async (fromHeight, cursor) => {
    const listed = await this.store.database.query<ListedTransaction>(TRANSACTIONS, [fromHeight, cursor]);
    const transactions = listed.map(({ id: _id, outputs, ...rest }) => ({
      ...rest,
      outputs: outputs.map(({ sats, ...output }) => ({ ...output, sats: BigInt(sats) })),
    }));
    return { status: 'known', transactions, next: listed.length < TRANSACTIONS_PAGE ? null : (listed.at(-1)?.id ?? null) };
  });

  readonly feeRate = this.total('feeRate', UNKNOWN, async (targetBlocks) => ({
    status: 'known',
    satsPerVbyte: FEE_RATES.find(([target]) => targetBlocks <= target)?.[1] ?? 1,
  }));

  readonly fund = this.total('fund', UNKNOWN, async ({ outputs, satsPerVbyte, lease }) => {
    const { database, network } = this.store;
    const paid: Output[] = [];
    for (const { address, sats } of outputs) {
      const read = readAddress(address, network);
      if (typeof read === 'string') return { status: 'refused', reason: `${address} is no address of ${network}` };
      if (sats < read.dustSats) return { status: 'refused', reason: `${sats} sats to ${address} are dust` };
      paid.push({ ...read, sats });
    }
    if (paid.length === 0 || !(satsPerVbyte >= 1)) return { status: 'refused', reason: 'it has no output, or its fee is too low' };
    const { reservedSats } = await queryOne<{ reservedSats: bigint }>(database, RESERVED);
    for (let tries = 0; tries < MAX_LEASE_TRIES; tries++) {
      const chosen = chooseCoins(await database.query<Coin>(COINS), reservedSats, paid, satsPerVbyte);
      if (!chosen) return { status: 'short' };
      // False: another transaction was funded with one of them meanwhile.
      if (await this.lease(lease, chosen.coins)) return this.psbtOf(chosen, paid);
    }
    return UNKNOWN;
  });

  readonly finalize = this.total('finalize', UNKNOWN, async (psbt) => {
    const parsed = attempt(() => Transaction.fromPSBT(Buffer.from(psbt, 'base64')));
    if (parsed instanceof Error) return { status: 'refused', reason: parsed.message };
    const own = await this.store.database.query<{ position: bigint }>(POSITIONS, [spentAddresses(parsed, this.store.network)]);
    const keys = await Promise.all(own.map(({ position }) => this.store.key(position)));
    const signed = attempt(() => {
      for (const { privateKey } of keys) parsed.sign(privateKey);
      parsed.finalize();
      return Buffer.from(parsed.extract()).toString('hex');
    });
    if (signed instanceof Error) return { status: 'refused', reason: signed.message };
    return { status: 'final', rawTransaction: signed, txid: parsed.id };
  });

  readonly publish = this.total('publish', UNKNOWN, async (rawTransaction, label) => {
    const read = attempt(() => readTransaction(rawTransaction, this.store.network));
    const reason = read instanceof Error ? read.message : await this.store.broadcast(read, label);
    return reason === null ? { status: 'published' } : { status: 'rejected', reason };
  });

  readonly renewLease = this.total('renewLease', 'unknown', (lease, inputs) => this.lease(lease, inputs));

  readonly releaseLease = this.total('releaseLease', 'unknown', async (id) => {
    await this.store.database.query(RELEASE, [id]);
    return 'released';
  });

  readonly lookup = this.total('lookup', UNKNOWN, async (txid) => {
    const [found] = await this.store.database.query<FoundTransaction>(LOOKUP, [txid]);
    const { state, height = null, blockHash, replacedBy } = found ?? {};
    if (state === 'mempool') return { status: 'mempool' };
    if (height !== null && blockHash) return { status: 'confirmed', height, blockHash };
    if (height !== null && replacedBy) return { status: 'replaced', by: replacedBy, height };
    return { status: 'not_found' };
  });

  readonly balance = this.total('balance', UNKNOWN, async () => ({
    status: 'known',
    ...(await queryOne<Omit<Extract<port.WalletBalance, { status: 'known' }>, 'status'>>(this.store.database, BALANCE)),
  }));

  private async lease({ id, seconds }: port.Lease, points: readonly port.Outpoint[]): Promise<boolean> {
    return (await queryOne<{ leased: boolean }>(this.store.database, LEASE, [id, seconds, ...outpointColumns(points)])).leased;
  }

  /** Like LND's, it sorts the outputs (BIP 69), and its inputs do not signal that they may be replaced. */
  private async psbtOf({ coins, changeSats }: ChosenCoins, paid: readonly Output[]): Promise<port.Funded> {
    const changeAddress = changeSats > 0n ? await this.store.newAddress() : null;
    const change = changeAddress === null ? [] : [{ address: changeAddress, sats: changeSats }];
    const outputs = [...paid, ...change].sort((a, b) => Number(a.sats - b.sats));
    const transaction = new Transaction();
    for (const { txid, vout, position, sats } of coins) {
      const { script } = await this.store.key(position);
      transaction.addInput({ txid, index: vout, witnessUtxo: { script, amount: sats } });
    }
    for (const { address, sats } of outputs) transaction.addOutputAddress(address, sats, ADDRESS_NETWORKS[this.store.network]);
    const changeVout = outputs.findIndex(({ address }) => address === changeAddress);
    return {
      status: 'funded',
      psbt: Buffer.from(transaction.toPSBT()).toString('base64'),
      inputs: coins.map(({ txid, vout }) => ({ txid, vout })),
      changeVout: changeVout < 0 ? null : changeVout,
    };
  }

  /** Makes a method total. Without the database the wallet is unreachable; any other error is a bug and gets the same answer. */
  private total<Name extends Call>(
    call: Name,
    unknown: Awaited<ReturnType<OnChainBackend[Name]>>,
    work: (...args: Parameters<OnChainBackend[Name]>) => Promise<Awaited<ReturnType<OnChainBackend[Name]>>>,
  ): OnChainBackend[Name] {
    const answer = async (...args: Parameters<OnChainBackend[Name]>): Promise<Awaited<ReturnType<OnChainBackend[Name]>>> => {
      try {
        const { losesAnswer } = await queryOne<{ losesAnswer: boolean }>(this.store.database, REACH, [call]);
        const result = await work(...args);
        return losesAnswer ? unknown : result;
      } catch (error) {
        if (!isUnavailable(error))
          this.log.error('onchain_simulator_failed', { call }, 'A call of the simulated wallet failed; its result is unknown', error);
        return unknown;
      }
    };
    return answer as OnChainBackend[Name];
  }
}

/** What the caller gave may be no transaction at all. */
function attempt<T>(work: () => T): T | Error {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
