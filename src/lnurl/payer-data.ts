import { isStorable, MEMO_BYTES } from '../kernel/text.js';
import { isJsonObject, parsedJson } from './json.js';

/** LUD-18: what a payer may state about themselves. Sluice requires nothing, and verifies nothing of it. */
export const PAYER_DATA = { name: { mandatory: false }, identifier: { mandatory: false }, email: { mandatory: false } } as const;

export type PayerData = Readonly<Partial<Record<keyof typeof PAYER_DATA, string>>>;

const MAX_TEXT = 1_000;
const MAX_VALUE = 100;

/** Undefined for text that is no object of the fields that {@link PAYER_DATA} offers. */
export function payerDataOf(text: string): PayerData | undefined {
  if (text.length > MAX_TEXT || !isStorable(text)) return undefined;
  const parsed = parsedJson(text);
  if (!isJsonObject(parsed)) return undefined;
  const isValid = ([name, value]: [string, unknown]): boolean =>
    Object.hasOwn(PAYER_DATA, name) && typeof value === 'string' && value.length <= MAX_VALUE && isStorable(value);
  return Object.entries(parsed).every(isValid) ? parsed : undefined;
}

/** The memo of the recipient: the comment, and who the payer says they are as far as the memo has room for it. */
export function memoOf(comment: string | undefined, payer: PayerData): string | undefined {
  const who = payer.identifier || payer.name || payer.email;
  if (!who) return comment;
  const memo = comment ? `${comment} (from ${who})` : `From ${who}`;
  return Buffer.byteLength(memo) <= MEMO_BYTES ? memo : comment;
}
