import { Injectable } from '@nestjs/common';
import type { AuthorizationRequest } from '../authorize/authorization-request.js';
import { CLIENT_JSON, type Client } from '../client/client.js';
import { Config } from '../../config/index.js';
import { Database, type Statement } from '../../database/index.js';
import { hashToken } from '../../kernel/token.js';
import { newId } from '../../kernel/uuid.js';
import type { PageSession } from '../http/page-sessions.js';
import { newHandle } from './binding.js';

/** A waiting request, as stored. */
export interface InteractionRow {
  readonly id: string;
  readonly bindingHash: Buffer;
  readonly request: AuthorizationRequest;
  readonly client: Client;
  /** The session that may answer; null before a sign-in. */
  readonly sessionId: string | null;
  readonly state: 'open' | 'allowed' | 'denied';
  readonly expired: boolean;
  readonly createdAt: Date;
  /** When a consent given now would end. */
  readonly lastsUntil: Date;
}

const ADD: Statement = {
  name: 'oauth_interaction_add',
  text: `INSERT INTO oauth_interaction (id, challenge_hash, binding_hash, client_id, request, session_id, user_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
};
const FIND: Statement = {
  name: 'oauth_interaction_find',
  text: `SELECT i.id, i.binding_hash AS "bindingHash", i.request, i.session_id AS "sessionId", i.state, i.expires_at <= now() AS expired,
                i.created_at AS "createdAt", now() + make_interval(secs => $2) AS "lastsUntil", ${CLIENT_JSON} AS client
           FROM oauth_interaction i JOIN oauth_client c ON c.id = i.client_id WHERE i.challenge_hash = $1`,
};
const BIND: Statement = {
  name: 'oauth_interaction_bind',
  text: `UPDATE oauth_interaction SET session_id = $2, user_id = $3 WHERE id = $1 AND state = 'open' AND expires_at > now() RETURNING 1`,
};
const DENY: Statement = {
  name: 'oauth_interaction_deny',
  text: `UPDATE oauth_interaction SET state = 'denied' WHERE id = $1 AND state = 'open' AND expires_at > now() AND session_id = $2 RETURNING 1`,
};

/** Authorization requests that wait for a person. */
@Injectable()
export class InteractionStore {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @returns the handle for the page's URL, and the value of the browser's cookie */
  async add(request: AuthorizationRequest, session: PageSession | null): Promise<{ challenge: string; binding: string }> {
    const [challenge, binding] = [newHandle(), newHandle()];
    const who = [session?.session.id ?? null, session?.user.id ?? null];
    const values = [newId(), hashToken(challenge), hashToken(binding), request.clientId, JSON.stringify(request), ...who];
    await this.database.query(ADD, [...values, this.config.oauth.interactionSeconds]);
    return { challenge, binding };
  }

  async find(challenge: string): Promise<InteractionRow | null> {
    const [row] = await this.database.query<InteractionRow>(FIND, [hashToken(challenge), this.config.oauth.refreshAbsoluteSeconds]);
    return row ?? null;
  }

  /** Sets the session that may answer. False: the request has ended. */
  async bind(id: string, { session, user }: PageSession): Promise<boolean> {
    return (await this.database.query(BIND, [id, session.id, user.id])).length > 0;
  }

  /** Ends it without a grant. False: it had ended already. */
  async deny(id: string, { session }: PageSession): Promise<boolean> {
    return (await this.database.query(DENY, [id, session.id])).length > 0;
  }
}
