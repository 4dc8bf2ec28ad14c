const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * The canonical form of a BCP 47 tag (`pt-br` becomes `pt-BR`), and of the empty text for no choice.
 * @returns undefined if the tag is malformed or names no known language
 */
export function languageOf(tag: string): string | undefined {
  if (tag === '') return '';
  try {
    const { baseName, language } = new Intl.Locale(tag);
    return NAMES.of(language) === undefined ? undefined : baseName;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
