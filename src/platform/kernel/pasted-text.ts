/** Longer than an invoice in a link can be. A longer text is left as it is, so that reading costs little. */
const MAX_CHARACTERS = 10_000;
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** What stands before an invoice, an LNURL (LUD-01) or a Lightning address; wallets write `⚡` and `₿` (BIP 353). */
const MARKS = /^(?:(?:lightning:(?:\/\/)?|[⚡₿]) ?)+/iu;
/** An invoice or an LNURL in several lines, longer than a username. Both have a checksum, so that what is joined is read whole or not at all. */
const BROKEN = /^ln(?:bc|tb|url)[a-z0-9 ]{60,}$/i;

/**
 * The invoice, LNURL or Lightning address in a text as people copy it: with spaces, line breaks and invisible characters around, broken
 * into lines, after `lightning:`, or as the parameter `lightning` of a link (BIP 21, LUD-01). The one reader of the API, the pages and the
 * decoder.
 */
export function pastedText(text: string): string {
  if (text.length > MAX_CHARACTERS) return text;
  const bare = text.replace(UNSEEN, ' ').trim();
  const found = ((/^(?:bitcoin|https?):/i.test(bare) && lightningOf(bare)) || bare).replace(MARKS, '').trim();
  return BROKEN.test(found) ? found.replaceAll(' ', '') : found;
}

/** In a QR code the names of parameters are in capitals too. */
function lightningOf(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  return [...new URL(link).searchParams].find(([name]) => name.toLowerCase() === 'lightning')?.[1].trim();
}
