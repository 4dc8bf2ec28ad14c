import type { Msat } from '../kernel/money.js';
import { isJsonObject, parsedJson, type JsonObject } from './json.js';

/** What an LNURL-pay service offers. */
export interface ForeignOffer {
  /** Without a fragment. */
  readonly callback: string;
  readonly minMsat: Msat;
  readonly maxMsat: Msat;
  /** As the service sent it: the invoice commits to this very text. */
  readonly metadata: string;
}

/** Reads a `payRequest` with every rule of LUD-06, and refuses one that requires data of the payer (LUD-18), which Sluice does not send. */
export function foreignOfferOf({
  tag,
  callback,
  minSendable,
  maxSendable,
  metadata,
  payerData,
}: JsonObject): ForeignOffer | 'not_lnurl' | 'payer_data_required' {
  if (tag !== 'payRequest' || typeof callback !== 'string' || !URL.canParse(callback)) return 'not_lnurl';
  if (!isAmount(minSendable) || !isAmount(maxSendable) || minSendable > maxSendable) return 'not_lnurl';
  if (typeof metadata !== 'string' || !isMetadata(metadata)) return 'not_lnurl';
  if (requiresPayerData(payerData)) return 'payer_data_required';
  const url = new URL(callback);
  url.hash = '';
  return { callback: url.href, minMsat: BigInt(minSendable), maxMsat: BigInt(maxSendable), metadata };
}

const isAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1;

/** An array of pairs, of which exactly one is `text/plain`. */
function isMetadata(text: string): boolean {
  const parsed = parsedJson(text);
  if (!Array.isArray(parsed)) return false;
  const plain = parsed.filter((pair) => Array.isArray(pair) && pair[0] === 'text/plain' && typeof pair[1] === 'string');
  return plain.length === 1;
}

const requiresPayerData = (payerData: unknown): boolean =>
  isJsonObject(payerData) && Object.values(payerData).some((field) => isJsonObject(field) && field['mandatory'] === true);
