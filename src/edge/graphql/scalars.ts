import { Kind, type GraphQLScalarType } from 'graphql';
import { HEX_32, inAnyCase, USERNAME } from '../../platform/kernel/form.js';
import { MAX_CENTS, MAX_SATS } from '../../platform/kernel/money.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { pastedText } from '../../platform/kernel/pasted-text.js';
import { isUuid } from '../../platform/kernel/uuid.js';
import { isStorable, MEMO_BYTES } from '../../platform/kernel/text.js';
import { InvalidValue, lenientScalar, type LenientScalar } from './scalar.js';

const EMAIL_CHARACTERS = 254;
const URL_CHARACTERS = 2_048;
/** lnd refuses longer invoices too; ordinary ones have a few hundred characters. */
const INVOICE_CHARACTERS = 7_089;
/** Seconds up to the year 5138. A larger value is a time in milliseconds, by mistake. */
const MAX_SECONDS = 100_000_000_000;

interface Range {
  readonly min: number;
  readonly max: number;
}

/** Variables may hold strings of digits too, because several clients send them. A fraction is refused unless the scalar `truncates`. */
function whole(name: string, { min, max }: Range, truncates = false): LenientScalar<number> {
  return {
    name,
    literal: Kind.INT,
    truncates,
    parse: (value) => {
      const written = typeof value === 'string' && /^-?\d+(\.0+)?$/.test(value) ? Number(value) : value;
      if (typeof written !== 'number' || !(written >= min)) return undefined;
      const number = truncates ? Math.trunc(written) : written;
      if (number > max) return new InvalidValue(`Value too big for ${name}`);
      // Adding zero turns a negative zero into an ordinary one.
      return Number.isInteger(number) ? number + 0 : undefined;
    },
    serialize: (value) => {
      if (!Number.isSafeInteger(value)) throw new TypeError(`${name} must be a whole number that JSON keeps exact`);
      return value as number;
    },
  };
}

/** `accept` gets storable text only and returns its canonical form. */
function text(name: string, accept: (value: string) => string | InvalidValue | undefined): LenientScalar<string> {
  return {
    name,
    literal: Kind.STRING,
    parse: (value) => (typeof value === 'string' && isStorable(value) ? accept(value) : undefined),
    serialize: (value) => {
      if (typeof value !== 'string') throw new TypeError(`${name} must be a text`);
      return value;
    },
  };
}

const matching = (pattern: RegExp) => (value: string) => (pattern.test(value) ? value : undefined);
const lowered = (pattern: RegExp) => (value: string) => matching(pattern)(value)?.toLowerCase();
const bytes32 = lowered(inAnyCase(HEX_32));

function hex32Bytes(value: string): string | InvalidValue {
  if (!/^[0-9a-f]*$/.test(value)) return new InvalidValue('Hex32Bytes is not valid hex');
  return value.length === 64 ? value : new InvalidValue('Hex32Bytes is not 32 bytes');
}

const memo = (value: string): string | InvalidValue =>
  Buffer.byteLength(value) > MEMO_BYTES ? new InvalidValue('Memo is too long') : value;

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The canonical form of a BCP 47 tag (`pt-br` becomes `pt-BR`); empty for no choice, for which some clients write `DEFAULT`. */
function language(value: string): string | undefined {
  if (value === '' || value === 'DEFAULT') return '';
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(value)) return undefined;
  const locale = orNone(() => new Intl.Locale(value)); // none: a subtag stands twice
  return locale && LANGUAGES.of(locale.language) !== undefined ? locale.baseName : undefined;
}

const email = (value: string): string | undefined =>
  value.length <= EMAIL_CHARACTERS ? matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)(value) : undefined;

const endpointUrl = (value: string): string | undefined =>
  value.length <= URL_CHARACTERS && URL.canParse(value) && /^https?:\/\/\S+$/i.test(value) ? value : undefined;

