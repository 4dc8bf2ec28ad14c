import { orNone } from '../../../platform/kernel/or-none.js';
import { Bolt11Error, END_OF_TIME_SECONDS, TAG, type FallbackAddress, type RouteHop } from './invoice.js';
import { bytesOfWords, numberOfWords, type Words } from './words.js';

/** The first of two equal fields counts: it is the preferred one. */
export interface TaggedFields {
  paymentHash?: string;
  paymentSecret?: string;
  description?: string;
  descriptionHash?: string;
  payeeNodeId?: string;
  metadata?: string;
  expirySeconds?: number;
  minFinalCltvExpiryDelta?: number;
  features?: number[];
  /** Two payment hashes, payment secrets or description hashes: BOLT 11 allows one of each. */
  isAmbiguous?: boolean;
  readonly routeHints: RouteHop[][];
  readonly fallbacks: FallbackAddress[];
}

const HASH_WORDS = 52;
const PUBLIC_KEY_WORDS = 53;
const HOP_BYTES = 51;
const LAST_FALLBACK_VERSION = 18;
const TAG_WORDS = 3;
/** A delay in blocks beyond this is a century; it need not be exact. */
const MAX_BLOCKS = 2 ** 32 - 1;

type FieldReader = (words: Words, fields: TaggedFields) => void;

/** Fields of fixed length; one of another length belongs to a later specification and is skipped, as BOLT 11's own example demands. */
const hexOf =
  (name: 'paymentHash' | 'paymentSecret' | 'descriptionHash' | 'payeeNodeId', length: number): FieldReader =>
  (words, fields) => {
    if (words.length !== length) return;
    if (fields[name] !== undefined && name !== 'payeeNodeId') fields.isAmbiguous = true;
    fields[name] ??= bytesOfWords(words).toString('hex');
  };

const READERS: ReadonlyMap<number, FieldReader> = new Map<number, FieldReader>([
  [TAG.p, hexOf('paymentHash', HASH_WORDS)],
  [TAG.s, hexOf('paymentSecret', HASH_WORDS)],
  [TAG.h, hexOf('descriptionHash', HASH_WORDS)],
  [TAG.n, hexOf('payeeNodeId', PUBLIC_KEY_WORDS)],
  [TAG.d, (words, fields) => (fields.description ??= textOf(bytesOfWords(words)))],
  [TAG.m, (words, fields) => (fields.metadata ??= bytesOfWords(words).toString('hex'))],
  [TAG.x, (words, fields) => (fields.expirySeconds ??= shortestNumberOf(words, END_OF_TIME_SECONDS))],
  [TAG.c, (words, fields) => (fields.minFinalCltvExpiryDelta ??= shortestNumberOf(words, MAX_BLOCKS))],
  [TAG.features, (words, fields) => (fields.features ??= featuresOfWords(words))],
  [TAG.r, (words, fields) => fields.routeHints.push(...routeHintOf(bytesOfWords(words)))],
  [TAG.f, (words, fields) => fields.fallbacks.push(...fallbackOf(words))],
]);

/** @param words the data part between the time and the signature */
export function fieldsOfWords(words: Words): TaggedFields {
  const fields: TaggedFields = { routeHints: [], fallbacks: [] };
  let at = 0;
  while (at < words.length) {
    const [tag = 0, high = 0, low] = words.slice(at, at + TAG_WORDS);
    const start = at + TAG_WORDS;
    at = start + high * 32 + (low ?? 0);
    if (low === undefined || at > words.length) throw new Bolt11Error('malformed', 'A field of the invoice is truncated');
    READERS.get(tag)?.(words.slice(start, at), fields);
  }
  return fields;
}

/** BOLT 11: a number has the minimum `data_length`. Zero has one word, as LND writes it, or none. */
function shortestNumberOf(words: Words, ceiling: number): number {
  if (words.length > 1 && words[0] === 0) throw new Bolt11Error('field', 'A number of the invoice begins with zeros');
  return numberOfWords(words, ceiling);
}

/** NUL is valid UTF-8, but PostgreSQL does not store it in text. */
function textOf(bytes: Buffer): string {
  const text = orNone(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  if (text === undefined || text.includes('\0')) throw new Bolt11Error('field', 'The description of the invoice is not valid text');
  return text;
}

/** None or one hint: a field that does not divide into whole hops is ignored. */
function routeHintOf(bytes: Buffer): RouteHop[][] {
  if (bytes.length === 0 || bytes.length % HOP_BYTES !== 0) return [];
  const hops: RouteHop[] = [];
  for (let at = 0; at < bytes.length; at += HOP_BYTES) hops.push(hopOf(bytes.subarray(at, at + HOP_BYTES)));
  return [hops];
}

const hopOf = (bytes: Buffer): RouteHop => ({
  nodeId: bytes.toString('hex', 0, 33),
  shortChannelId: `${bytes.readUIntBE(33, 3)}x${bytes.readUIntBE(36, 3)}x${bytes.readUInt16BE(39)}`,
  feeBaseMsat: bytes.readUInt32BE(41),
  feePpm: bytes.readUInt32BE(45),
  cltvExpiryDelta: bytes.readUInt16BE(49),
});

function fallbackOf([version, ...program]: Words): FallbackAddress[] {
  if (version === undefined || version > LAST_FALLBACK_VERSION) return [];
  return [{ version, program: bytesOfWords(program).toString('hex') }];
}

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
function featuresOfWords(words: Words): number[] {
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
