import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import type { GrantType } from '../client/registration.js';
import { Injectable } from '@nestjs/common';
import { IdTokens, type Identity } from '../key/id-token.js';

/** RFC 6749 section 5.1. */
export interface TokenResponse {
  readonly access_token: string;
  /** Lower-case, as the compatible service documents it; clients compare it case-insensitively. */
  readonly token_type: 'bearer';
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

export interface GrantTypeHandler {
  readonly type: GrantType;
  /**
   * @param client authenticated, and allowed to use this grant type
   * @throws OAuthError
   */
  issue(client: Client, parameters: Form): Promise<TokenResponse>;
}

export interface IssuedTokens extends Omit<Identity, 'accessToken'> {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly scopes: readonly string[];
  /** Until the access token expires, by the database's clock; may be fractional. */
  readonly leftSeconds: number;
}

@Injectable()
export class TokenResponseBuilder {
  constructor(private readonly idTokens: IdTokens) {}

  /** An ID token comes with `openid` only: clients that did not request one reject a response that contains it. */
  async of(issued: IssuedTokens): Promise<TokenResponse> {
    const { accessToken, refreshToken, scopes, leftSeconds } = issued;
    return {
      access_token: accessToken,
      token_type: 'bearer',
      // Rounded down, so that the token is valid for at least this long.
      expires_in: Math.max(0, Math.floor(leftSeconds)),
      scope: scopes.join(' '),
      ...(refreshToken !== null && { refresh_token: refreshToken }),
      ...(scopes.includes('openid') && { id_token: await this.idTokens.sign(issued) }),
    };
  }
}
