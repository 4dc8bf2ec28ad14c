/** Five-bit groups, the alphabet of bech32 (BIP 173), and what is written in them. */
export type Words = readonly number[];
/** The time stamp of an invoice: 35 bits. */
export const TIMESTAMP_WORDS = 7;

const WORD_BITS = 5;
const BYTE_BITS = 8;

function regroup(values: Iterable<number>, fromBits: number, toBits: number): number[] {
  const regrouped: number[] = [];
  let bits = 0;
  let pending = 0;
  for (const value of values) {
    pending = (pending << fromBits) | value;
    bits += fromBits;
    while (bits >= toBits) {
      bits -= toBits;
      regrouped.push(pending >> bits);
      pending &= (1 << bits) - 1;
    }
  }
  if (bits > 0) regrouped.push(pending << (toBits - bits));
  return regrouped;
}

/** Bytes to words, the last one filled up with zero bits. */
export const wordsOfBytes = (bytes: Uint8Array): number[] => regroup(bytes, BYTE_BITS, WORD_BITS);

/** Words to bytes, the last one filled up with zero bits: what a signature covers. */
export const paddedBytesOfWords = (words: Words): Buffer => Buffer.from(regroup(words, WORD_BITS, BYTE_BITS));

/** Words to the whole bytes in them; the up to seven bits that fill the last word are dropped. */
export const bytesOfWords = (words: Words): Buffer =>
  paddedBytesOfWords(words).subarray(0, Math.floor((words.length * WORD_BITS) / BYTE_BITS));

/** Big-endian number, capped at `ceiling`: a field may be a thousand words long, and a time beyond the cap needs no exact value. */
export const numberOfWords = (words: Words, ceiling: number): number => words.reduce((sum, word) => Math.min(sum * 32 + word, ceiling), 0);

export function wordsOfNumber(value: number, length = 1): number[] {
  const words: number[] = [];
  for (let rest = value; rest > 0 || words.length < length; rest = Math.floor(rest / 32)) words.unshift(rest % 32);
  return words;
}
