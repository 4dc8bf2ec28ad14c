import { madeOnce } from '../../platform/kernel/made-once.js';

export interface Currency {
  readonly __typename: 'Currency';
  readonly id: string;
  readonly name: string;
  readonly symbol: string;
  readonly flag: string;
  readonly fractionDigits: number;
}

/** The currencies that Node knows (ISO 4217, with the names, symbols and digits of Unicode's CLDR), which is all that can be asked for. */
const KNOWN: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const NAMES = new Intl.DisplayNames('en', { type: 'currency' });
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const REGIONAL_INDICATOR_A = 0x1f1e6;

const found = new Map<string, Currency>();

/** @returns undefined for a code that is none of a currency */
export function findCurrency(id: string): Currency | undefined {
  return KNOWN.has(id) ? madeOnce(found, id, () => currencyOf(id)) : undefined;
}

function currencyOf(id: string): Currency {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: id, currencyDisplay: 'narrowSymbol' });
  return {
    __typename: 'Currency',
    id,
    name: NAMES.of(id) ?? id,
    symbol: format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? id,
    flag: flagOf(id),
    fractionDigits: format.resolvedOptions().maximumFractionDigits ?? 2,
  };
}

/** A code begins with the country's code (ISO 3166), or with X where it belongs to several countries. */
function flagOf(id: string): string {
  if (id.startsWith('X')) return '';
  // The locale replaces the code of a country that has been renamed.
  const region = new Intl.Locale(`und-${id.slice(0, 2)}`).region ?? '';
  if (!REGIONS.of(region)) return '';
  return String.fromCodePoint(...Array.from(region, (letter) => REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 'A'.charCodeAt(0)));
}
