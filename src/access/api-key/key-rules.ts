import { ArrayNotEmpty, ValidateBy, validateSync } from 'class-validator';
import { isLimit } from '../limit/index.js';
import type { ApiKeyFault } from './api-key.outcome.js';

export const MAX_KEY_NAME = 64;
const MAX_DAYS = 3_650;

const Rule = (validate: (value: unknown) => boolean, message: string): PropertyDecorator =>
  ValidateBy({ name: message, validator: { validate } }, { message });

/** Control characters, also those that reorder the text around them, and halves of a pair, which UTF-8 cannot encode. */
const UNSAFE = /[\p{Cc}\p{Surrogate}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** Letters, digits, signs and pictures: neither white space nor a character without a glyph. */
const VISIBLE = /[^\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const isName = (value: unknown): boolean =>
  typeof value === 'string' && [...value.trim()].length <= MAX_KEY_NAME && VISIBLE.test(value) && !UNSAFE.test(value);
const isExpiry = (value: unknown): boolean =>
  value === null || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_DAYS);

/** Clients match it. */
export const LIMIT_INVALID = 'Invalid limit amount (must be positive)';

class KeyRequest {
  @Rule(isName, `name must have 1 to ${MAX_KEY_NAME} characters, one of them visible, and no control characters`)
  name!: string;

  @ArrayNotEmpty({ message: 'scopes can not be empty' })
  scopes!: readonly string[];

  @Rule(isExpiry, `expireInDays must be a whole number from 1 to ${MAX_DAYS}`)
  expireInDays!: number | null;

  @Rule((value) => value === null || isLimit(value), LIMIT_INVALID)
  limitSats!: number | null;
}

export function faultsOf(request: KeyRequest, allowed: readonly string[]): ApiKeyFault[] {
  const faults = validateSync(Object.assign(new KeyRequest(), request)).flatMap(({ property, constraints = {} }) =>
    Object.values(constraints).map((message) => ({ field: property as keyof KeyRequest, message })),
  );
  if (request.scopes.some((scope) => !allowed.includes(scope)))
    faults.push({ field: 'scopes', message: `scopes must contain only: ${allowed.join(', ')}` });
  return faults;
}
