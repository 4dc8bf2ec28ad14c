import { Transaction } from '@scure/btc-signer';
import { isUnavailable } from '../../../platform/database/index.js';
import { Log } from '../../../platform/logging/index.js';
import { ADDRESS_NETWORKS, readAddress, type ChainAddress } from '../address.js';
import { OnChainBackend, type OnChainCapability } from '../onchain-backend.js';
import type * as port from '../onchain-messages.js';
import { readTransaction, spentAddresses } from '../transaction.js';
import { TRANSACTIONS_PAGE, type ChainStore } from './chain.store.js';
import { chooseCoins, type ChosenCoins } from './coins.js';

const UNKNOWN = { status: 'unknown' } as const;
/** What the simulated mempool asks: for the next block, for the next six, and for a later one. */
const FEE_RATES: readonly (readonly [targetBlocks: number, satsPerVbyte: number])[] = [
  [1, 20],
  [6, 10],
  [Infinity, 2],
];
/** Beyond it other processes lease what this one chooses, again and again. */
const MAX_LEASE_TRIES = 20;

type Output = ChainAddress & { readonly sats: bigint };

/** Our simulated on-chain wallet. It keeps no state in memory: any number of instances may share one database. */
export class SimulatedWallet extends OnChainBackend {
  private readonly log = new Log(SimulatedWallet.name);
  readonly portVersion = 1;
  readonly capabilities = new Set<OnChainCapability>(['conflicts']);

  constructor(private readonly store: ChainStore) {
    super();
  }

  tip(): Promise<port.ChainTip> {
    return this.answer<port.ChainTip>('tip', UNKNOWN, async () => ({ status: 'known', ...(await this.store.tip()) }));
  }

  newAddress(): Promise<port.NewAddress> {
    return this.answer<port.NewAddress>('newAddress', UNKNOWN, async () => ({ status: 'created', address: await this.store.newAddress() }));
  }

  transactions(fromHeight: number, cursor: number): Promise<port.TransactionPage> {
    return this.answer<port.TransactionPage>('transactions', UNKNOWN, async () => {
      const listed = await this.store.transactions(fromHeight, cursor);
      const transactions = listed.map(({ id: _id, outputs, ...rest }) => ({
        ...rest,
        outputs: outputs.map(({ sats, ...output }) => ({ ...output, sats: BigInt(sats) })),
      }));
      return { status: 'known', transactions, next: listed.length < TRANSACTIONS_PAGE ? null : (listed.at(-1)?.id ?? null) };
    });
  }

  feeRate(targetBlocks: number): Promise<port.FeeRate> {
    const satsPerVbyte = FEE_RATES.find(([target]) => targetBlocks <= target)?.[1] ?? 1;
    return this.answer<port.FeeRate>('feeRate', UNKNOWN, async () => ({ status: 'known', satsPerVbyte }));
  }

  fund({ outputs, satsPerVbyte, lease }: port.FundRequest): Promise<port.Funded> {
    return this.answer<port.Funded>('fund', UNKNOWN, async () => {
      const paid: Output[] = [];
      for (const { address, sats } of outputs) {
        const read = readAddress(address, this.store.network);
        if (typeof read === 'string') return { status: 'refused', reason: `${address} is no address of ${this.store.network}` };
        if (sats < read.dustSats) return { status: 'refused', reason: `${sats} sats to ${address} are dust` };
        paid.push({ ...read, sats });
      }
      if (paid.length === 0 || !(satsPerVbyte >= 1)) return { status: 'refused', reason: 'it has no output, or its fee is too low' };
      const reservedSats = await this.store.reservedSats();
      for (let tries = 0; tries < MAX_LEASE_TRIES; tries++) {
        const chosen = chooseCoins(await this.store.coins(), reservedSats, paid, satsPerVbyte);
        if (!chosen) return { status: 'short' };
        // False: another transaction was funded with one of them meanwhile.
        if (await this.store.lease(lease, chosen.coins)) return await this.psbtOf(chosen, paid);
      }
      return UNKNOWN;
    });
  }

  finalize(psbt: string): Promise<port.Finalized> {
    return this.answer<port.Finalized>('finalize', UNKNOWN, async () => {
      const parsed = attempt(() => Transaction.fromPSBT(Buffer.from(psbt, 'base64')));
      if (parsed instanceof Error) return { status: 'refused', reason: parsed.message };
      const keys = await this.store.keysOf(spentAddresses(parsed, this.store.network));
      const signed = attempt(() => {
        for (const { privateKey } of keys) parsed.sign(privateKey);
        parsed.finalize();
        return Buffer.from(parsed.extract()).toString('hex');
      });
      if (signed instanceof Error) return { status: 'refused', reason: signed.message };
      return { status: 'final', rawTransaction: signed, txid: parsed.id };
    });
  }

  publish(rawTransaction: string, label: string): Promise<port.Published> {
    return this.answer<port.Published>('publish', UNKNOWN, async () => {
      const read = attempt(() => readTransaction(rawTransaction, this.store.network));
      const reason = read instanceof Error ? read.message : await this.store.broadcast(read, label);
      return reason === null ? { status: 'published' } : { status: 'rejected', reason };
    });
  }

  renewLease(lease: port.Lease, inputs: readonly port.Outpoint[]): Promise<boolean | 'unknown'> {
    return this.answer<boolean | 'unknown'>('renewLease', 'unknown', () => this.store.lease(lease, inputs));
  }

  releaseLease(id: string): Promise<'released' | 'unknown'> {
    return this.answer<'released' | 'unknown'>('releaseLease', 'unknown', async () => {
      await this.store.release(id);
      return 'released';
    });
  }

  lookup(txid: string): Promise<port.TransactionStatus> {
    return this.answer<port.TransactionStatus>('lookup', UNKNOWN, async () => {
      const { state, height = null, blockHash, replacedBy } = (await this.store.find(txid)) ?? {};
      if (state === 'mempool') return { status: 'mempool' };
      if (height !== null && blockHash) return { status: 'confirmed', height, blockHash };
      if (height !== null && replacedBy) return { status: 'replaced', by: replacedBy, height };
      return { status: 'not_found' };
    });
  }

  balance(): Promise<port.WalletBalance> {
    return this.answer<port.WalletBalance>('balance', UNKNOWN, async () => ({ status: 'known', ...(await this.store.balance()) }));
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
  private async answer<T>(call: keyof OnChainBackend, unknown: T, work: () => Promise<T>): Promise<T> {
    try {
      const isLost = await this.store.reach(call);
      const result = await work();
      return isLost ? unknown : result;
    } catch (error) {
      if (!isUnavailable(error))
        this.log.error('onchain_simulator_failed', { call }, 'A call of the simulated wallet failed; its result is unknown', error);
      return unknown;
    }
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
