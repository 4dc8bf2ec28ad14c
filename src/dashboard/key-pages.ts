import { Injectable } from '@nestjs/common';
import { ApiKeyService, type ApiKeyRefusalRow, type ApiKeyRow } from '../api-key/index.js';
import { CredentialUsage, ScopeCatalogue, type ScopeDefinition } from '../auth/index.js';
import { Config } from '../config/index.js';
import type { Form, Html, ShellFrame } from '../page/index.js';
import {
  keyCreatedPage,
  keyGonePage,
  keyNewPage,
  keyPage,
  keyShownPage,
  keysPage,
  revokeKeyPage,
  type KeyNewModel,
  type KeyView,
  type Refusal,
  type RefusalCause,
} from './view/index.js';

/** Fills the pages about API keys. */
@Injectable()
export class KeyPages {
  constructor(
    private readonly config: Config,
    private readonly keys: ApiKeyService,
    private readonly catalogue: ScopeCatalogue,
    private readonly usage: CredentialUsage,
  ) {}

  /** Flushes "last used", which is collected in memory for a second, so that the next read is current. */
  upToDate(): Promise<void> {
    return this.usage.flush();
  }

  /** @param revoked the id of the key that was just revoked, for a notice */
  async list(frame: ShellFrame, userId: string, revoked: unknown): Promise<Html> {
    const views = (await this.keys.list(userId)).map((key) => this.viewOf(key));
    const revokedName = views.find(({ id, ended }) => id === revoked && ended?.kind === 'revoked')?.name ?? null;
    return keysPage({ frame, inUse: views.filter(({ ended }) => !ended), ended: views.filter(({ ended }) => ended), revokedName });
  }

  form(frame: ShellFrame, values: KeyNewModel['values'], errors: KeyNewModel['errors']): Html {
    return keyNewPage({ frame, scopes: this.catalogue.ofKeys(), values, errors });
  }

  /** The form as it was sent after its session had ended. */
  restored(frame: ShellFrame, sent: Form): Html {
    return keyNewPage({ frame, scopes: this.catalogue.ofKeys(), values: this.valuesOf(sent), errors: {}, restored: true });
  }

  /** The values of that form; scopes that keys cannot have are dropped. */
  valuesOf(form: Form): KeyNewModel['values'] {
    const possible = this.catalogue.ofKeys().map(({ name }) => name);
    return {
      name: form.text('name').trim(),
      scopes: possible.filter((scope) => form.list('scope').includes(scope)),
      expires: form.text('expires'),
    };
  }

  async key(frame: ShellFrame, userId: string, key: ApiKeyRow): Promise<Html> {
    const refusals = (await this.keys.refusals(userId, key.id)).map((row) => this.refusalOf(row));
    return keyPage({ frame, key: this.viewOf(key), refusals });
  }

  /** Shows the secret the first time only. */
  created(frame: ShellFrame, key: ApiKeyRow, secret: string | null): Html {
    const view = this.viewOf(key);
    return secret === null ? keyShownPage({ frame, key: view }) : keyCreatedPage({ frame, key: view, secret, apiUrl: this.config.apiUrl });
  }

  revoke(frame: ShellFrame, key: ApiKeyRow): Html {
    const view = this.viewOf(key);
    return view.ended ? keyGonePage({ frame, key: view }) : revokeKeyPage({ frame, key: view });
  }

  private viewOf(key: ApiKeyRow): KeyView {
    return {
      id: key.id,
      name: key.name,
      fragment: key.hint,
      scopes: key.scopes.map((name) => this.catalogue.find(name)).filter((scope): scope is ScopeDefinition => scope !== undefined),
      createdAt: key.createdAt,
      lastUsedAt: key.lastUsedAt,
      expiresAt: key.expiresAt,
      ended: endOf(key),
      lastRefusal: key.lastRefusedAt
        ? this.refusalOf({ at: key.lastRefusedAt, cause: key.lastRefusal ?? '', operation: null, address: null })
        : null,
    };
  }

  private refusalOf({ at, cause, operation, address }: ApiKeyRefusalRow): Refusal {
    return { at, cause: this.causeOf(cause), asked: operation, from: address };
  }

  /** @param cause as stored: a `RefusedBecause` */
  private causeOf(cause: string): RefusalCause {
    if (!cause.startsWith(SCOPE)) return { kind: cause === 'expired' || cause === 'revoked' ? cause : 'session-only' };
    const names = cause.slice(SCOPE.length).split(' ');
    return {
      kind: 'scope',
      missing: names.map((name) => this.catalogue.find(name)).filter((scope): scope is ScopeDefinition => scope !== undefined),
    };
  }
}

const SCOPE = 'scope:';

function endOf({ revokedAt, expired, expiresAt }: ApiKeyRow): KeyView['ended'] {
  if (revokedAt) return { kind: 'revoked', at: revokedAt };
  return expired && expiresAt ? { kind: 'expired', at: expiresAt } : null;
}
