import { Transaction } from '@scure/btc-signer';
import { readTransaction, REPLACEABLE, type ChainAddress, type Outpoint } from '../../onchain/index.js';
import type { Network } from '../../../platform/config/index.js';

/** Virtual bytes of what is in a transaction beside an output: its beginning, an input and change, each of the largest usual kind. */
const REST_VBYTES = 11 + 68 + 43;
const OUTPUT_VBYTES = 9;

export interface Recipient {
  readonly id: string;
  readonly address: string;
  readonly sats: bigint;
}

export interface Payee extends Recipient {
  /** Held for the miner. */
  readonly minerLimitSats: bigint;
}

export interface PayoutOutput {
  readonly id: string;
  readonly vout: number;
  /** Its part of the fee against the others': its output, and an equal part of the rest. */
  readonly weight: bigint;
}

const outputVbytes = (script: Uint8Array): number => OUTPUT_VBYTES + script.length;

/** What a payment adds to a transaction at most, if the wallet has a coin as large. */
export const vbytesOf = ({ script }: ChainAddress): number => REST_VBYTES + outputVbytes(script);

const parsed = (psbt: string): Transaction => Transaction.fromPSBT(Buffer.from(psbt, 'base64'));
const written = (transaction: Transaction): string => Buffer.from(transaction.toPSBT()).toString('base64');
const indices = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** The same transaction, of which versions with a higher fee may be sent (BIP 125). */
export function replaceable(psbt: string): string {
  const transaction = parsed(psbt);
  for (const input of indices(transaction.inputsLength)) transaction.updateInput(input, { sequence: REPLACEABLE }, true);
  return written(transaction);
}

export function inputsOf(psbt: string): Outpoint[] {
  const transaction = parsed(psbt);
  return indices(transaction.inputsLength).map((input) => {
    const { txid = new Uint8Array(), index = 0 } = transaction.getInput(input);
    return { txid: Buffer.from(txid).toString('hex'), vout: index };
  });
}

/** @throws Error if the PSBT does not state what an input has */
export function feeOf(psbt: string): bigint {
  const transaction = parsed(psbt);
  const spent = indices(transaction.inputsLength).map((input) => {
    const { witnessUtxo, nonWitnessUtxo, index = 0 } = transaction.getInput(input);
    const spent = nonWitnessUtxo as { readonly outputs: readonly { readonly amount: bigint }[] } | undefined;
    const sats = witnessUtxo?.amount ?? spent?.outputs[index]?.amount;
    if (sats === undefined) throw new Error('The PSBT does not state the amount of an input');
    return sats;
  });
  const paid = indices(transaction.outputsLength).map((output) => transaction.getOutput(output).amount ?? 0n);
  return sum(spent) - sum(paid);
}

/** What they pay of a fee at most, as a part of it: each pays by its weight, and no more than was held for it. */
export function paidPart(feeSats: bigint, outputs: readonly PayoutOutput[], payees: readonly Payee[]): number {
  const all = Number(sum(outputs.map(({ weight }) => weight)));
  const limits = new Map(payees.map(({ id, minerLimitSats }) => [id, Number(minerLimitSats)]));
  return Math.min(...outputs.map(({ id, weight }) => ((limits.get(id) ?? 0) * all) / (Number(feeSats) * Number(weight))));
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/**
 * Where a signed transaction pays each of them; the order of its outputs is the wallet's.
 * @returns undefined if it pays another address beside one output of change, or does not pay one of them
 */
export function outputsOf(rawTransaction: string, recipients: readonly Recipient[], network: Network): PayoutOutput[] | undefined {
  const { outputs, vsize } = readTransaction(rawTransaction, network);
  if (outputs.length > recipients.length + 1) return undefined;
  const free = new Set(outputs.keys());
  const placed = recipients.map(({ id, address, sats }) => {
    const vout = [...free].find((index) => outputs[index]?.address === address && outputs[index].sats === sats);
    if (vout !== undefined) free.delete(vout);
    return { id, vout };
  });
  const sizes = parsedSizes(rawTransaction);
  const sizeAt = (vout: number): number => sizes[vout] ?? 0;
  const rest = vsize - placed.reduce((total, { vout = -1 }) => total + sizeAt(vout), 0);
  return placed.every((output): output is { id: string; vout: number } => output.vout !== undefined)
    ? placed.map(({ id, vout }) => ({ id, vout, weight: BigInt(placed.length * sizeAt(vout) + rest) }))
    : undefined;
}

function parsedSizes(rawTransaction: string): number[] {
  const options = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true };
  const transaction = Transaction.fromRaw(Buffer.from(rawTransaction, 'hex'), options);
  return indices(transaction.outputsLength).map((output) => outputVbytes(transaction.getOutput(output).script ?? new Uint8Array()));
}

/**
 * The same transaction with a higher fee, which its change pays.
 * @param vouts the outputs that are no change
 * @returns undefined if it has no change, or too little
 */
export function raised(psbt: string, feeSats: bigint, vouts: readonly number[], leastChangeSats: bigint): string | undefined {
  const transaction = parsed(psbt);
  const change = indices(transaction.outputsLength).find((output) => !vouts.includes(output));
  if (change === undefined) return undefined;
  const sats = (transaction.getOutput(change).amount ?? 0n) - (feeSats - feeOf(psbt));
  if (sats < leastChangeSats) return undefined;
  transaction.updateOutput(change, { amount: sats }, true);
  return written(transaction);
}