/** Decoders of mixed case must fail (BIP 173), so that it is not made lower here. */
function invoice(value: string): string | undefined {
  const pasted = pastedText(value);
  return pasted.length <= INVOICE_CHARACTERS ? lowered(/^(?:ln[a-z0-9]+|LN[A-Z0-9]+)$/)(pasted) : undefined;
}

const walletId = (value: string): string | undefined => (isUuid(value) ? value.toLowerCase() : undefined);

const timestamp: LenientScalar<number> = {
  ...whole('Timestamp', { min: 0, max: MAX_SECONDS }),
  serialize: (value) => {
    const seconds = value instanceof Date ? Math.floor(value.getTime() / 1_000) : value;
    if (!Number.isSafeInteger(seconds) || (seconds as number) > MAX_SECONDS)
      throw new TypeError('Timestamp must be a Date or whole seconds');
    return seconds as number;
  },
};

const DECIMAL = /^-?\d{1,20}(\.\d{1,8})?$/;
const displayAmount: LenientScalar<string> = {
  ...text('SignedDisplayMajorAmount', matching(DECIMAL)),
  serialize: (value) => {
    if (typeof value !== 'string' || !DECIMAL.test(value)) throw new TypeError('SignedDisplayMajorAmount must be a decimal number as text');
    return value;
  },
};

const ANY_SAFE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };

const numbers = [
  whole('CentAmount', { min: 0, max: MAX_CENTS }),
  whole('Minutes', { min: 0, max: Number.MAX_SAFE_INTEGER }),
  whole('SafeInt', ANY_SAFE),
  // As in the compatible API: points of sale send what they have computed from a price.
  whole('SatAmount', { min: 0, max: MAX_SATS }, true),
  whole('Seconds', { min: 0, max: Number.MAX_SAFE_INTEGER }),
  whole('SignedAmount', ANY_SAFE),
  timestamp,
];

const texts = [
  text('AuthToken', matching(/^\S{1,200}$/)),
  displayAmount,
  text('CountryCode', matching(/^[A-Z]{2}$/)),
  text('DisplayCurrency', (value) => matching(/^[a-z]{3,4}$/i)(value)?.toUpperCase()),
  text('EmailAddress', email),
  text('EmailRegistrationId', walletId),
  text('OneTimeAuthCode', matching(/^\d{6}$/)),
  text('EndpointId', matching(/^[a-z0-9_-]{1,100}$/i)),
  text('EndpointUrl', endpointUrl),
  text('Hex32Bytes', hex32Bytes),
  text('Language', language),
  text('LnPaymentPreImage', bytes32),
  text('LnPaymentRequest', invoice),
  text('LnPaymentSecret', bytes32),
  text('Memo', memo),
  // The code that sends on-chain payments checks the network and the checksum.
  text('OnChainAddress', matching(/^[a-z0-9]{14,90}$/i)),
  text('OnChainTxHash', bytes32),
  text('PaymentHash', bytes32),
  text('Phone', matching(/^\+[1-9]\d{6,14}$/)),
  text('TotpCode', matching(/^\d{6}$/)),
  text('TotpRegistrationId', matching(/^[\w-]{1,200}$/)),
  text('TotpSecret', matching(/^[A-Z2-7]{1,100}$/)),
  text('TxExternalId', matching(/^[a-z0-9_-]{1,100}$/)),
  text('Username', lowered(inAnyCase(USERNAME))),
  text('WalletId', walletId),
];

const lenient: readonly GraphQLScalarType[] = [...numbers.map((each) => lenientScalar(each)), ...texts.map((each) => lenientScalar(each))];

export const scalarResolvers: Readonly<Record<string, GraphQLScalarType>> = Object.fromEntries(lenient.map((each) => [each.name, each]));

/** Every row of an interface or union names its type in `__typename`; Sluice's error rows are all of one type. */
const byName = { __resolveType: ({ __typename }: { __typename: string }): string => __typename };

export const typeResolvers = {
  Error: { __resolveType: (): string => 'GraphQLApplicationError' },
  Account: byName,
  Wallet: byName,
  Invoice: byName,
  InitiationVia: byName,
  SettlementVia: byName,
  UserUpdate: byName,
};
