import { Injectable } from '@nestjs/common';
import { IdTokens, type Identity } from '../key/id-token.js';
import type { TokenResponse } from './grant-type-handler.js';

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
