import { Injectable } from '@nestjs/common';
import { ApiKeyService, type ApiKeyCreateOutcome, type ApiKeyRow, type NewApiKey } from '../../access/api-key/index.js';
import { CallService, type CallRow } from '../../access/call/index.js';
import { CredentialUsage, MANAGE_CALLBACKS, ScopeCatalogue, type ScopeDefinition } from '../../edge/auth/index.js';
import { WINDOW_NAMES, windowLimitTyped, windowTyped } from '../../access/limit/index.js';
import { PageError, shortName, type Form } from '../../edge/page/index.js';
import { canSend } from '../limits/limits.view.js';
import { expiryOptions, type KeyNewModel } from './key-new.view.js';
import type { KeyView, KeysModel } from './key.view.js';

export type KeyCreation =
  | { readonly kind: 'created'; readonly id: string; readonly secret: string }
  | { readonly kind: 'mistaken'; readonly errors: KeyNewModel['errors'] };

@Injectable()
export class KeysPageService {
  constructor(
    private readonly keys: ApiKeyService,
    private readonly catalogue: ScopeCatalogue,
    private readonly usage: CredentialUsage,
    private readonly callLog: CallService,
  ) {}

  async list(userId: string, revoked: unknown): Promise<Omit<KeysModel, 'frame'>> {
    await this.usage.flush();
    const views = (await this.keys.list(userId)).map((key) => this.viewOf(key));
    const revokedName = views.find(({ id, ended }) => id === revoked && ended?.kind === 'revoked')?.name ?? null;
    const inUse = views.filter(({ ended }) => !ended);
    const limits = await this.keys.limitsOf(inUse.map(({ id }) => id));
    return { inUse, limits, ended: views.filter(({ ended }) => ended), revokedName };
  }

  /** @throws PageError unless it is a key of this person */
  async find(userId: string, id: string): Promise<KeyView> {
    // "Last used" is collected in memory for a second: write it before it is read.
    await this.usage.flush();
    const key = await this.keys.find(userId, id);
    if (!key) throw new PageError({ kind: 'error', error: 'missing' });
    return this.viewOf(key);
  }

  /** @param id of a key of the person who asks */
  async calls(id: string): Promise<CallRow[]> {
    return (await this.callLog.list('api-key', [id])).map((call) => ({ ...call, outcome: this.sentenceOf(call.outcome) }));
  }

  get maxDays(): number | null {
    return this.keys.rules.maxDays;
  }

  /** What a new key may have. */
  scopes(): readonly ScopeDefinition[] {
    return [...this.scopesOf(this.keys.rules.scopes()), ...(this.keys.rules.allowsCallbacks ? [MANAGE_CALLBACKS] : [])];
  }

  /** The values of the form for a new key; scopes that keys cannot have are dropped. */
  valuesOf(form: Form): KeyNewModel['values'] {
    const possible = this.scopes().map(({ name }) => name);
    return {
      name: form.text('name').trim(),
      scopes: possible.filter((scope) => form.list('scope').includes(scope)),
      limit: form.text('limit').trim(),
      window: form.text('window'),
      expires: form.text('expires'),
    };
  }

  async create(userId: string, values: KeyNewModel['values']): Promise<KeyCreation> {
    const { name, expires } = values;
    const scopes = values.scopes.filter((scope) => scope !== MANAGE_CALLBACKS.name);
    const manageCallbacks = scopes.length < values.scopes.length;
    const isIdle = this.spendsNothing(scopes) && values.limit !== '';
    const limit = isIdle ? SPENDS_NOTHING : windowLimitTyped(values.limit, values.window);
    const expireInDays = daysOf(expires, this.keys.rules.maxDays);
    const wanted = { userId, name, scopes, manageCallbacks, expireInDays, limit: typeof limit === 'string' ? NO_LIMIT : limit };
    const outcome = await this.keys.create(wanted);
    if (outcome.kind !== 'created') return { kind: 'mistaken', errors: errorsOf(outcome, values, limit) };
    return { kind: 'created', id: outcome.apiKey.id, secret: outcome.secret };
  }

  private spendsNothing(scopes: readonly string[]): boolean {
    return scopes.length > 0 && !canSend(this.scopesOf(scopes));
  }

  private viewOf(key: ApiKeyRow): KeyView {
    const lastRefusal = key.lastRefusedAt && { at: key.lastRefusedAt, cause: this.sentenceOf(key.lastRefusal ?? '') };
    const scopes = [...this.scopesOf(key.scopes), ...(key.manageCallbacks ? [MANAGE_CALLBACKS] : [])];
    return { ...key, scopes, ended: endOf(key), lastRefusal };
  }

  /**
   * States what the owner can act on: "Missing permission: Receive or Send". Scopes of removed extensions are left out.
   * @param cause as stored: a `RefusedBecause`, or a code of the API, which stays
   */
  private sentenceOf(cause: string): string {
    const window = cause.startsWith(LIMIT) && windowTyped(cause.slice(LIMIT.length));
    if (window) return `Over the limit for ${WINDOW_NAMES[window]}`;
    if (!cause.startsWith(SCOPE)) return CAUSES[cause] ?? cause;
    const missing = this.scopesOf(cause.slice(SCOPE.length).split(' ')).map(shortName);
    return missing.length === 0 ? 'Missing permission' : `Missing permission: ${missing.join(' or ')}`;
  }

  private scopesOf(names: readonly string[]): ScopeDefinition[] {
    return names.map((name) => this.catalogue.find(name)).filter((scope): scope is ScopeDefinition => scope !== undefined);
  }
}

/** A limit would have no effect; perhaps the person has forgotten the permission. */
const SPENDS_NOTHING = 'A key without Send spends nothing. Leave this field empty, or choose Send.';
const SCOPE = 'scope:';
const LIMIT = 'limit:';
const CAUSES: Readonly<Record<string, string>> = {
  expired: 'Expired, but still in use',
  revoked: 'Revoked, but still in use',
  paused: 'Access was paused',
  suspended: 'The app that created it is suspended',
  'wrong-header': 'Sent in the wrong header: a key belongs in X-API-KEY',
  'session-only': 'Requires you to be signed in',
  rolled: 'An old secret, rolled before, but still in use',
};

function endOf({ revokedAt, expired, expiresAt }: ApiKeyRow): KeyView['ended'] {
  if (revokedAt) return { kind: 'revoked', at: revokedAt };
  return expired && expiresAt ? { kind: 'expired', at: expiresAt } : null;
}

/** NaN for a value that is no option: the service refuses it. */
function daysOf(expires: string, maxDays: number | null): number | null {
  if (expires === 'never') return null;
  return expiryOptions(maxDays).some(({ value }) => value === expires) ? Number(expires) : NaN;
}

/** In the place of a text that is no limit: the service refuses it, beside all other faults. */
const NO_LIMIT: NewApiKey['limit'] = { window: 'daily', limitSats: NaN };

/** The service names the field and the rule; the page has its own text for each. */
function errorsOf(
  outcome: Exclude<ApiKeyCreateOutcome, { kind: 'created' }>,
  values: KeyNewModel['values'],
  limit: ReturnType<typeof windowLimitTyped>,
): KeyNewModel['errors'] {
  if (outcome.kind !== 'invalid') return { name: 'too-many' };
  const wrong = new Set(outcome.faults.map(({ field }) => field));
  return {
    ...(wrong.has('name') && { name: values.name === '' ? 'missing' : 'malformed' }),
    ...(wrong.has('scopes') && { scopes: 'none' }),
    ...(typeof limit === 'string' && { limit }),
    ...(wrong.has('expireInDays') && { expires: 'unknown' }),
  };
}
