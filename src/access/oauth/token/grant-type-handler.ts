import type { Form } from '../../../edge/page/index.js';
import type { Client } from '../client/client.js';
import type { GrantType } from '../grant-type.js';

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
