import { Injectable } from '@nestjs/common';
import type { GrantType } from '../grant-type.js';
import { AuthorizationCodeGrant } from './grant/authorization-code.grant.js';
import { RefreshTokenGrant } from './grant/refresh-token.grant.js';
import type { TokenGrant } from './token-grant.js';

/** The grant types that run here; discovery lists them. */
@Injectable()
export class GrantRegistry {
  private readonly byType: Readonly<Record<GrantType, TokenGrant>>;

  constructor(code: AuthorizationCodeGrant, refresh: RefreshTokenGrant) {
    this.byType = { authorization_code: code, refresh_token: refresh };
  }

  get types(): readonly string[] {
    return Object.keys(this.byType);
  }

  find(type: string): TokenGrant | undefined {
    return Object.hasOwn(this.byType, type) ? this.byType[type as GrantType] : undefined;
  }
}
