import { Injectable } from '@nestjs/common';
import { ArrayNotEmpty, ValidateBy, validateSync } from 'class-validator';
import { MANAGE_CALLBACKS, ScopeCatalogue } from '../../edge/auth/index.js';
import { ConfigError } from '../../platform/config/index.js';
import { ASKS_NEVER, isAskAmount, isLimit, type AskAbove, type WindowLimit } from '../limit/index.js';
import type { ApiKeyFault } from './api-key.outcome.js';
import { ApiKeySettings } from './api-key.settings.js';

export interface KeyCreator {
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: ReadonlySet<string>;
  readonly managesCallbacks?: boolean | undefined;
}

export interface NewApiKey {
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** At least 1; null: no expiry. A day is 24 hours. */
  readonly expireInDays: number | null;
  readonly limit?: WindowLimit | null;
  readonly askAbove?: AskAbove;
  /** It adds webhook endpoints, and deletes its own. */
  readonly manageCallbacks?: boolean;
  /** The app that creates it: the key gets only the app's own scopes. Undefined: its owner creates it. */
  readonly by?: KeyCreator | undefined;
}

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

export const LIMIT_INVALID = 'Invalid limit amount (must be positive)';
const ASK_INVALID = 'Invalid amount (must not be negative)';

class KeyRequest {
  @Rule(isName, `name must have 1 to ${MAX_KEY_NAME} characters, one of them visible, and no control characters`)
  name!: string;

  @ArrayNotEmpty({ message: 'scopes can not be empty' })
  scopes!: readonly string[];

  @Rule(isExpiry, `expireInDays must be a whole number from 1 to ${MAX_DAYS}`)
  expireInDays!: number | null;

  @Rule((value) => value === null || isLimit(value), LIMIT_INVALID)
  limitSats!: number | null;

  @Rule(isAskAmount, ASK_INVALID)
  askAbovePaymentSats!: number | null;

  @Rule(isAskAmount, ASK_INVALID)
  askAboveDaySats!: number | null;
}

export function faultsOf(request: KeyRequest, allowed: readonly string[]): ApiKeyFault[] {
  const faults = validateSync(Object.assign(new KeyRequest(), request)).flatMap(({ property, constraints = {} }) =>
    Object.values(constraints).map((message) => ({ field: property as keyof KeyRequest, message })),
  );
  if (request.scopes.some((scope) => !allowed.includes(scope)))
    faults.push({ field: 'scopes', message: `scopes must contain only: ${allowed.join(', ')}` });
  return faults;
}

const BEYOND_APP: ApiKeyFault = { field: 'manageCallbacks', message: 'manageCallbacks needs a consent to the app that includes webhooks' };
const CALLBACKS_FORBIDDEN: ApiKeyFault = {
  field: 'manageCallbacks',
  message: 'manageCallbacks is not allowed for API keys on this server',
};

/** To send is more than to receive: an app that may write may call what takes `receive`. */
const permits = ({ scopes }: KeyCreator, name: string): boolean => scopes.has(name) || (name === 'receive' && scopes.has('write'));

/** What the operator allows of new keys. All that creates keys asks here: pages, API, trusted apps and commands. */
@Injectable()
export class KeyRules {
  private readonly allowed: readonly string[];
  /** Null: no limit. */
  readonly maxDays: number | null;

  /** @throws ConfigError when the operator names a scope that keys cannot have */
  constructor(catalogue: ScopeCatalogue, settings: ApiKeySettings) {
    const possible = [...catalogue.ofKeys(), MANAGE_CALLBACKS].map(({ name }) => name);
    const named = settings.API_KEY_SCOPES.split(' ').filter(Boolean);
    const unknown = named.filter((name) => !possible.includes(name));
    if (unknown.length > 0) throw new ConfigError([`API_KEY_SCOPES must have only: ${possible.join(', ')}`]);
    this.allowed = named.length === 0 ? possible : possible.filter((name) => named.includes(name));
    this.maxDays = settings.API_KEY_MAX_DAYS === 0 ? null : settings.API_KEY_MAX_DAYS;
  }

  get allowsCallbacks(): boolean {
    return this.allowed.includes(MANAGE_CALLBACKS.name);
  }

  scopes(by?: KeyCreator): readonly string[] {
    return this.allowed.filter((name) => name !== MANAGE_CALLBACKS.name && (!by || permits(by, name)));
  }

  faultsOf({ by, manageCallbacks = false, limit, askAbove = ASKS_NEVER, ...wanted }: NewApiKey): ApiKeyFault[] {
    const asks = { askAbovePaymentSats: askAbove.paymentSats, askAboveDaySats: askAbove.daySats };
    const faults = faultsOf({ ...wanted, ...asks, limitSats: limit?.limitSats ?? null }, this.scopes(by));
    const { expireInDays: days } = wanted;
    if (this.maxDays !== null && (days === null || (isExpiry(days) && days > this.maxDays)))
      faults.push({ field: 'expireInDays', message: `expireInDays must be at most ${this.maxDays} on this server, and must be given` });
    if (manageCallbacks && by?.managesCallbacks === false) faults.push(BEYOND_APP);
    if (manageCallbacks && !this.allowsCallbacks) faults.push(CALLBACKS_FORBIDDEN);
    return faults;
  }
}
