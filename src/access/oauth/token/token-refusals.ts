import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Authenticator, CredentialUsage, type Evidence } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';

interface RefusedToken {
  readonly clientId: string;
  readonly state: string;
  readonly lateSeconds: number;
}

const FIND = sql`SELECT g.client_id AS "clientId", c.state, extract(epoch FROM now() - t.expires_at)::float8 AS "lateSeconds"
                   FROM oauth_access_token t JOIN oauth_grant g ON g.id = t.grant_id JOIN oauth_client c ON c.id = g.client_id WHERE t.hash = $1`;
const HEADER = 'oauth2-token';
const API = 'API';

/** Notes for the developer of an app why its access token was refused; the response has one text for all causes. */
@Injectable()
export class TokenRefusals implements OnModuleInit {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly usage: CredentialUsage,
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.authenticator.onRefused((secret, header, proof) => this.note(secret, header, proof));
  }

  private async note(secret: string, header: string, proof?: string): Promise<void> {
    if (!isWellFormedToken(secret, `${this.config.tokenPrefix}_at`)) return;
    const [token] = await this.database.query<RefusedToken>(FIND, [hashToken(secret)]);
    if (token)
      this.usage.calls.refused(
        'client',
        token.clientId,
        API,
        proof === undefined ? evidenceOf(token, header) : { cause: 'dpop', sent: proof },
      );
  }
}

function evidenceOf({ state, lateSeconds }: RefusedToken, header: string): Evidence {
  if (header !== HEADER)
    return { cause: 'wrong_header', sent: `a token in ${header}`, registered: 'Oauth2-Token: <token>, without Bearer' };
  if (state === 'suspended' || state === 'pending') return { cause: state };
  if (lateSeconds < 0) return { cause: 'grant_ended' };
  return { cause: 'token_expired', sent: `${Math.ceil(lateSeconds)} s after its end`, registered: 'an end, stated by expires_in' };
}
