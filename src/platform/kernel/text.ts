/** Can PostgreSQL store it as `text`, and UTF-8 encode it? No NUL, no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

const MAX_ERROR_LENGTH = 1_000;

/** The message of an error as it is stored: a failure whose text PostgreSQL refuses would never be counted. */
export const storedError = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll('\0', '').slice(0, MAX_ERROR_LENGTH);

/** An address that a link may lead to: https or http, in printable ASCII, without a user name, which can look like another site's. */
export const isWebAddress = (text: string): boolean => /^https?:\/\/(?![^/?#]*@)[\x21-\x7e]+$/.test(text) && URL.canParse(text);

/** Maximum memo length: the capacity of an invoice's description (BOLT 11, "Tagged Fields": 1023 words of five bits). */
export const MEMO_BYTES = 639;
