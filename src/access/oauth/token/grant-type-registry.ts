import { Injectable } from '@nestjs/common';
import type { GrantType } from '../grant-type.js';
import { AuthorizationCodeHandler } from './grant-type/authorization-code.handler.js';
import { RefreshTokenHandler } from './grant-type/refresh-token.handler.js';
import type { GrantTypeHandler } from './grant-type-handler.js';

@Injectable()
export class GrantTypeRegistry {
  private readonly byType: Readonly<Record<GrantType, GrantTypeHandler>>;

  constructor(code: AuthorizationCodeHandler, refresh: RefreshTokenHandler) {
    this.byType = { authorization_code: code, refresh_token: refresh };
  }

  find(type: string): GrantTypeHandler | undefined {
    return Object.hasOwn(this.byType, type) ? this.byType[type as GrantType] : undefined;
  }
}
