import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { Database, type Statement } from '../../database/index.js';
import { Events } from '../../events/index.js';
import { hashToken } from '../../kernel/token.js';
import type { TokenPair } from './refresh-replay.js';

/** One use of a refresh token. */
export interface Refresh {
  readonly hash: Buffer;
  readonly clientId: string;
  /** Asked by name; null: as granted. */
  readonly scopes: readonly string[] | null;
  /** What will be issued unless something was before, and the same sealed for a repetition. */
  readonly pair: TokenPair;
  readonly blob: Buffer;
}

/** What the access token now stands for. */
export interface Refreshed {
  readonly userId: string;
  readonly sessionId: string;
  readonly authTime: Date;
  readonly scopes: readonly string[];
  readonly leftSeconds: number;
}

/** See migrations/sql/oauth_refresh.v1.sql. All but `invalid_scope` are one answer to the caller. */
export type RefreshRefusal = 'unknown' | 'foreign' | 'ended' | 'expired' | 'late' | 'reused';

export type RefreshOutcome =
  | ({ readonly kind: 'rotated' } & Refreshed)
  | ({ readonly kind: 'replayed'; readonly blob: Buffer } & Refreshed)
  | { readonly kind: 'invalid_scope' | RefreshRefusal };

interface Row extends Refreshed {
  readonly outcome: RefreshOutcome['kind'];
  readonly blob: Buffer;
}

const REFRESH: Statement = { name: 'oauth_refresh', text: 'SELECT * FROM oauth_refresh($1, $2, $3, $4, $5, $6, $7, $8, $9)' };

/** The rotation of refresh tokens: one call of one SQL function, whoever else calls it at the same time. */
@Injectable()
export class RefreshStore {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly config: Config,
  ) {}

  async refresh({ hash, clientId, scopes, pair, blob }: Refresh): Promise<RefreshOutcome> {
    const { accessTokenSeconds, refreshIdleSeconds, refreshReplaySeconds } = this.config.oauth;
    const hashes = [hashToken(pair.access), hashToken(pair.refresh)];
    const values = [hash, clientId, scopes, ...hashes, blob, accessTokenSeconds, refreshIdleSeconds, refreshReplaySeconds];
    const [row] = await this.database.query<Row>(REFRESH, values);
    if (!row) throw new Error('oauth_refresh() came back without a row');
    if (row.outcome === 'reused') this.events.wake();
    const { outcome: kind, userId, sessionId, authTime, scopes: granted, leftSeconds } = row;
    const refreshed = { userId, sessionId, authTime, scopes: granted, leftSeconds };
    if (kind === 'rotated') return { kind, ...refreshed };
    return kind === 'replayed' ? { kind, ...refreshed, blob: row.blob } : { kind };
  }
}
