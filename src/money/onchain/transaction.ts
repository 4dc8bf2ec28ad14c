import { Address, OutScript, Transaction } from '@scure/btc-signer';
import type { Network } from '../../platform/config/index.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { ADDRESS_NETWORKS } from './address.js';
import type { Outpoint } from './onchain-backend.js';

/** What a signed transaction says of itself. */
export interface SignedTransaction {
  readonly txid: string;
  readonly vsize: number;
  readonly inputs: readonly Outpoint[];
  /** `address` is empty for a script that has none. */
  readonly outputs: readonly { readonly address: string; readonly sats: bigint }[];
  /** BIP 125: it may be replaced while it is in the mempool. */
  readonly signalsReplacement: boolean;
}

/** The highest sequence of an input by which a transaction may be replaced (BIP 125). */
export const REPLACEABLE = 0xfffffffd;

/** For transactions that other programs have made. */
export const LENIENT = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true };

/** @throws Error for what is no transaction, or one that lacks a signature */
export function readTransaction(raw: string, network: Network): SignedTransaction {
  const transaction = Transaction.fromRaw(Buffer.from(raw, 'hex'), LENIENT);
  const inputs = inputsOf(transaction);
  if (!transaction.isFinal) throw new Error('An input of the transaction is not signed');
  return {
    txid: transaction.id,
    vsize: transaction.vsize,
    inputs,
    outputs: each(transaction.outputsLength, (at) => {
      const { script, amount: sats = 0n } = transaction.getOutput(at);
      return { address: addressOf(script, network), sats };
    }),
    signalsReplacement: each(inputs.length, (at) => transaction.getInput(at).sequence ?? 0xffffffff).some(
      (sequence) => sequence <= REPLACEABLE,
    ),
  };
}

export const inputsOf = (transaction: Transaction): Outpoint[] =>
  each(transaction.inputsLength, (at) => {
    const { txid, index: vout } = transaction.getInput(at);
    if (!txid || vout === undefined) throw new Error('An input of the transaction names no output');
    return { txid: Buffer.from(txid).toString('hex'), vout };
  });

/** The addresses whose outputs a PSBT spends. */
export const spentAddresses = (transaction: Transaction, network: Network): string[] =>
  each(transaction.inputsLength, (at) => addressOf(transaction.getInput(at).witnessUtxo?.script, network));

const addressOf = (script: Uint8Array | undefined, network: Network): string =>
  orNone(() => Address(ADDRESS_NETWORKS[network]).encode(OutScript.decode(script ?? new Uint8Array()) as never)) ?? '';

const each = <T>(length: number, read: (index: number) => T): T[] => Array.from({ length }, (_, index) => read(index));
