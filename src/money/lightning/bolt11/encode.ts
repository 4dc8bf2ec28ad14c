import { createHash } from 'node:crypto';
import { bech32 } from '@scure/base';
import { signRecoverable } from 'tiny-secp256k1';
import type { Network } from '../../../platform/config/index.js';
import { HEX_32 } from '../../../platform/kernel/form.js';
import { OUR_FEATURES, wordsOfFeatures } from './fields.js';
import { amountOfMsat, Bolt11Error, NETWORK_OF_PREFIX, TAG } from './invoice.js';
import { paddedBytesOfWords, TIMESTAMP_WORDS, wordsOfBytes, wordsOfNumber, type Words } from './words.js';

export interface InvoiceToEncode {
  readonly network: Network;
  /** Null leaves the amount to the payer. */
  readonly amountMsat: bigint | null;
  readonly createdAtSeconds: number;
  /** 32 bytes in hex, as all hashes and secrets here. */
  readonly paymentHash: string;
  readonly paymentSecret: string;
  /** At most 639 bytes. Ignored beside `descriptionHash`. */
  readonly description?: string | undefined;
  readonly descriptionHash?: string | undefined;
  readonly expirySeconds?: number | undefined;
  readonly minFinalCltvExpiryDelta?: number | undefined;
  readonly features?: readonly number[];
}

/** The length of a field is written in ten bits (BOLT 11, "Tagged Fields"): 639 bytes. */
const MAX_FIELD_WORDS = 1_023;

/**
 * Writes and signs a BOLT 11 invoice.
 * @param privateKey of the node that is to be paid; 32 bytes
 * @throws Bolt11Error when something does not fit an invoice
 */
export function encodeInvoice(invoice: InvoiceToEncode, privateKey: Uint8Array): string {
  const prefix = `ln${prefixOf(invoice.network)}${invoice.amountMsat === null ? '' : amountOfMsat(invoice.amountMsat)}`;
  const data = [...wordsOfNumber(invoice.createdAtSeconds, TIMESTAMP_WORDS), ...taggedFields(invoice)];
  const digest = createHash('sha256').update(prefix).update(paddedBytesOfWords(data)).digest();
  const { signature, recoveryId } = signRecoverable(digest, privateKey);
  return bech32.encode(prefix, [...data, ...wordsOfBytes(Uint8Array.of(...signature, recoveryId))], false);
}

function taggedFields(invoice: InvoiceToEncode): number[] {
  const { paymentHash, paymentSecret, descriptionHash, description = '', expirySeconds, minFinalCltvExpiryDelta } = invoice;
  return [
    ...field(TAG.s, wordsOfHex(paymentSecret)),
    ...field(TAG.p, wordsOfHex(paymentHash)),
    ...(descriptionHash === undefined ? field(TAG.d, wordsOfBytes(Buffer.from(description))) : field(TAG.h, wordsOfHex(descriptionHash))),
    ...(expirySeconds === undefined ? [] : field(TAG.x, wordsOfNumber(expirySeconds))),
    ...(minFinalCltvExpiryDelta === undefined ? [] : field(TAG.c, wordsOfNumber(minFinalCltvExpiryDelta))),
    ...field(TAG.features, wordsOfFeatures(invoice.features ?? OUR_FEATURES)),
  ];
}

function field(tag: number, words: Words): number[] {
  if (words.length > MAX_FIELD_WORDS) throw new Bolt11Error('field', 'The description is longer than 639 bytes');
  return [tag, ...wordsOfNumber(words.length, 2), ...words];
}

function wordsOfHex(hex: string): number[] {
  if (!HEX_32.test(hex)) throw new Bolt11Error('field', 'A hash or secret must be 32 bytes in lower-case hex');
  return wordsOfBytes(Buffer.from(hex, 'hex'));
}

function prefixOf(network: Network): string {
  for (const [prefix, name] of NETWORK_OF_PREFIX) if (name === network) return prefix;
  throw new Bolt11Error('network', `There is no BOLT 11 prefix for ${network}`);
}
