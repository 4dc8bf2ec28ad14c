import { Transform } from 'class-transformer';
import { IsIn, IsInt, IsUrl, Matches, Max, Min, MinLength, ValidateBy } from 'class-validator';
import ipaddr from 'ipaddr.js';

/** At most `limit` calls in a window of `windowMs` milliseconds. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

export const RATE_FORM = /^[1-9]\d{0,8}\/[1-9]\d{0,6}$/;
export const RATE_RULE = 'must be <calls>/<seconds>, for example 20/3600';

export function rateOf(text: string): Rate {
  const [limit = 0, seconds = 0] = text.split('/').map(Number);
  return Object.freeze({ limit, windowMs: seconds * 1000 });
}

const numberOf = (form: RegExp): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' && form.test(value) ? Number(value) : value));
const flag = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    value === '1' || value === 'true' ? true : value === '0' || value === 'false' ? false : value,
  );
export const rate = (): PropertyDecorator => Matches(RATE_FORM, { message: `$property ${RATE_RULE}` });
export const url = (...protocols: string[]): PropertyDecorator =>
  IsUrl(
    { protocols, require_tld: false, require_protocol: true },
    { message: `$property must be a URL that starts with ${protocols.map((p) => `${p}://`).join(' or ')}` },
  );
/** As PostgreSQL's driver reads it, which takes a place without a host for a socket. */
export const databaseUrl = (): PropertyDecorator =>
  ValidateBy({
    name: 'databaseUrl',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && /^postgres(ql)?:\/\//.test(value) && URL.canParse(value.replace('@/', '@socket/')),
      defaultMessage: () => '$property must be postgres://user:password@host:port/database, with # / ? @ of a password as %23 %2F %3F %40',
    },
  });
export const oneOf = (...values: string[]): PropertyDecorator =>
  IsIn(values, { message: `$property must be one of: ${values.join(', ')}` });
export const matching = (form: RegExp, rule: string): PropertyDecorator => Matches(form, { message: `$property ${rule}` });
export const secret = (least: number): PropertyDecorator =>
  MinLength(least, { message: `$property must have at least ${least} characters` });
/** One message for all three rules: which rule failed first does not matter to the operator, who may not have typed a number at all. */
export const int =
  (min: number, max: number): PropertyDecorator =>
  (target, key) => {
    const rule = { message: `$property must be a whole number from ${min} to ${max}` };
    [Max(max, rule), Min(min, rule), IsInt(rule), numberOf(/^\d{1,15}$/)].forEach((decorate) => decorate(target, key));
  };
export const hours = (): PropertyDecorator => (target, key) => {
  const rule = { message: '$property must be a number of hours from 0.0001 to 8760' };
  [Max(8_760, rule), Min(0.0001, rule), numberOf(/^\d{1,5}(\.\d{1,9})?$/)].forEach((decorate) => decorate(target, key));
};
export const yesNo = (): PropertyDecorator => (target, key) =>
  [IsIn([true, false], { message: '$property must be 1 or 0' }), flag()].forEach((decorate) => decorate(target, key));

/** A value by an amount: `2 up to 1000000, 6 above` is 1000000:2,6. */
export interface Tiers {
  /** Rising; one less than the values. */
  readonly bounds: readonly number[];
  readonly values: readonly number[];
}

export function tiersOf(text: string): Tiers {
  const parts = text.split(',').map((part) => part.split(':').map(Number));
  return { bounds: parts.slice(0, -1).map(([bound = NaN]) => bound), values: parts.map((part) => part.at(-1) ?? NaN) };
}

const TIERS_FORM = /^(\d{1,15}:\d{1,9},)*\d{1,9}$/;

/** @param min the least value */
export const tiers = (min: number): PropertyDecorator =>
  ValidateBy({
    name: 'tiers',
    validator: {
      validate: (value: unknown) => {
        if (typeof value !== 'string' || !TIERS_FORM.test(value)) return false;
        const { bounds, values } = tiersOf(value);
        return bounds.every((bound, index) => bound > (bounds[index - 1] ?? 0)) && values.every((each) => each >= min);
      },
      defaultMessage: () =>
        `$property must be <up to satoshis>:<value>,… and the value above all, for example 1000000:2,6; no value below ${min}`,
    },
  });

export const networks = (): PropertyDecorator =>
  ValidateBy({
    name: 'networks',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        (value === '' || value.split(',').every((network) => ipaddr.isValid(network) || ipaddr.isValidCIDR(network))),
      defaultMessage: () => '$property must be networks such as 10.0.0.0/8,fd00::/8, with commas between them',
    },
  });

/** A network of `networks()`; an address is a network of its own. */
export const networkOf = (text: string): ReturnType<typeof ipaddr.parseCIDR> =>
  ipaddr.isValid(text) ? [ipaddr.parse(text), text.includes(':') ? 128 : 32] : ipaddr.parseCIDR(text);
