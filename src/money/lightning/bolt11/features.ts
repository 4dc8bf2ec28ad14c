import { Bolt11Error } from './invoice.js';
import type { Words } from './words.js';

/** Even bits of BOLT 9 that may stand in an invoice and that the nodes behind our port can honour. */
const VAR_ONION = 8;
const PAYMENT_SECRET = 14;
const BASIC_MPP = 16;
const ROUTE_BLINDING = 24;
const PAYMENT_METADATA = 48;
const UNDERSTOOD: ReadonlySet<number> = new Set([VAR_ONION, PAYMENT_SECRET, BASIC_MPP, ROUTE_BLINDING, PAYMENT_METADATA]);

/** LND and LDK require these of an invoice before they pay it; the odd bit offers multi-part payments without requiring them. */
export const OUR_FEATURES: readonly number[] = [VAR_ONION, PAYMENT_SECRET, BASIC_MPP + 1];

/** The bits that are set, counted from the least significant one. */
export function featuresOfWords(words: Words): number[] {
  return words.toReversed().flatMap((word, index) => [0, 1, 2, 3, 4].filter((bit) => word & (1 << bit)).map((bit) => index * 5 + bit));
}

export function wordsOfFeatures(features: readonly number[]): number[] {
  const words = new Array<number>(Math.floor(Math.max(...features) / 5) + 1).fill(0);
  for (const feature of features) words[Math.floor(feature / 5)] = (words[Math.floor(feature / 5)] ?? 0) | (1 << (feature % 5));
  return words.reverse();
}

/**
 * "It's ok to be odd" (BOLT 9): unknown odd bits are offers, unknown even bits are demands that we cannot meet.
 * @throws Bolt11Error for such a demand, and where multi-part payments are offered without the payment secret they rest on
 */
export function checkFeatures(features: readonly number[]): void {
  const unknown = features.find((feature) => feature % 2 === 0 && !UNDERSTOOD.has(feature));
  if (unknown !== undefined) throw new Bolt11Error('feature', `The invoice requires the unknown feature ${unknown}`);
  const has = (feature: number): boolean => features.includes(feature) || features.includes(feature + 1);
  if (has(BASIC_MPP) && !has(PAYMENT_SECRET))
    throw new Bolt11Error('feature', 'The invoice offers multi-part payments without a payment secret');
}
