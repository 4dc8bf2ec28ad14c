import type { Form } from '../../page/index.js';
import type { Client } from '../client/client.js';
import type { GrantType } from '../grant-type.js';

/** RFC 6749 section 5.1. */
export interface TokenAnswer {
  readonly access_token: string;
  /** Lower-case, as the service we are compatible with documents it; clients compare it without regard to case. */
  readonly token_type: 'bearer';
  /** Whole seconds that are certainly left. */
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

/** One way to a token. */
export interface TokenGrant {
  readonly type: GrantType;
  /**
   * @param client authenticated, and allowed to use this grant
   * @throws OAuthError
   */
  issue(client: Client, parameters: Form): Promise<TokenAnswer>;
}
