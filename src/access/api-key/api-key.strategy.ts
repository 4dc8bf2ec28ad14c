import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import Custom from 'passport-custom';
import { AuthenticationError, Authenticator, CredentialUsage, type Credential, type Principal } from '../../edge/auth/index.js';
import { Config } from '../../platform/config/index.js';
import { columns, Database, fragment, sql, type RowOf } from '../../platform/database/index.js';
import { hashToken, isWellFormedToken } from '../../platform/kernel/token.js';
import { isDisabled, isPaused } from '../user/index.js';
import { ApiKeyEntity } from './api-key.entity.js';

const STORED = columns(ApiKeyEntity).only('id', 'userId', 'scopes', 'clientId', 'manageCallbacks', 'revokedAt');

interface StoredApiKey extends RowOf<typeof STORED> {
  readonly expired: boolean;
  readonly expiresAtMs: number | null;
  readonly suspended: boolean;
  readonly rolled: boolean;
  readonly paused: boolean;
}

const SUSPENDED = fragment`EXISTS (SELECT FROM oauth_client c WHERE c.id = k.client_id AND c.state = 'suspended')`;
const DISABLED = isDisabled(fragment`k.user_id`);
const VALID = fragment`SELECT k.id FROM api_key k WHERE k.id = ANY ($1::uuid[]) AND k.revoked_at IS NULL AND NOT ${SUSPENDED} AND NOT ${DISABLED}`;
const LOOK_UP = sql`SELECT ${STORED.of('k')}, coalesce(k.expires_at <= now(), false) AS expired, extract(epoch FROM least(k.expires_at, CASE WHEN k.previous_hash = $1 THEN k.previous_until END))::float8 * 1000 AS "expiresAtMs", ${SUSPENDED} AS suspended, ${isPaused(fragment`k.user_id`)} AS paused, k.previous_hash = $1 AND k.previous_until <= now() AS rolled
           FROM api_key k WHERE (k.key_hash = $1 OR k.previous_hash = $1) AND NOT ${DISABLED}`;

/** `X-API-KEY`. The caller gets one response for unknown, revoked and expired keys; the owner's page shows which. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(Custom, 'api-key') implements OnModuleInit {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly usage: CredentialUsage,
    private readonly database: Database,
    private readonly config: Config,
  ) {
    super();
  }

  onModuleInit(): void {
    this.authenticator.use('api-key', this, VALID);
    this.authenticator.onRefused((secret, header) => this.noteMisplaced(secret, header));
  }

  async validate({ secret }: Credential): Promise<Principal | false> {
    return isWellFormedToken(secret, this.config.tokenPrefix) && this.lookUp(hashToken(secret));
  }

  private async noteMisplaced(secret: string, header: string): Promise<void> {
    if (header === 'x-api-key' || !isWellFormedToken(secret, this.config.tokenPrefix)) return;
    const [stored] = await this.database.query<StoredApiKey>(LOOK_UP, [hashToken(secret)]);
    if (stored) this.refused(stored.id, 'wrong-header');
  }

  private async lookUp(hash: Buffer): Promise<Principal | false> {
    const [stored] = await this.database.query<StoredApiKey>(LOOK_UP, [hash]);
    if (!stored) return false;
    const { id, userId, scopes, clientId, manageCallbacks, revokedAt, expired, expiresAtMs, suspended, rolled, paused } = stored;
    if (revokedAt) return this.refused(id, 'revoked');
    if (expired) return this.refused(id, 'expired');
    if (suspended) return this.refused(id, 'suspended');
    if (rolled) return this.refused(id, 'rolled');
    if (paused) {
      this.refused(id, 'paused');
      throw new AuthenticationError('accessPaused');
    }
    const principal: Principal = {
      kind: 'api-key',
      id,
      userId,
      secretHash: hash.toString('hex'),
      scopes: new Set(scopes),
      managesCallbacks: manageCallbacks,
      ...(clientId !== null && { createdBy: clientId }),
    };
    return expiresAtMs === null ? principal : { ...principal, expiresAt: expiresAtMs };
  }

  private refused(id: string, cause: 'expired' | 'revoked' | 'suspended' | 'rolled' | 'wrong-header' | 'paused'): false {
    this.usage.refused('api-key', id, cause);
    this.usage.calls.refused('api-key', id, 'API', { cause });
    return false;
  }
}
