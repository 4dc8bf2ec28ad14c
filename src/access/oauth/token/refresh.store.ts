import { Injectable } from '@nestjs/common';
import { Batcher, Database, sql } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { Metrics } from '../../../platform/metrics/index.js';
import { hashToken } from '../../../platform/kernel/token.js';
import type { GrantEntity } from '../grant/grant.entity.js';
import { OAuthSettings } from '../oauth.settings.js';
import { Resources } from '../request/resources.js';
import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from '../../../platform/kernel/secret-cipher.js';

export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

const CONTEXT = 'refresh replay';
/** HKDF of one block (RFC 5869). The extract step is left out, as section 3.3 allows: a token is already a strong key. */
const INFO = 'sluice refresh replay v1\x01';

/** Only the holder of the token has the key: reading the database reveals nothing. */
const keyOf = (token: string): Buffer => createHmac('sha256', token).update(INFO).digest();

export const encryptPair = (token: string, { access, refresh }: TokenPair): Buffer =>
  encrypt(keyOf(token), Buffer.from(`${access} ${refresh}`, 'ascii'), CONTEXT);

/** @throws Error if it was not encrypted for this token */
export function decryptPair(token: string, blob: Buffer): TokenPair {
  const [access = '', refresh = ''] = decrypt(keyOf(token), blob, CONTEXT).toString('ascii').split(' ');
  return { access, refresh };
}

export interface RefreshRequest {
  readonly hash: Buffer;
  readonly clientId: string;
  readonly scopes: readonly string[] | null;
  /** The services that the access token shall be for; null: those of the grant. */
  readonly audience: readonly string[] | null;
  /** The key that the client has proved, and the one that the next refresh token is bound to. */
  readonly jkt: string | null;
  readonly refreshJkt: string | null;
  readonly pair: TokenPair;
  readonly blob: Buffer;
}

export interface RefreshedAccess extends Pick<
  GrantEntity,
  'userId' | 'sessionId' | 'authTime' | 'amr' | 'scopes' | 'authorizationDetails'
> {
  readonly issuedAt: Date;
  readonly leftSeconds: number;
}

/** See migrations/functions/oauth_refresh.sql. The caller gets one error for all of them. */
export type RefreshRefusal = 'unknown' | 'foreign' | 'unproved' | 'ended' | 'expired' | 'late' | 'reused';

export type RefreshOutcome =
  | ({ readonly kind: 'rotated' } & RefreshedAccess)
  | ({ readonly kind: 'replayed'; readonly blob: Buffer } & RefreshedAccess)
  | { readonly kind: 'invalid_scope' | 'invalid_target' | RefreshRefusal };

type RefreshRow = RefreshOutcome & { readonly ordinal: number };

// Executed in sequence in one transaction. Locked in hash order, so that two processes cannot deadlock.
const REFRESH = sql`SELECT r.*, r.outcome AS kind, a.ordinal::int
           FROM (SELECT * FROM unnest($1::bytea[], $2::text[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[], $10::text[], $12::text[], $13::text[])
                   WITH ORDINALITY AS x (hash, client_id, scopes, access_hash, refresh_hash, blob, audience, jkt, refresh_jkt, ordinal)
                  ORDER BY hash, ordinal) AS a
          CROSS JOIN LATERAL oauth_refresh_v2(a.hash, a.client_id, string_to_array(a.scopes, ' '), string_to_array(a.audience, ' '), $11,
                 a.access_hash, a.refresh_hash, a.blob, a.jkt, a.refresh_jkt, $7, $8, $9) AS r`;

@Injectable()
export class RefreshStore {
  private readonly outcomes;
  private readonly refreshes: Batcher<RefreshRequest, RefreshOutcome>;

  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly settings: OAuthSettings,
    private readonly resources: Resources,
    metrics: Metrics,
  ) {
    this.outcomes = metrics.counter('sluice_oauth_refreshes_total', 'Refresh tokens that apps presented, by outcome', ['outcome']);
    this.refreshes = new Batcher((batch) => this.refreshAll(batch));
  }

  async refresh(refresh: RefreshRequest): Promise<RefreshOutcome> {
    const outcome = await this.refreshes.submit(refresh);
    this.outcomes.inc({ outcome: outcome.kind });
    if (outcome.kind === 'reused') await this.events.delivered();
    return outcome;
  }

  private async refreshAll(batch: readonly RefreshRequest[]): Promise<RefreshOutcome[]> {
    const rows = await this.database.query<RefreshRow>(REFRESH, [
      batch.map(({ hash }) => hash),
      batch.map(({ clientId }) => clientId),
      batch.map(({ scopes }) => scopes?.join(' ') ?? null),
      batch.map(({ pair }) => hashToken(pair.access)),
      batch.map(({ pair }) => hashToken(pair.refresh)),
      batch.map(({ blob }) => blob),
      this.settings.ACCESS_TOKEN_SECONDS,
      this.settings.REFRESH_TOKEN_IDLE_SECONDS,
      this.settings.refreshReplaySeconds,
      batch.map(({ audience }) => audience?.join(' ') ?? null),
      this.resources.api,
      batch.map(({ jkt }) => jkt),
      batch.map(({ refreshJkt }) => refreshJkt),
    ]);
    return rows.sort((a, b) => a.ordinal - b.ordinal);
  }
}
