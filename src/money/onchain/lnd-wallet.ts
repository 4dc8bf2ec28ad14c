import { Transaction } from '@scure/btc-signer';
import type { AskLnd, LndLease } from '../lightning/index.js';
import type { Network } from '../../platform/config/index.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { readAddress } from './address.js';
import { LndHistory, MEMPOOL } from './lnd-history.js';
import { OnChainBackend } from './onchain-backend.js';
import type * as port from './onchain-backend.js';
import { LENIENT, readTransaction } from './transaction.js';

const UNKNOWN = { status: 'unknown' } as const;
/** Bitcoin Core, and LND before 0.20, know no earlier one. */
const MIN_TARGET_BLOCKS = 2;

/** LND gives its refusals no code of their own. */
const SHORT = /insufficient funds/i;
const NOT_FOUND = /can not find transaction/i;
/** Another lease has the output, or it is spent in a block, or was never ours. */
const NOT_LEASABLE = /output already locked|unknown output/i;
/** Verdicts of mempools. Whatever else prevents a transaction from being sent, such as the chain's connection, leaves it unknown. */
const REJECTED = /rejected|spent|\bfees?\b|bad.txns|dust|missing.inputs|mempool|replace|verify.flag|final|standard|tx.size|oversize/i;

/** The on-chain wallet of the LND node that also has the channels. */
export class LndWallet extends OnChainBackend {
  readonly portVersion = 1;
  /** LND forgets what was replaced, or never hears of it. */
  readonly capabilities = new Set<port.OnChainCapability>();

  private readonly history = new LndHistory();

  constructor(
    private readonly ask: AskLnd,
    private readonly network: Network,
  ) {
    super();
  }

  async tip(): Promise<port.ChainTip> {
    const info = await this.ask((call) => call('lnrpc.Lightning/GetInfo', {}));
    return info?.synced_to_chain ? { status: 'known', height: info.block_height, hash: info.block_hash } : UNKNOWN;
  }

  async newAddress(): Promise<port.NewAddress> {
    const made = await this.ask((call) => call('walletrpc.WalletKit/NextAddr', { type: 'WITNESS_PUBKEY_HASH' }));
    return made ? { status: 'created', address: made.addr } : UNKNOWN;
  }

  async transactions(fromHeight: number, cursor: number): Promise<port.TransactionPage> {
    return (await this.ask((call) => this.history.page(call, fromHeight, cursor))) ?? UNKNOWN;
  }

  async feeRate(targetBlocks: number): Promise<port.FeeRate> {
    const ask = (conf_target: number): Promise<number | undefined> =>
      this.ask(async (call) => {
        const estimate = await call('walletrpc.WalletKit/EstimateFee', { conf_target });
        return Math.max(Number(estimate.sat_per_kw), Number(estimate.min_relay_fee_sat_per_kw));
      });
    // An estimator with little data may ask more for a late block than for an early one.
    const [soon, late] = await Promise.all([ask(MIN_TARGET_BLOCKS), ask(Math.max(MIN_TARGET_BLOCKS, targetBlocks))]);
    if (soon === undefined || late === undefined) return UNKNOWN;
    return { status: 'known', satsPerVbyte: Math.max(1, Math.ceil((Math.min(soon, late) * 4) / 1000)) };
  }

  async fund({ outputs, satsPerVbyte, lease }: port.FundRequest): Promise<port.Funded> {
    // LND's own form of outputs is a map, in which two to one address are one.
    const template = new Transaction();
    for (const { address, sats } of outputs) {
      const read = readAddress(address, this.network);
      if (typeof read === 'string') return { status: 'refused', reason: `${address} is no address of ${this.network}` };
      if (sats < read.dustSats) return { status: 'refused', reason: `${sats} sats to ${address} are dust` };
      template.addOutput({ script: read.script, amount: sats });
    }
    if (outputs.length === 0 || !(satsPerVbyte >= 1)) return { status: 'refused', reason: 'it has no output, or its fee is too low' };
    const request = {
      psbt: Buffer.from(template.toPSBT()),
      sat_per_vbyte: String(satsPerVbyte),
      min_confs: 1,
      custom_lock_id: Buffer.from(lease.id, 'hex'),
      lock_expiration_seconds: String(lease.seconds),
    };
    const answer = await this.ask<port.Funded>(
      async (call) => {
        const funded = await call('walletrpc.WalletKit/FundPsbt', request);
        return this.checkFunded(Buffer.from(funded.funded_psbt).toString('base64'), funded.change_output_index, funded.locked_utxos, lease);
      },
      (words) => (SHORT.test(words) ? { status: 'short' } : undefined),
    );
    return answer ?? UNKNOWN;
  }

  /** LND keeps its reserve for closing channels from its own sends, but not from `FundPsbt`. */
  private async checkFunded(psbt: string, changeVout: number, leases: readonly LndLease[], { id }: port.Lease): Promise<port.Funded> {
    const isOurs = leases.every((lease) => lease.id.toString('hex') === id);
    const changeSats =
      changeVout < 0 ? 0n : (Transaction.fromPSBT(Buffer.from(psbt, 'base64'), LENIENT).getOutput(changeVout).amount ?? 0n);
    const balance = isOurs ? await this.walletBalance() : undefined;
    if (balance && balance.unleasedSats + changeSats >= balance.reserveSats)
      return { status: 'funded', psbt, inputs: leases.map(outpointOf), changeVout: changeVout < 0 ? null : changeVout };
    if (isOurs && (!balance || (await this.releaseLease(id)) === 'unknown')) return UNKNOWN;
    if (isOurs) return { status: 'short' };
    await this.release(leases);
    return { status: 'refused', reason: 'this LND leases no inputs under an id of the caller: use a later one' };
  }

