import type { Outpoint } from '../onchain-backend.js';

/** An output that the wallet can spend. */
export interface Coin extends Outpoint {
  readonly position: bigint;
  readonly sats: bigint;
}

/** Virtual bytes of the parts of a transaction whose inputs spend P2WPKH outputs, rounded up. */
const OVERHEAD_VSIZE = 11;
const INPUT_VSIZE = 68;
const OUTPUT_VSIZE = 9;
/** Change pays a P2WPKH address. */
const CHANGE_VSIZE = OUTPUT_VSIZE + 22;
const DUST_OF_CHANGE_SATS = 294n;

export interface ChosenCoins {
  readonly coins: readonly Coin[];
  readonly changeSats: bigint;
}

/**
 * The first coins that suffice for these outputs, their fee and a reserve of the rest. Change below dust is left to the miner.
 * @returns null if all do not suffice
 */
export function chooseCoins(
  coins: readonly Coin[],
  reservedSats: bigint,
  outputs: readonly { readonly script: Uint8Array; readonly sats: bigint }[],
  satsPerVbyte: number,
): ChosenCoins | null {
  const paidSats = outputs.reduce((sum, { sats }) => sum + sats, 0n);
  const allSats = coins.reduce((sum, { sats }) => sum + sats, 0n);
  const vsize = outputs.reduce((sum, { script }) => sum + OUTPUT_VSIZE + script.length, OVERHEAD_VSIZE);
  let chosenSats = 0n;
  for (const [index, coin] of coins.entries()) {
    chosenSats += coin.sats;
    const inputsVsize = vsize + INPUT_VSIZE * (index + 1);
    const leftSats = chosenSats - paidSats - BigInt(inputsVsize * satsPerVbyte);
    if (leftSats < 0n) continue;
    const changeSats = leftSats - BigInt(CHANGE_VSIZE * satsPerVbyte);
    const chosen = { coins: coins.slice(0, index + 1), changeSats: changeSats < DUST_OF_CHANGE_SATS ? 0n : changeSats };
    if (allSats - chosenSats + chosen.changeSats >= reservedSats) return chosen;
  }
  return null;
}
