import { Injectable, type OnModuleInit } from '@nestjs/common';
import { apiResourceOf, Authenticator, CredentialUsage, type Evidence } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Database, sql } from '../../../platform/database/index.js';
import { hashToken, isWellFormedToken } from '../../../platform/kernel/token.js';

interface RefusedToken {
  readonly clientId: string;
  readonly state: string;
  readonly lateSeconds: number;
  /** Null: it is for the API. */
  readonly audience: readonly string[] | null;
}

const FIND = sql`SELECT g.client_id AS "clientId", c.state, t.audience, extract(epoch FROM now() - t.expires_at)::float8 AS "lateSeconds"
                   FROM oauth_access_token t JOIN oauth_grant g ON g.id = t.grant_id JOIN oauth_client c ON c.id = g.client_id WHERE t.hash = $1`;
const HEADERS = ['oauth2-token', 'authorization'];
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
    if (!token) return;
    const evidence = proof === undefined ? evidenceOf(token, header, apiResourceOf(this.config)) : { cause: 'dpop', sent: proof };
    this.usage.calls.refused('client', token.clientId, API, evidence);
  }
}

function evidenceOf({ state, lateSeconds, audience }: RefusedToken, header: string, api: string): Evidence {
  if (!HEADERS.includes(header))
    return { cause: 'wrong_header', sent: `a token in ${header}`, registered: 'Oauth2-Token: <token>, or Authorization: Bearer <token>' };
  if (state === 'suspended' || state === 'pending') return { cause: state };
  if (audience && !audience.includes(api)) return { cause: 'token_audience', sent: `a token for ${audience.join(' ')}`, registered: api };
  if (lateSeconds < 0) return { cause: 'grant_ended' };
  return { cause: 'token_expired', sent: `${Math.ceil(lateSeconds)} s after its end`, registered: 'an end, stated by expires_in' };
}
