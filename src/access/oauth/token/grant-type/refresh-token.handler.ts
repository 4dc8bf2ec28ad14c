import { Injectable } from '@nestjs/common';
import { ScopeCatalogue } from '../../../../edge/auth/index.js';
import { Config } from '../../../../platform/config/index.js';
import { Log, RefusalLog } from '../../../../platform/logging/index.js';
import type { Form } from '../../../../edge/page/index.js';
import { hashToken, isWellFormedToken, mintToken } from '../../../../platform/kernel/token.js';
import type { Client } from '../../client/client.js';
import { invalidGrant, invalidRequest, OAuthError } from '../../oauth-error.js';
import { askedResources, invalidTarget } from '../../request/resources.js';
import { askedScopesIn } from '../../scope-text.js';
import { decryptPair, encryptPair, type TokenPair, RefreshStore, type RefreshedAccess, type RefreshRefusal } from '../refresh.store.js';
import { TokenResponseBuilder, type TokenResponse, type GrantTypeHandler } from '../grant-type-handler.js';

const REASONS: Readonly<Record<RefreshRefusal, string>> = {
  unknown: 'unknown token',
  foreign: 'issued to another client',
  unproved: 'bound to a key that was not proved',
  ended: 'grant ended',
  expired: 'expired',
  late: 'already replaced (a slow retry)',
  reused: 'reused, so the grant has ended',
};

/** `grant_type=refresh_token` (RFC 6749 section 6): every use rotates the token; an immediate retry gets the same tokens. */
@Injectable()
export class RefreshTokenHandler implements GrantTypeHandler {
  readonly type = 'refresh_token';
  private readonly log = new Log('OAuth');
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly store: RefreshStore,
    private readonly responses: TokenResponseBuilder,
    private readonly catalogue: ScopeCatalogue,
    private readonly config: Config,
  ) {}

  async issue(client: Client, parameters: Form, jkt: string | null): Promise<TokenResponse> {
    const token = parameters.text('refresh_token');
    if (token === '') throw invalidRequest('refresh_token is missing');
    const asked = askedScopesIn(parameters.text('scope'), client, this.catalogue);
    if (!isWellFormedToken(token, `${this.config.tokenPrefix}_rt`)) throw invalidGrant().because({ cause: 'refresh_unknown' });
    const pair = { access: mintToken(`${this.config.tokenPrefix}_at`), refresh: mintToken(`${this.config.tokenPrefix}_rt`) };
    const scopes = asked.length > 0 ? asked : null;
    const keys = { jkt, refreshJkt: client.confidential ? null : jkt };
    const asks = { hash: hashToken(token), clientId: client.id, scopes, audience: askedResources(parameters), ...keys };
    const outcome = await this.store.refresh({ ...asks, pair, blob: encryptPair(token, pair) });
    switch (outcome.kind) {
      case 'rotated':
        return this.answer(client, outcome, pair, jkt);
      case 'replayed':
        return this.answer(client, outcome, decryptPair(token, outcome.blob), jkt);
      case 'invalid_scope':
        throw new OAuthError('invalid_scope', 'scope exceeds the granted scopes').because({
          cause: 'scope_granted',
          sent: asked.join(' '),
        });
      case 'invalid_target':
        throw invalidTarget();
      default:
        throw this.refused(client, outcome.kind);
    }
  }

  private answer(client: Client, refreshed: RefreshedAccess, { access, refresh }: TokenPair, jkt: string | null): Promise<TokenResponse> {
    return this.responses.of({ ...refreshed, client, jkt, nonce: null, accessToken: access, refreshToken: refresh });
  }

  /** In the name of a public client any caller decides how often this happens. */
  private refused({ id: clientId }: Client, kind: RefreshRefusal): OAuthError {
    const text = `Rejected refresh token from ${clientId}: ${REASONS[kind]}`;
    this.refusals.note(text, ({ requests }, others) =>
      this.log.warn('oauth_refresh_token_rejected', { clientId, reason: kind, requests }, `${text}${others}`),
    );
    return invalidGrant().because({ cause: `refresh_${kind}` });
  }
}