  async finalize(psbt: string): Promise<port.Finalized> {
    const answer = await this.ask<port.Finalized>(
      async (call) => {
        const { raw_final_tx: raw } = await call('walletrpc.WalletKit/FinalizePsbt', { funded_psbt: Buffer.from(psbt, 'base64') });
        const rawTransaction = raw.toString('hex');
        return { status: 'final', rawTransaction, txid: readTransaction(rawTransaction, this.network).txid };
      },
      (reason) => (/PSBT/i.test(reason) ? { status: 'refused', reason } : undefined),
    );
    return answer ?? UNKNOWN;
  }

  async publish(rawTransaction: string, label: string): Promise<port.Published> {
    const txid = orNone(() => readTransaction(rawTransaction, this.network).txid);
    if (txid === undefined) return { status: 'rejected', reason: 'it is no signed transaction' };
    const answer = await this.ask<port.Published>(
      async (call) => {
        await call('walletrpc.WalletKit/PublishTransaction', { tx_hex: Buffer.from(rawTransaction, 'hex'), label });
        return { status: 'published' };
      },
      (reason) => (REJECTED.test(reason) ? { status: 'rejected', reason } : undefined),
    );
    if (answer?.status !== 'rejected') return answer ?? UNKNOWN;
    // The chain calls the inputs of a transaction that it has in a block "spent".
    const { status } = await this.lookup(txid);
    if (status === 'unknown') return UNKNOWN;
    return status === 'confirmed' ? { status: 'published' } : answer;
  }

  async renewLease(lease: port.Lease, inputs: readonly port.Outpoint[]): Promise<boolean | 'unknown'> {
    const answer = await this.ask<boolean>(
      async (call) => {
        for (const { txid, vout } of inputs)
          await call('walletrpc.WalletKit/LeaseOutput', {
            id: Buffer.from(lease.id, 'hex'),
            outpoint: { txid_str: txid, output_index: vout },
            expiration_seconds: String(lease.seconds),
          });
        return true;
      },
      (words) => (NOT_LEASABLE.test(words) ? false : undefined),
    );
    return answer ?? 'unknown';
  }

  async releaseLease(id: string): Promise<'released' | 'unknown'> {
    const leases = await this.leases();
    return leases ? this.release(leases.filter((lease) => lease.id.toString('hex') === id)) : 'unknown';
  }

  async lookup(txid: string, inputs: readonly port.Outpoint[] = []): Promise<port.TransactionStatus> {
    const answer = await this.ask<port.TransactionStatus>(
      (call) => this.history.find(call, txid),
      (words) => (NOT_FOUND.test(words) ? { status: 'not_found' } : undefined),
    );
    if (answer?.status !== 'not_found' || inputs.length === 0) return answer ?? UNKNOWN;
    return (await this.ask((call) => this.history.spenderOf(call, inputs))) ?? UNKNOWN;
  }

  async balance(): Promise<port.WalletBalance> {
    const [balance, leases] = await Promise.all([this.walletBalance(), this.leases()]);
    const waiting =
      leases && (await this.ask((call) => call('lnrpc.Lightning/GetTransactions', { start_height: MEMPOOL, end_height: MEMPOOL })));
    if (!balance || !leases || !waiting) return UNKNOWN;
    // A lease lasts while the transaction that spends the output is in the mempool.
    const spent = new Set(waiting.transactions.flatMap((transaction) => transaction.previous_outpoints.map(({ outpoint }) => outpoint)));
    const leasedSats = leases
      .filter(({ outpoint }) => !spent.has(`${outpoint.txid_str}:${outpoint.output_index}`))
      .reduce((sum, { value }) => sum + BigInt(value), 0n);
    const { unleasedSats, unconfirmedSats, reserveSats } = balance;
    const confirmedSats = unleasedSats + leasedSats;
    return { status: 'known', confirmedSats, unconfirmedSats, reservedSats: reserveSats < confirmedSats ? reserveSats : confirmedSats };
  }

  private async walletBalance(): Promise<{ unleasedSats: bigint; unconfirmedSats: bigint; reserveSats: bigint } | undefined> {
    const balance = await this.ask((call) => call('lnrpc.Lightning/WalletBalance', {}));
    return (
      balance && {
        unleasedSats: BigInt(balance.confirmed_balance),
        unconfirmedSats: BigInt(balance.unconfirmed_balance),
        reserveSats: BigInt(balance.reserved_balance_anchor_chan),
      }
    );
  }

  private async leases(): Promise<readonly LndLease[] | undefined> {
    return (await this.ask((call) => call('walletrpc.WalletKit/ListLeases', {})))?.locked_utxos;
  }

  /** One that has run out, or whose output was spent meanwhile, is released. */
  private async release(leases: readonly LndLease[]): Promise<'released' | 'unknown'> {
    for (const { id, outpoint } of leases) {
      const answer = await this.ask<boolean>(
        async (call) => {
          await call('walletrpc.WalletKit/ReleaseOutput', { id, outpoint });
          return true;
        },
        (words) => (/unknown output/i.test(words) ? true : undefined),
      );
      if (!answer) return 'unknown';
    }
    return 'released';
  }
}

const outpointOf = ({ outpoint }: LndLease): port.Outpoint => ({ txid: outpoint.txid_str, vout: outpoint.output_index });
