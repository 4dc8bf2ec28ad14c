import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import type { GrantType } from '../application/application.js';
import { Injectable } from '@nestjs/common';
import { newId } from '../../../platform/kernel/uuid.js';
import { UserService } from '../../user/index.js';
import { GrantService } from '../grant/grant.service.js';
import type { WalletBudget } from '../authorization-details.js';
import { claimsOf } from '../user-claims.js';
import { tokenHashOf } from '../key/jws.js';
import { SigningKeys } from '../key/signing-keys.js';
import type { RefreshedAccess } from './refresh.store.js';

/** RFC 6749 section 5.1. */
export interface TokenResponse {
  readonly access_token: string;
  /** `bearer` in lower case, as the compatible service documents it; clients compare it case-insensitively. */
  readonly token_type: 'bearer' | 'DPoP';
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  /** RFC 9396 section 7. */
  readonly authorization_details?: readonly WalletBudget[];
}

/** All of them: the token endpoint uses the one that a request names. */
export const GRANT_TYPE_HANDLERS = Symbol('grant type handlers');

export interface GrantTypeHandler {
  readonly type: GrantType;
  /**
   * The client is authenticated, and allowed to use this grant type.
   * @param jkt the key that it has proved, and that the access token is bound to @throws OAuthError
   */
  issue(client: Client, parameters: Form, jkt: string | null): Promise<TokenResponse>;
}

/** All times are by the database's clock; what is left until the access token expires may be fractional. */
export interface IssuedTokens extends RefreshedAccess {
  readonly client: Client;
  readonly jkt: string | null;
  readonly nonce: string | null;
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

export const ID_TOKEN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash', 'sid', 'acr', 'amr', 'jti'] as const;
const LIFE_SECONDS = 3_600;
/** One factor, or two. */
export const ACR_VALUES = ['1', '2'] as const;

export const tokenTypeOf = (jkt: string | null): TokenResponse['token_type'] => (jkt === null ? 'bearer' : 'DPoP');

@Injectable()
export class TokenResponseBuilder {
  constructor(
    private readonly keys: SigningKeys,
    private readonly users: UserService,
    private readonly grants: GrantService,
  ) {}

  /** An ID token comes with `openid` only: clients that did not request one reject a response that contains it. */
  async of(issued: IssuedTokens): Promise<TokenResponse> {
    const { accessToken, refreshToken, scopes, leftSeconds, jkt } = issued;
    return {
      access_token: accessToken,
      token_type: tokenTypeOf(jkt),
      // Rounded down, so that the token is valid for at least this long.
      expires_in: Math.max(0, Math.floor(leftSeconds)),
      scope: scopes.join(' '),
      ...(refreshToken !== null && { refresh_token: refreshToken }),
      ...(await this.grants.detailsOf({ ...issued, clientId: issued.client.id }, scopes)),
      ...(scopes.includes('openid') && { id_token: await this.idTokenOf(issued) }),
    };
  }
  /** OpenID Connect Core section 2. Many clients read the claims of section 5.4 here, and never ask `/userinfo`. */
  private async idTokenOf(issued: IssuedTokens): Promise<string> {
    const { client, userId, sessionId, authTime, amr, issuedAt, nonce, accessToken, scopes } = issued;
    const user = await this.users.findById(userId);
    const issuedSeconds = Math.floor(issuedAt.getTime() / 1000);
    const claims = {
      sub: userId,
      ...(user && claimsOf(user, new Set(scopes))),
      aud: client.id,
      iat: issuedSeconds,
      exp: issuedSeconds + LIFE_SECONDS,
      auth_time: Math.floor(authTime.getTime() / 1000),
      ...(nonce !== null && { nonce }),
      at_hash: tokenHashOf(client.idTokenAlg, accessToken),
      sid: sessionId,
      acr: ACR_VALUES[amr.includes('mfa') ? 1 : 0],
      // Empty for a consent from before this was stored, and where the company's provider does not say it.
      ...(amr.length > 0 && { amr }),
      jti: newId(),
    };
    return this.keys.sign(claims, client.idTokenAlg);
  }
}
