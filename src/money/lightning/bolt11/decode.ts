import { createHash, hash } from 'node:crypto';
import { bech32 } from '@scure/base';
import { recover, verify, type RecoveryIdType } from 'tiny-secp256k1';
import { BoundedMap } from '../../../platform/kernel/bounded-map.js';
import { pastedText } from '../../../platform/kernel/pasted-text.js';
import { orNone } from '../../../platform/kernel/or-none.js';
import { checkFeatures, fieldsOfWords, type TaggedFields } from './fields.js';
import {
  Bolt11Error,
  DEFAULT_CLTV_EXPIRY_DELTA,
  DEFAULT_EXPIRY_SECONDS,
  END_OF_TIME_SECONDS,
  msatOfAmount,
  NETWORK_OF_PREFIX,
  type Bolt11Invoice,
  type Bolt11Problem,
} from './invoice.js';
import { bytesOfWords, numberOfWords, paddedBytesOfWords, TIMESTAMP_WORDS, type Words } from './words.js';

export type Decoded =
  | { readonly ok: true; readonly invoice: Bolt11Invoice }
  | { readonly ok: false; readonly problem: Bolt11Problem; readonly message: string };

/** The capacity of the largest QR code in upper case; no node reads more. */
const MAX_LENGTH = 7_089;
const SIGNATURE_WORDS = 104;
const SIGNATURE_BYTES = 64;

/** Most internal payments follow within minutes after the invoice was created. About 150 bytes each. */
const MAX_PUBKEYS = 50_000;
const pubkeyCache = new BoundedMap<string, string>(MAX_PUBKEYS);
const keyOf = (paymentRequest: string): string => hash('sha256', paymentRequest, 'base64');

/**
 * Caches the signer of a verified signature, or of one that our own node has just made, to save its verification.
 * @param paymentRequest in lower case
 */
export function cachePubkey(paymentRequest: string, nodeId: string): void {
  pubkeyCache.set(keyOf(paymentRequest), nodeId);
}

/**
 * Reads any string: returns a valid invoice or what is wrong with the string, and never throws. Accepts upper case, and what
 * {@link pastedText} takes away. The caller checks expiry and network.
 */
export function decodeInvoice(text: string): Decoded {
  try {
    return { ok: true, invoice: decode(text) };
  } catch (error) {
    if (error instanceof Bolt11Error) return { ok: false, problem: error.problem, message: error.message };
    throw error;
  }
}

function decode(text: string): Bolt11Invoice {
  const { paymentRequest, prefix, words } = readBech32(text);
  const [, currency = '', amount = ''] = /^ln([a-z]*)(.*)$/.exec(prefix) ?? [];
  const network = NETWORK_OF_PREFIX.get(currency);
  if (network === undefined) throw new Bolt11Error('network', 'The invoice is for an unknown network');
  const amountMsat = amount === '' ? null : msatOfAmount(amount);
  if (words.length < TIMESTAMP_WORDS + SIGNATURE_WORDS) throw new Bolt11Error('malformed', 'The invoice is too short');
  const signed = words.slice(0, -SIGNATURE_WORDS);
  const fields = fieldsOfWords(signed.slice(TIMESTAMP_WORDS));
  const { features = [], expirySeconds = DEFAULT_EXPIRY_SECONDS } = fields;
  checkFeatures(features);
  const { paymentHash, paymentSecret } = requireFields(fields);
  // Verifying the signature is most of the work of decoding an invoice.
  const known = pubkeyCache.get(keyOf(paymentRequest));
  const payeeNodeId = known ?? payeeOf(prefix, words, fields.payeeNodeId);
  if (fields.isAmbiguous) throw new Bolt11Error('field', 'The invoice has two payment hashes, payment secrets or description hashes');
  if (known === undefined) cachePubkey(paymentRequest, payeeNodeId);
  const createdSeconds = numberOfWords(signed.slice(0, TIMESTAMP_WORDS), END_OF_TIME_SECONDS);
  return {
    paymentRequest,
    network,
    amountMsat,
    paymentHash,
    paymentSecret,
    description: fields.description ?? null,
    descriptionHash: fields.descriptionHash ?? null,
    createdAt: new Date(createdSeconds * 1000),
    expiresAt: new Date(Math.min(createdSeconds + expirySeconds, END_OF_TIME_SECONDS) * 1000),
    minFinalCltvExpiryDelta: fields.minFinalCltvExpiryDelta ?? DEFAULT_CLTV_EXPIRY_DELTA,
    features,
    routeHints: fields.routeHints,
    fallbacks: fields.fallbacks,
    metadata: fields.metadata ?? null,
    payeeNodeId,
  };
}

function readBech32(text: string): { paymentRequest: string; prefix: string; words: Words } {
  const bare = pastedText(text);
  // Only ASCII may pass: some letters beyond it have a lower case within it.
  if (bare.length > MAX_LENGTH || !/^ln[a-z0-9]+$/i.test(bare)) throw new Bolt11Error('malformed', 'This is not a Lightning invoice');
  const paymentRequest = bare.toLowerCase();
  if (bare !== paymentRequest && bare !== bare.toUpperCase()) throw new Bolt11Error('malformed', 'The invoice mixes upper and lower case');
  const decoded = orNone(() => bech32.decode(paymentRequest as `${string}1${string}`, false));
  if (!decoded) throw new Bolt11Error('checksum', 'The checksum of the invoice is wrong: the text is mistyped or incomplete');
  return { paymentRequest, ...decoded };
}

function requireFields({ paymentHash, paymentSecret, description, descriptionHash }: TaggedFields): {
  paymentHash: string;
  paymentSecret: string;
} {
  if (paymentHash === undefined) throw new Bolt11Error('missing', 'The invoice has no payment hash');
  if (paymentSecret === undefined) throw new Bolt11Error('missing', 'The invoice has no payment secret');
  if (description === undefined && descriptionHash === undefined) throw new Bolt11Error('missing', 'The invoice has no description');
  if (description !== undefined && descriptionHash !== undefined) throw new Bolt11Error('field', 'The invoice has two descriptions');
  return { paymentHash, paymentSecret };
}

/** The signer. A payee named in the invoice must have signed in the canonical (low-S) form; otherwise it is recovered from either form. */
function payeeOf(prefix: string, words: Words, named: string | undefined): string {
  const signature = bytesOfWords(words.slice(-SIGNATURE_WORDS));
  const digest = createHash('sha256')
    .update(prefix)
    .update(paddedBytesOfWords(words.slice(0, -SIGNATURE_WORDS)))
    .digest();
  const compact = signature.subarray(0, SIGNATURE_BYTES);
  const payee = named === undefined ? recovered(digest, compact, signature[SIGNATURE_BYTES]) : verified(digest, compact, named);
  if (payee === undefined) throw new Bolt11Error('signature', 'The signature of the invoice is not valid');
  return payee;
}

function recovered(digest: Buffer, signature: Buffer, recoveryId: number | undefined): string | undefined {
  if (recoveryId === undefined || recoveryId > 3) return undefined;
  const key = orNone(() => recover(digest, signature, recoveryId as RecoveryIdType, true));
  return key ? Buffer.from(key).toString('hex') : undefined;
}

function verified(digest: Buffer, signature: Buffer, named: string): string | undefined {
  return orNone(() => verify(digest, Buffer.from(named, 'hex'), signature, true)) ? named : undefined;
}
